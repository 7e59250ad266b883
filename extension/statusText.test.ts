import { describe, expect, it } from 'vitest';
import type { RunHeader } from '../protocol/panels/selection';
import { runHeader, type JobProcess } from './runs/header';
import type { ProblemKind } from './session/problems';
import type { SessionReport } from './session/workerMessages';
import { statusText } from './statusText';

const NOW = new Date(2025, 8, 14, 14, 7, 22).getTime();
const REPORT: SessionReport = {
  state: 'live',
  since: NOW - 41_000,
  problem: null,
  nextTryAt: null,
  lastSeq: 1_204_881,
  behindSeconds: 0.4,
  droppedSamples: 0,
  info: {
    run: { id: 'r', name: 'qwen3-4b-rlvr', startedAt: 0 },
    incarnation: { number: 2, id: 'i', startedAt: 0 },
    capabilities: ['steer.step'],
    scope: 'steer',
    methods: [
      { kind: 'allocation', method: 'uniform', title: 'Uniform', parameters: {}, active: true },
      { kind: 'allocation', method: 'knapsack', title: 'Knapsack-RL', parameters: {}, active: false },
    ],
    successThreshold: 1,
  },
  recorded: null,
  summary: {
    state: 'running',
    paused: null,
    step: 412,
    firstStep: 1,
    lastStep: 412,
    phase: 'generate',
    policyVersion: 411,
    methods: {},
    openFindings: 3,
  },
  readShare: null,
  results: null,
};
const PLACE = { key: 'live:r', name: 'r', where: 'ws://127.0.0.1:7777/' };
const header = (over: Partial<SessionReport>, summary: Partial<SessionReport['summary']> = {}): RunHeader =>
  runHeader(PLACE, { ...REPORT, ...over, summary: { ...REPORT.summary, ...summary } });
const say = (one: RunHeader | null, tokenRefused = false, connectingSince = NOW) =>
  statusText(one, { now: NOW, tokenRefused, connectingSince });

describe('the status bar item', () => {
  it.each([
    ['nothing attached', null, '$(plug) Attach to a run', null],
    ['connecting', runHeader(PLACE, null), '$(sync) r · attaching', null],
    ['live', header({}), '$(pulse) qwen3-4b-rlvr · step 412 · live', null],
    ['behind', header({ behindSeconds: 4.2 }), '$(watch) qwen3-4b-rlvr · step 412 · 4.2\u202fs behind', null],
    [
      'paused',
      header({}, { state: 'paused', paused: { mode: 'now', by: 'user-7', since: NOW } }),
      '$(debug-pause) qwen3-4b-rlvr · step 412 · paused by user-7',
      'warning',
    ],
    [
      'lost',
      header({ state: 'lost', problem: { kind: 'closed', detail: '' }, nextTryAt: NOW + 7_400 }),
      '$(debug-disconnect) qwen3-4b-rlvr · lost, next try in 8\u202fs',
      'warning',
    ],
    [
      'trying after a loss',
      header({ state: 'connecting', problem: { kind: 'closed', detail: '' } }),
      '$(debug-disconnect) qwen3-4b-rlvr · lost, trying now',
      'warning',
    ],
    [
      'refused',
      header({ state: 'refused', problem: { kind: 'wrongProtocol', detail: '' } }),
      '$(error) qwen3-4b-rlvr · not attached',
      'error',
    ],
    ['ended', header({ state: 'closed' }), '$(check) qwen3-4b-rlvr · ended at step 412', null],
    ['recorded', header({ state: 'recorded' }), '$(archive) qwen3-4b-rlvr · recorded · step 412', null],
  ])('%s', (_state, one, text, background) => {
    expect(say(one)).toMatchObject({ text, background });
  });

  it('says when a person must act, and that a first connection takes long', () => {
    const refused = header({ state: 'refused', problem: { kind: 'tokenRefused', detail: '' } });
    expect(say(refused, true)).toMatchObject({
      text: '$(error) qwen3-4b-rlvr · token refused',
      click: 'enterToken',
    });
    expect(say(runHeader(PLACE, null), false, NOW - 11_000).text).toBe('$(sync) r · still attaching');
  });

  it('draws no icon that a job put into its name', () => {
    const info = { ...REPORT.info!, run: { ...REPORT.info!.run, name: 'a$(error)\nb' } };
    expect(say(header({ info })).text).toBe('$(pulse) a$ (error) b · step 412 · live');
  });
});

describe('the header', () => {
  it('tells what is lost in a sentence that names the address', () => {
    const lost = header({
      state: 'lost',
      problem: { kind: 'unreachable', detail: 'x' },
      nextTryAt: NOW + 1,
    }).lost;
    expect(lost).toMatchObject({ lastSeq: 1_204_881, since: NOW - 41_000, nextTryAt: NOW + 1 });
    expect(lost?.sentence).toContain('ws://127.0.0.1:7777/');
  });

  it('offers steering only over a live connection with a steering token', () => {
    expect(header({})).toMatchObject({ canSteer: true, whyNot: null });
    expect(header({ info: { ...REPORT.info!, scope: 'read' } })).toMatchObject({
      canSteer: false,
      whyNot: 'This token may read but not steer.',
    });
    expect(header({ state: 'recorded' }).whyNot).toBe('A recorded run cannot be steered.');
    expect(header({ state: 'lost', problem: { kind: 'closed', detail: '' } }).canSteer).toBe(false);
  });

  it('knows the active method from the stream once it said so', () => {
    expect(header({}).methods.map(({ active }) => active)).toEqual([true, false]);
    expect(header({}, { methods: { allocation: 'knapsack' } }).methods.map(({ active }) => active)).toEqual([
      false,
      true,
    ]);
  });

  it('says of a lost run what is known: that its process has ended, that nothing listens, or that it goes on', () => {
    const lost = (kind: ProblemKind, process?: JobProcess, alive = false): string => {
      const machine = { host: 'box', bootId: 'boot', isAlive: () => alive };
      const report = { ...REPORT, state: 'lost', problem: { kind, detail: 'x' } } as const;
      return runHeader({ ...PLACE, process }, report, machine).lost?.sentence ?? '';
    };
    const process = { host: 'box', bootId: 'boot', pid: 4711 };
    expect(lost('closed', process)).toMatch(
      /^The job’s process has ended \(pid 4711\)\. Start the job again/,
    );
    expect(lost('nothingListens', process)).toMatch(/has ended \(pid 4711\)/);
    expect(lost('closed', { ...process, bootId: 'the boot before' }, true)).toMatch(/has ended/);
    // The process runs, or nothing is known of it.
    expect(lost('closed', process, true)).toBe('The job goes on without us.');
    expect(lost('closed', { ...process, host: 'elsewhere' })).toBe('The job goes on without us.');
    expect(lost('nothingListens', { ...process, host: 'elsewhere' })).toMatch(
      /^Nothing listens at ws:\/\/127\.0\.0\.1:7777\/\. Start the job/,
    );
    expect(lost('nothingListens', process, true)).toMatch(/^Nothing listens/);
    expect(lost('nothingListens')).not.toMatch(/goes on/);
    expect(lost('timeout')).not.toMatch(/goes on/);
  });
});
