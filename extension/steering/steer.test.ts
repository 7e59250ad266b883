import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runHeader } from '../runs/header';
import type { AttachedRun } from '../runs/runRegistry';
import type { SteerOutcome } from '../session/workerMessages';
import { PendingCommands } from './pendingCommands';
import { request } from './request';
import { Steering } from './steer';

const warnings = vi.hoisted(() => vi.fn<(...args: unknown[]) => Promise<string | undefined>>());
const input = vi.hoisted(() => vi.fn<() => Promise<string | undefined>>());
vi.mock('vscode', () => ({ window: { showWarningMessage: warnings, showInputBox: input } }));

const quiet = () => undefined;
const SKIP = request('skip', { prompts: ['p'] }, [{ type: 'prompt', id: 'p' }]);
const preview = {
  answer: {
    commandId: 'c',
    state: 'preview',
    changed: false,
    sentence: 'Left out from step 5 on.',
    fromStep: 5,
  },
} as const;
const applied = { answer: { ...preview.answer, state: 'applied', changed: true } } as const;
const refused = {
  answer: { ...preview.answer, state: 'refused', sentence: 'p is skipped already', refusal: 'alreadySo' },
} as const;

function setUp(outcomes: SteerOutcome[], confirms = true) {
  const sent: Record<string, unknown>[] = [];
  const told: string[] = [];
  const pending = new PendingCommands();
  const marks: number[] = [];
  pending.onDidChange((subjects) => void marks.push(subjects.length));
  const steering = new Steering({
    pending,
    tell: { tell: (kind: string) => void told.push(kind) } as never,
    author: () => 'user-7',
    confirms: () => confirms,
    openBudgets: quiet,
    showRecord: quiet,
    log: { error: quiet, warn: quiet, info: quiet, debug: quiet },
  });
  const place = { key: 'live:r', name: 'r', where: 'w' };
  const run = {
    ...place,
    header: { ...runHeader(place, null), incarnation: 3 },
    client: {
      steer: (_name: string, params: Record<string, unknown>) => {
        sent.push(params);
        return Promise.resolve(outcomes.shift());
      },
    },
  } as unknown as AttachedRun;
  return { steer: () => steering.steer(run, SKIP), sent, told, pending, marks };
}

beforeEach(() => {
  warnings.mockReset();
  input.mockReset();
});

describe('a steering request', () => {
  it('is previewed, confirmed with a reason, sent once with the id of its preview, and pending until the job says so', async () => {
    const { steer, sent, pending } = setUp([preview, applied]);
    warnings.mockResolvedValueOnce('Give a Reason…').mockResolvedValueOnce('Apply from Step 5');
    input.mockResolvedValueOnce(' too easy ');
    expect(await steer()).toBe(true);
    expect(sent).toMatchObject([
      { prompts: ['p'], dryRun: true, author: 'user-7', incarnation: 3 },
      { prompts: ['p'], reason: 'too easy', author: 'user-7', incarnation: 3 },
    ]);
    expect(sent[1]).not.toHaveProperty('dryRun');
    expect(sent[0]?.['commandId']).toBe(sent[1]?.['commandId']);
    expect(warnings.mock.calls[0]?.[0]).toBe('Skip prompt p?');
    expect(warnings.mock.calls[1]?.[1]).toMatchObject({
      modal: true,
      detail: expect.stringContaining('Reason: too easy.') as string,
    });
    // Applied by the answer, drawn as done by the event only.
    expect(pending.subjects).toEqual([{ type: 'prompt', id: 'p', action: 'skip' }]);
  });

  it('is not sent when a person cancels', async () => {
    const { steer, sent, pending } = setUp([preview, applied]);
    warnings.mockResolvedValueOnce(undefined);
    expect(await steer()).toBe(false);
    expect(sent).toHaveLength(1);
    expect(pending.subjects).toEqual([]);
  });

  it('is told with its reason when the job refuses it, before or after the confirmation', async () => {
    const before = setUp([refused]);
    warnings.mockResolvedValue(undefined);
    expect(await before.steer()).toBe(false);
    expect(warnings.mock.calls[0]?.[0]).toBe(
      'Refused by the job: p is skipped already. Nothing was changed.',
    );
    expect(before.sent).toHaveLength(1);

    warnings.mockReset();
    const after = setUp([preview, refused]);
    warnings.mockResolvedValueOnce('Apply from Step 5').mockResolvedValue(undefined);
    expect(await after.steer()).toBe(false);
    expect(after.marks).toEqual([1, 0]);
  });

  it('is told once that nothing was changed, also when the job says so itself', async () => {
    const sentence = 'p is left out already. Nothing was changed.';
    const { steer } = setUp([{ answer: { ...refused.answer, sentence } }], false);
    warnings.mockResolvedValue(undefined);
    await steer();
    expect(warnings.mock.calls[0]?.[0]).toBe(`Refused by the job: ${sentence}`);
  });

  it('goes at once when the setting says so', async () => {
    const { steer, sent } = setUp([applied], false);
    expect(await steer()).toBe(true);
    expect(sent).toHaveLength(1);
    expect(warnings).not.toHaveBeenCalled();
  });

  it('leaves nothing pending when it never reached the job', async () => {
    const { steer, told, marks } = setUp([{ failure: 'notConnected', detail: '' }], false);
    expect(await steer()).toBe(false);
    expect(told).toEqual(['steer.notConnected']);
    expect(marks).toEqual([1, 0]);
  });
});

describe('a steering request without an answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const unknown = { failure: 'unknown', detail: 'no answer' } as const;

  it('stays pending until the record shows it, or for a minute', async () => {
    const { steer, sent, told, pending } = setUp([unknown, unknown], false);
    expect(await steer()).toBe(false);
    expect(await steer()).toBe(false);
    expect(told).toEqual(['steer.unknown', 'steer.unknown']);
    expect(pending.subjects).toHaveLength(2);
    pending.settle([{ command: sent[0]?.['commandId'], state: 'applied' } as never]);
    expect(pending.subjects).toHaveLength(1);
    vi.runAllTimers();
    expect(pending.subjects).toEqual([]);
  });

  it('stays pending for longer when the record shows that the job took it', async () => {
    const { steer, sent, pending } = setUp([unknown], false);
    await steer();
    pending.settle([{ command: sent[0]?.['commandId'], state: 'requested' } as never]);
    vi.runAllTimers();
    expect(pending.subjects).toHaveLength(1);
  });

  it('is not said to be in doubt when it was only a preview', async () => {
    const { steer, told, marks } = setUp([unknown]);
    expect(await steer()).toBe(false);
    expect(told).toEqual(['noPreview']);
    expect(marks).toEqual([]);
  });
});

describe('what is pending', () => {
  it('is settled by the record alone, and forgotten with the run', () => {
    const pending = new PendingCommands();
    const row = { command: 'c1', state: 'requested' };
    pending.add('c1', 'fork', [{ type: 'node', id: 'n' }]);
    pending.add('c2', 'stop', [{ type: 'node', id: 'm' }]);
    pending.settle([row as never]);
    expect(pending.subjects).toHaveLength(2);
    pending.settle([
      { ...row, state: 'applied' } as never,
      { ...row, command: 'other', state: 'refused' } as never,
    ]);
    expect(pending.subjects).toEqual([{ type: 'node', id: 'm', action: 'stop' }]);
    pending.clear();
    expect(pending.subjects).toEqual([]);
  });
});
