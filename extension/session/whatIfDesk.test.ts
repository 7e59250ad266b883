import { describe, expect, it } from 'vitest';
import type { WhatIfMethod, WhatIfParams, WhatIfView } from '../../protocol/panels/whatIf';
import { TestStream } from '../../run-store/testing/testStream';
import { WhatIfDesk } from './whatIfDesk';

const UNIFORM: WhatIfMethod = { method: 'uniform', parameters: { groupSize: 4 }, gaps: 'ask' };
const KNAPSACK: WhatIfMethod = { method: 'knapsack-rl-published', parameters: {}, gaps: 'ask' };
const asked = (methods: readonly WhatIfMethod[], rest: Partial<WhatIfParams> = {}): WhatIfParams => ({
  step: null,
  steps: 1,
  methods,
  draws: 200,
  seed: 3,
  again: 0,
  ...rest,
});

/** A desk whose slices run when the test says so; every look at the time is a millisecond later. */
function desk(stream: TestStream): {
  desk: WhatIfDesk;
  slices: (most?: number) => number;
  told: () => number;
} {
  const waiting: (() => void)[] = [];
  let time = 0;
  let told = 0;
  const made = new WhatIfDesk(stream.store, () => (told += 1), {
    now: () => (time += 1),
    soon: (run) => waiting.push(run),
  });
  return {
    desk: made,
    told: () => told,
    slices: (most = 10_000) => {
      let ran = 0;
      for (; ran < most; ran++) {
        const run = waiting.shift();
        if (!run) break;
        run();
      }
      return ran;
    },
  };
}

function run(): TestStream {
  const stream = new TestStream();
  stream.step(1, 8).wholeGroup('g1', 'a', 1, [1, 0, 0, 0]).wholeGroup('g2', 'b', 1, [1, 1, 1, 0]).endStep(1);
  stream.step(2, 8).wholeGroup('h1', 'a', 2, [0, 0, 0, 1]).wholeGroup('h2', 'b', 2, [1, 1, 1, 1]).endStep(2);
  return stream.flush();
}

const states = (view: WhatIfView | null): string[] => view?.rows.map(({ state }) => state) ?? [];

describe('the desk of what-ifs', () => {
  it('has nothing to say of a run without a step', () => {
    expect(desk(new TestStream()).desk.view(asked([UNIFORM]))).toBeNull();
  });

  it('works in slices, tells of progress, and ends with every answer', () => {
    const made = desk(run());
    const params = asked([UNIFORM, KNAPSACK]);
    const first = made.desk.view(params);
    expect([first?.asRun, first?.share, states(first)]).toEqual([null, 0, ['waiting', 'waiting']]);
    expect(made.slices(10)).toBe(10);
    const half = made.desk.view(params)!;
    expect(half.share).toBeGreaterThan(0);
    expect(half.share).toBeLessThan(1);
    expect(made.slices()).toBeGreaterThan(10);
    const done = made.desk.view(params)!;
    expect([done.share, states(done), done.total]).toEqual([1, ['done', 'done'], 8]);
    expect(done.asRun?.successes.mean).toBe(5);
    expect([...done.asRunCounts]).toEqual([4, 4]);
    expect(made.told()).toBeGreaterThanOrEqual(3);
    expect(made.slices()).toBe(0);
  });

  it('keeps answers when a method is added, and gives arrays away each time', () => {
    const made = desk(run());
    made.desk.view(asked([UNIFORM]));
    made.slices();
    const before = made.desk.view(asked([UNIFORM]))!;
    const more = made.desk.view(asked([UNIFORM, KNAPSACK]))!;
    expect(states(more)).toEqual(['done', 'running']);
    const [a, b] = [before.rows[0]!, more.rows[0]!];
    if (a.state !== 'done' || b.state !== 'done') throw new Error('not done');
    expect(a.outcome.counts).toEqual(b.outcome.counts);
    expect(a.outcome.counts).not.toBe(b.outcome.counts);
  });

  it('stands still when nobody looks, and goes on where it was', () => {
    const made = desk(run());
    const params = asked([UNIFORM]);
    made.desk.view(params);
    made.slices(3);
    made.desk.left(params);
    expect(made.slices()).toBeLessThanOrEqual(1);
    expect(states(made.desk.view(params))).not.toEqual(['done']);
    made.slices();
    expect(states(made.desk.view(params))).toEqual(['done']);
  });

  it('asks again by itself when a plan changed or a step closed, else says what is new', () => {
    const stream = run();
    stream.step(3, 4).group('i1', 'a', 3, 4).rollout('i1.0', 'i1').rollout('i1.1', 'i1').flush();
    const made = desk(stream);
    const params = asked([UNIFORM]);
    made.desk.view(params);
    made.slices();
    expect(made.desk.view(params)).toMatchObject({
      steps: [3],
      open: 1,
      stale: false,
      recorded: 0,
      share: 1,
    });
    stream.end('i1.0', 1).flush();
    const stale = made.desk.view(params)!;
    expect([stale.stale, stale.recorded, states(stale)]).toEqual([true, 0, ['done']]);
    expect(made.desk.view(asked([UNIFORM], { again: 1 }))).toMatchObject({ stale: false, recorded: 1 });
    stream.end('i1.1', 0).closeGroup('i1', { launched: 2, finished: 2 }).endStep(3).flush();
    const closed = made.desk.view(params)!;
    expect([closed.open, closed.recorded, closed.total]).toEqual([0, 2, 2]);
  });

  it('asks a person about missing inputs and names what cannot be done', () => {
    const stream = new TestStream();
    stream.step(1, 8).wholeGroup('g1', 'a', 1, [1, 0]).endStep(1);
    stream.step(2, 8).wholeGroup('h1', 'a', 2, [1, 0]).wholeGroup('h2', 'new', 2, [0, 1]).endStep(2).flush();
    const made = desk(stream);
    const unknown: WhatIfMethod = { method: 'no-such', parameters: {}, gaps: 'ask' };
    const params = asked([KNAPSACK, unknown, { ...UNIFORM, parameters: { groupSize: 0 } }]);
    made.desk.view(params);
    made.slices();
    const view = made.desk.view(params)!;
    expect(view.rows[0]).toMatchObject({
      state: 'missing',
      missing: [
        { input: 'a pass rate from before the step', prompts: 1, canBeHalf: true, canLeaveOut: true },
      ],
    });
    expect(view.rows[1]).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('no-such') as string,
    });
    expect(view.rows[2]).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('groupSize') as string,
    });
    const half = asked([{ ...KNAPSACK, gaps: 'half' }]);
    made.desk.view(half);
    made.slices();
    expect(states(made.desk.view(half))).toEqual(['done']);
  });
});
