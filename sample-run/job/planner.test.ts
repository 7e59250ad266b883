import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRAIN_TASKS } from '../tasks/taskSet';
import { freshControl, type Pin } from './controlState';
import { drawPrompts } from './drawPrompts';
import { allocationChoice } from './jobHarness';
import { methodIds } from './methodTable';
import { cutTo, planStep, type PlanView } from './planner';
import { PromptStatistics } from './promptStatistics';
import { DEFAULT_SETTINGS } from './settings';

const pinOf = (set: number, charge: Pin['charge']): Pin => ({
  command: 'c',
  author: 'ada',
  set,
  charge,
  fromStep: 1,
  untilStep: null,
});

/** Statistics of some prompts, as earlier steps would have left them. */
const statistics = fc
  .array(
    fc.record({
      task: fc.nat(95),
      n: fc.integer({ min: 1, max: 16 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 60 },
  )
  .map((rows) => {
    const result = new PromptStatistics();
    rows.forEach(({ task, n, share }, i) => {
      const { id, level } = TRAIN_TASKS[task]!;
      const c = Math.round(n * share);
      const rootRewards = Array.from({ length: n }, (_, k) => (k < c ? 1 : 0));
      result.record(id, level, {
        group: `g${i}`,
        step: 0,
        policyVersion: 0,
        planned: n,
        n,
        c,
        sumReward: c,
        sumReward2: c,
        rootRewards,
      });
    });
    result.recordFailures(0.5);
    return result;
  });

const viewOf = (result: PromptStatistics, method: string, pins: Record<string, Pin>): PlanView => {
  const methods = {
    allocation: allocationChoice(method, DEFAULT_SETTINGS),
    branching: { method: 'independent', parameters: {} },
    credit: { method: 'grpo', parameters: {} },
  };
  return {
    settings: { ...DEFAULT_SETTINGS, ...methods, runId: 'r', name: 'r' },
    control: { ...freshControl(methods), pins },
    statistics: result,
    step: 1,
    place: { pass: 0, position: 0 },
    carried: { method: '', memory: {} },
  };
};

const pins = fc.dictionary(
  fc.nat(95).map((i) => TRAIN_TASKS[i]!.id),
  fc.record({
    set: fc.integer({ min: 0, max: 40 }),
    charge: fc.constantFrom('total' as const, 'extra' as const),
  }),
  { maxKeys: 6 },
);

describe('a plan', () => {
  it('gives pinned prompts exactly what was asked, keeps a total that was charged, and records it all', () => {
    fc.assert(
      fc.property(statistics, fc.constantFrom(...methodIds().allocation), pins, (result, method, wishes) => {
        const own = Object.fromEntries(
          Object.entries(wishes).map(([id, { set, charge }]) => [id, pinOf(set, charge)]),
        );
        const plan = planStep(viewOf(result, method, own));
        const counts = new Map(plan.prompts.map(({ task, count }) => [task.id, count]));
        for (const [id, { set }] of Object.entries(own)) expect(counts.get(id) ?? 0).toBe(set);
        expect(plan.total).toBe([...counts.values()].reduce((sum, count) => sum + count, 0));
        expect(counts.size).toBe(plan.prompts.length);
        if (Object.values(own).some(({ charge }) => charge === 'total')) {
          const extra = Object.values(own).reduce(
            (sum, { set, charge }) => (charge === 'extra' ? sum + set! : sum),
            0,
          );
          const charged = Object.values(own).reduce(
            (sum, { set, charge }) => (charge === 'total' ? sum + set! : sum),
            0,
          );
          expect(plan.total).toBeLessThanOrEqual(Math.max(24 * 8, charged) + extra);
        }
        for (const { draft, count, task } of plan.prompts) {
          const { body } = plan.drafts[draft]!;
          const row = body.subjects.ids.indexOf(task.id);
          expect(body.outcome!['rollouts']![row]).toBe(count);
          expect(body.reasons![row]!.length).toBeGreaterThan(5);
        }
        for (const { body } of plan.drafts) {
          for (const column of [
            ...Object.values(body.inputs ?? {}),
            ...Object.values(body.outcome ?? {}),
            ...Object.values(body.numbers ?? {}),
          ]) {
            expect(column).toHaveLength(body.subjects.ids.length);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same for the same inputs', () => {
    fc.assert(
      fc.property(statistics, fc.constantFrom(...methodIds().allocation), (result, method) => {
        const [first, second] = [0, 1].map(() => planStep(viewOf(result, method, {})));
        expect(JSON.stringify(second)).toBe(JSON.stringify(first));
      }),
      { numRuns: 20 },
    );
  });
});

describe('cutting to a total', () => {
  it('keeps what fits, takes from the largest, never below zero', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { minLength: 1, maxLength: 20 }), fc.nat(300), (counts, total) => {
        const cut = cutTo(counts, total);
        const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
        expect(sum(cut)).toBe(Math.min(sum(counts), total));
        const taken = cut.flatMap((count, i) => (count < counts[i]! ? [count] : []));
        const spared = cut.flatMap((count, i) => (count === counts[i]! ? [count] : []));
        if (taken.length > 0) expect(Math.max(0, ...spared)).toBeLessThanOrEqual(Math.min(...taken) + 1);
        expect(cut.every((count, i) => count >= 0 && count <= counts[i]!)).toBe(true);
      }),
    );
  });
});

describe('drawing prompts', () => {
  it('goes through the whole set once a pass, in an order of the seed', () => {
    const seen: string[] = [];
    let place = { pass: 0, position: 0 };
    for (let step = 0; step < 4; step++) {
      const { tasks, next } = drawPrompts(7, place, 24, [], () => false);
      seen.push(...tasks.map(({ id }) => id));
      place = next;
    }
    expect(new Set(seen).size).toBe(96);
    expect(place).toEqual({ pass: 0, position: 96 });
    const again = drawPrompts(7, { pass: 0, position: 0 }, 24, [], () => false).tasks.map(({ id }) => id);
    expect(again).toEqual(seen.slice(0, 24));
    expect(
      drawPrompts(8, { pass: 0, position: 0 }, 24, [], () => false).tasks.map(({ id }) => id),
    ).not.toEqual(again);
  });

  it('leaves out what is left out, also when that is almost everything', () => {
    const only = TRAIN_TASKS[40]!;
    const { tasks } = drawPrompts(1, { pass: 0, position: 50 }, 24, [], (task) => task !== only);
    expect(tasks).toEqual([only]);
  });
});
