import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_EDITOR_SETTINGS,
  parseDescribeConfigParams,
  parseDescribeConfigResult,
  parseEditorSettings,
} from './editor';
import type { ConfigDescription } from './editor';

const DESCRIPTION: ConfigDescription = {
  uri: 'file:///x.yaml',
  documentVersion: 3,
  framework: 'trl',
  frameworkVersion: '1.13',
  frameworkVersionFrom: 'latest',
  worldSize: 8,
  worldSizeFrom: 'setting',
  batch: {
    rolloutsPerRound: 64,
    promptsPerRound: 8,
    rolloutsPerPrompt: 8,
    rolloutsPerOptimizerStep: 64,
    optimizerStepsPerRound: 1,
  },
  findings: { error: 0, warning: 1, information: 0, hint: 2 },
};

describe('parseEditorSettings', () => {
  it('takes what makes sense and the default for the rest', () => {
    expect(
      parseEditorSettings({
        worldSize: 8,
        launcher: 'script',
        framework: 'no-such',
        enable: 'yes',
        frameworkVersion: ' ',
      }),
    ).toEqual({
      ...DEFAULT_EDITOR_SETTINGS,
      worldSize: 8,
      launcher: 'script',
    });
    for (const worldSize of [0, -1, 1.5, '8', NaN])
      expect(parseEditorSettings({ worldSize }).worldSize).toBeNull();
  });

  it('gives settings for anything, and keeps those it gave', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const settings = parseEditorSettings(value);
        expect(parseEditorSettings(settings)).toEqual(settings);
      }),
    );
  });
});

describe('the description of a config', () => {
  it('comes through JSON as it was', () => {
    for (const each of [
      DESCRIPTION,
      { ...DESCRIPTION, worldSize: null, worldSizeFrom: null, batch: null },
      null,
    ]) {
      expect(parseDescribeConfigResult(JSON.parse(JSON.stringify(each)))).toEqual(each);
    }
  });

  it('is refused when a part of it has another form', () => {
    const broken: unknown[] = [
      undefined,
      1,
      [],
      {},
      ...Object.keys(DESCRIPTION).map((key) => ({ ...DESCRIPTION, [key]: [] })),
    ];
    for (const each of broken) expect(parseDescribeConfigResult(each)).toBeUndefined();
    expect(parseDescribeConfigParams({ uri: 3 })).toBeUndefined();
    expect(parseDescribeConfigParams({ uri: 'file:///x' })).toEqual({ uri: 'file:///x' });
  });
});
