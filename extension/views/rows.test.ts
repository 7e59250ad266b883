import { describe, expect, it } from 'vitest';
import type { PromptRow } from '../../protocol/panels/lists';
import type { SteeringRow } from '../../protocol/panels/overview';
import { runHeader } from '../runs/header';
import { promptRow } from './promptRows';
import { evaluationRow, ordinal, runRow, stepFacts, stepRow } from './runRows';
import { steeringRow } from './steeringRows';

const NOW = new Date(2025, 8, 14, 14, 6).getTime();
const HEADER = { ...runHeader({ key: 'live:r', name: 'run', where: 'w' }, null), step: 412, incarnation: 1 };
const STEP = {
  step: 411,
  incarnation: 1,
  phase: 'generate',
  open: false,
  seconds: 149,
  planned: 1024,
  launched: 1016,
  ended: 955,
  groups: 128,
  closedGroups: 128,
  zeroGradientGroups: 58,
};

describe('rows of the Runs view', () => {
  it('say the state first, and which life of the run it is', () => {
    expect(runRow({ ...HEADER, state: 'live', incarnation: 2 }, NOW)).toEqual({
      label: 'run',
      description: 'step 412, live, 2nd start',
      icon: 'circle-filled',
    });
    const lost = { since: NOW - 41_000, lastSeq: 5, nextTryAt: NOW + 7_200, sentence: '' };
    expect(runRow({ ...HEADER, state: 'lost', lost }, NOW).description).toBe(
      'lost 41\u202fs ago, next try in 8\u202fs',
    );
    expect(runRow({ ...HEADER, state: 'recorded' }, NOW).description).toBe('reading');
  });

  it('say what a step costs, each share with its whole', () => {
    expect(stepRow(STEP, true).description).toBe('58 of 128 groups without gradient, 149\u202fs');
    expect(stepRow({ ...STEP, open: true }, true).description).toBe('generating, 955 of 1,024 rollouts');
    expect(stepRow({ ...STEP, open: true }, false)).toMatchObject({
      description: 'last seen generating, 955 of 1,024 rollouts',
      icon: 'circle-outline',
    });
    expect(stepFacts(STEP).map(({ label, value }) => `${label} ${value}`)).toEqual([
      'rollouts ended 955 of 1,016 launched',
      'rollouts launched 1,016 of 1,024 planned',
      'groups closed 128 of 128',
      'groups without gradient 58 of 128 closed',
      'time 149\u202fs',
    ]);
  });

  it('say an evaluation and an ordinal', () => {
    const one = { step: 400, set: 'held-out', problems: 48, passAt1: 0.32 };
    expect(evaluationRow(one).description).toBe('pass@1 .32, 48 problems, held-out');
    expect([1, 2, 3, 4, 11, 12, 21, 111, 122].map(ordinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '21st',
      '111th',
      '122nd',
    ]);
  });
});

const PROMPT: PromptRow = {
  prompt: 'ineq-1933',
  group: 'g',
  planned: 31,
  running: 0,
  finished: 31,
  stepN: 31,
  stepC: 0,
  nBefore: 24,
  cBefore: 2,
  outcome: 'all0',
  closed: false,
  pin: null,
  difficulty: null,
};

describe('rows of the Prompts view', () => {
  it('say the plan and what was known before', () => {
    expect(promptRow(PROMPT)).toMatchObject({
      description: '31 planned, 2 of 24 right before',
      mark: 'ring',
    });
    expect(promptRow({ ...PROMPT, pin: 'skip' }).description).toMatch(/^skipped, /);
    expect(promptRow({ ...PROMPT, nBefore: 0, running: 1 })).toMatchObject({
      description: '31 planned, new',
      mark: 'running',
    });
  });

  it('call a group without gradient only when it is closed', () => {
    expect(promptRow(PROMPT).tooltip).toContain('All rewards 0 so far.');
    expect(promptRow({ ...PROMPT, closed: true }).tooltip).toContain('no gradient');
  });
});

const STEERED: SteeringRow = {
  command: 'c',
  action: 'skip',
  state: 'applied',
  author: 'user-7',
  connection: '#1',
  scope: 'steer',
  sentence: 'skip geo-2210 to 450',
  reason: null,
  subjects: [],
  before: null,
  after: null,
  undoes: null,
  undone: false,
  fromStep: 1,
  untilStep: 450,
  incarnation: 1,
  at: NOW,
};

describe('rows of the steering record', () => {
  it.each([
    ['applied', STEERED, 'user-7, 14:06 · skip geo-2210 to 450', 'check', true],
    [
      'requested',
      { ...STEERED, state: 'requested' },
      'user-7, requested · skip geo-2210 to 450',
      'sync',
      false,
    ],
    [
      'refused',
      { ...STEERED, state: 'refused', reason: 'already ended' },
      'user-7, 14:06, refused: already ended',
      'circle-slash',
      false,
    ],
    [
      'undone',
      { ...STEERED, undone: true },
      'user-7, 14:06, undone · skip geo-2210 to 450',
      'discard',
      false,
    ],
    [
      'an undo itself',
      { ...STEERED, action: 'undo', undoes: 'x' },
      'user-7, 14:06 · skip geo-2210 to 450',
      'check',
      false,
    ],
    [
      'a stop, which cannot be taken back',
      { ...STEERED, action: 'stop' },
      'user-7, 14:06 · skip geo-2210 to 450',
      'check',
      false,
    ],
  ])('%s', (_what, row, description, icon, canUndo) => {
    expect(steeringRow(row, NOW)).toMatchObject({ description, icon, canUndo });
  });

  it('begin with act and thing, so that a narrow side bar shows author and time too', () => {
    const labels = [
      { action: 'pause', subjects: [{ type: 'run', id: 'r' }] },
      { action: 'allocate', subjects: [{ type: 'prompt', id: 'geo-2210' }] },
      {
        action: 'skip',
        subjects: [
          { type: 'prompt', id: 'a' },
          { type: 'prompt', id: 'b' },
        ],
      },
      { action: 'dance', subjects: [] },
    ].map((one) => steeringRow({ ...STEERED, ...one }, NOW).label);
    expect(labels).toEqual(['Pause', 'Budget geo-2210', 'Skip 2×', 'dance']);
    expect(steeringRow(STEERED, NOW).tooltip).toMatch(/^skip geo-2210 to 450\nBy user-7/);
  });
});
