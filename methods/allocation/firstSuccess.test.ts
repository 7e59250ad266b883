import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rng } from '../random';
import { aero, aeroRejects } from './aero';
import { ar3po } from './ar3po';
import { far } from './far';
import { runToEnd } from './runToEnd';
import type { AllocationMethod } from './allocator';
import type { Parameters } from '../parameters';

/** Rollouts asked of prompts whose first success is the given one, counted from 1; 0: never. */
function run(method: AllocationMethod, firsts: readonly number[], budget: number, parameters: Parameters) {
  const prompts = firsts.map((_, i) => ({
    id: String(i),
    history: [{ step: 3, rollouts: 8, successes: 1, meanReward: 1 / 8 }],
  }));
  const answers = runToEnd(
    method,
    { prompts, budget },
    Rng.from(0),
    (prompt, i) => (i + 1 === firsts[prompt] ? 1 : 0),
    parameters,
  );
  return { asked: answers.at(-1)!.state.asked, last: answers.at(-1)!, answers };
}

const firsts = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 });

describe('AERO', () => {
  const parameters = { explore: 4, wrongPerRight: 2 };

  it('rescues until the pair that holds the first success, 10 rollouts, or to the end, 16', () => {
    const { asked, answers } = run(aero, [9, 0, 1], 48, parameters);
    expect(asked).toEqual([10, 16, 4]);
    expect(answers[1]!.requests[0]!.reason).toBe(
      '0 of 4 rollouts succeeded: 2 more rollouts, until the first success or 16 in all.',
    );
  });

  it('keeps 1 right and 2 of 3 wrong of 1 in 4, and leaves 3 in 4 as they are', () => {
    const streams = [
      [0, 1, 0, 0],
      [1, 1, 1, 0],
    ];
    const inputs = { prompts: [{ id: 'a' }, { id: 'b' }], budget: 32 };
    const answers = runToEnd(aero, inputs, Rng.from(0), (prompt, i) => streams[prompt]![i]!, parameters);
    expect(answers.at(-1)!.requests).toMatchObject([{ prompt: 0, action: 'drop', count: 1 }]);
    expect([0, 2, 3]).toContain(answers.at(-1)!.requests[0]!.rollouts?.[0]);
  });

  it('draws the wrong ones it leaves out, never a right one, as many as k allows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        (successes, k) => {
          const out = aeroRejects(successes, k, Rng.from(1));
          const right = successes.filter(Boolean).length;
          expect(out.every((i) => successes[i] === false)).toBe(true);
          expect(new Set(out).size).toBe(out.length);
          expect(out.length).toBe(Math.max(0, successes.length - right - k * right));
        },
      ),
    );
  });

  it('asks for no more than a prompt’s budget', () => {
    fc.assert(
      fc.property(firsts, fc.integer({ min: 4, max: 16 }), (given, each) => {
        const { asked } = run(aero, given, each * given.length, parameters);
        asked.forEach((count, i) => {
          const first = given[i]!;
          const until = first === 0 ? Infinity : first <= 4 ? 4 : 4 + 2 * Math.ceil((first - 4) / 2);
          expect(count).toBe(Math.min(each, until));
        });
      }),
    );
  });

  it('refuses a budget that does not pay for the exploration, and asks for what is not published', () => {
    expect(() => run(aero, [1], 3, parameters)).toThrow(/3 rollouts for each prompt do not pay for 4/u);
    expect(() => run(aero, [1], 16, {})).toThrow(/explore has no published value/u);
  });
});

describe('AR3PO', () => {
  const parameters = { stages: 4, perStage: 4 };

  it('samples 4, 8, 16, and 16 with one stored success, by where the first success is', () => {
    const { asked, last } = run(ar3po, [2, 6, 15, 0], 0, parameters);
    expect(asked).toEqual([4, 8, 16, 16]);
    expect(last.requests).toMatchObject([{ prompt: 3, action: 'replay', count: 1, from: 3 }]);
    expect(last.requests[0]!.reason).toBe(
      'No success in 16 rollouts: one stored success of step 3 joins its group.',
    );
  });

  it('asks stage by stage until the first success', () => {
    fc.assert(
      fc.property(firsts, (given) => {
        const { asked } = run(ar3po, given, 0, parameters);
        expect(asked).toEqual(
          given.map((first) => (first === 0 || first > 12 ? 16 : 4 * Math.ceil(first / 4))),
        );
      }),
    );
  });

  it('replays nothing where no success is stored', () => {
    const answers = runToEnd(ar3po, { prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0), () => 0, parameters);
    expect(answers.at(-1)!.requests).toEqual([]);
  });
});

describe('FAR', () => {
  it('adds 5 to 0/8 whose 13th succeeds, none to a mixed and none to a solved group', () => {
    const streams = [(i: number) => i === 12, (i: number) => i < 3, () => true];
    const inputs = { prompts: streams.map((_, i) => ({ id: String(i) })), budget: 0 };
    const answers = runToEnd(far, inputs, Rng.from(0), (prompt, i) => (streams[prompt]!(i) ? 1 : 0), {
      groupSize: 8,
      extra: 8,
    });
    expect(answers.at(-1)!.state.asked).toEqual([13, 8, 8]);
    expect(answers[1]!.requests[0]!.reason).toBe(
      'No success in 8 rollouts: one more, until the first success or 16 in all.',
    );
  });

  it('stops at the first success or the most', () => {
    fc.assert(
      fc.property(firsts, fc.nat(10), (given, extra) => {
        const { asked } = run(far, given, 0, { groupSize: 4, extra });
        expect(asked).toEqual(
          given.map((first) => Math.min(4 + extra, first === 0 ? Infinity : Math.max(4, first))),
        );
      }),
    );
  });
});
