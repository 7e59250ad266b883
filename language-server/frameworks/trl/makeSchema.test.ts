import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readVectorFile } from '../../testing/recordedVerdicts';
import { loadSchema } from './loadSchema';
import { makeSchema } from './makeSchema';
import { readSchema } from './readSchema';
import { defaultIn } from './trlConfig';

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

describe('schema.generated.json', () => {
  it('is what writeSchema.ts writes', () => {
    expect(read('./schema.generated.json')).toEqual(
      makeSchema(readVectorFile('trl-schema.json'), read('./history.json')),
    );
  });

  it('knows since when a key exists and what its default was', () => {
    const { fields, removed, launcherKeys } = loadSchema();
    const temperature = fields.get('temperature');
    expect(fields.get('entropy_coef')?.since).toBe('1.8');
    expect(temperature && [defaultIn(temperature, [0, 17]), defaultIn(temperature, [0, 18])]).toEqual([
      0.9, 1,
    ]);
    expect(removed.get('max_prompt_length')?.removed).toBe('0.28');
    expect(launcherKeys.has('num_processes')).toBe(true);
    expect([...removed.keys()].filter((key) => fields.has(key))).toEqual([]);
  });

  it('is refused when it has another form', () => {
    expect(() => readSchema({ fields: {} })).toThrow(TypeError);
    expect(() =>
      makeSchema(readVectorFile('trl-schema.json'), {
        source: 'x',
        since: { '1.0': ['nothing'] },
        defaultsBefore: {},
        deprecated: {},
        choices: {},
      }),
    ).toThrow(/nothing/);
  });
});
