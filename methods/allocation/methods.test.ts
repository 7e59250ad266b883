import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveParameters } from '../parameters';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import type { AllocationAnswer, AllocationMethod, AllocationState } from './allocator';
import { exampleParameters } from './exampleParameters';
import type { AllocationInputs, PromptInput } from './inputs';
import { isOutcomeField, missingInputs } from './inputs';
import { allocationMethodById, allocationMethods } from './methods';
import { outcomeOf, runToEnd } from './runToEnd';
import type { RolloutResult } from './runToEnd';
import type { PromptOutcome } from './outcomes';

const named = allocationMethods.map((method) => [method.id, method] as const);

/** Rates are multiples of 1/16 over 16 rollouts, as a run would record them; everything else follows from them. */
const prompt = fc
  .record({ c: fc.integer({ min: 0, max: 16 }), groups: fc.integer({ min: 0, max: 3 }) })
  .map(({ c, groups }) => promptWith(c / 16, groups));

function promptWith(rate: number, groups: number): Omit<PromptInput, 'id'> {
  const successes = Math.round(rate * 16);
  return {
    passRate: { value: rate, samples: 16 },
    initialRate: { value: rate, samples: 16 },
    history: Array.from({ length: groups }, (_, step) => ({
      step: step + 1,
      rollouts: 16,
      successes,
      meanReward: successes / 16,
      rewards: Array.from({ length: 16 }, (__, i) => (i < successes ? 1 : 0)),
    })),
    prediction: rate,
    difficultyRank: 0.99 * (1 - rate),
    domain: ['math', 'coding', 'logic'][Math.round(rate * 16) % 3]!,
    score: rate,
    embedding: [1, rate],
    gradientSpread: rate * (1 - rate),
    meanTokens: 100 + 100 * rate,
    partner: { rollouts: 16, successes: 16 - successes },
  };
}

const inputsOf = (prompts: readonly Omit<PromptInput, 'id'>[], perPrompt: number): AllocationInputs => ({
  prompts: prompts.map((input, i) => ({ id: `p${i}`, ...input })),
  budget: perPrompt * prompts.length,
  failureRate: 0.4,
  epoch: 1,
  step: 5,
  totalSteps: 20,
  entropies: [0.5, 0.45, 0.4, 0.4],
  completedByDomain: { math: 60, coding: 10, logic: 30 },
  domainWeights: { math: 0.35, coding: 0.25, logic: 0.15 },
});

const allInputs = fc
  .record({
    prompts: fc.array(prompt, { minLength: 1, maxLength: 12 }),
    perPrompt: fc.integer({ min: 16, max: 20 }),
  })
  .map(({ prompts, perPrompt }) => inputsOf(prompts, perPrompt));

/** How the i-th rollout of a prompt ends, in a way that does not depend on the order of the prompts. */
const resultOf =
  (inputs: AllocationInputs) =>
  (at: number, i: number): RolloutResult => {
    const rate = inputs.prompts[at]!.passRate?.value ?? 0.5;
    const reward = (rate * 16 + 7 * i) % 16 >= 8 ? 1 : 0;
    return {
      reward,
      answer: reward === 1 ? 'right' : `wrong ${i % 3}`,
      tokens: 100 + ((37 * i) % 90),
      ending: i % 8 === 7 ? 'aborted' : 'complete',
      prediction: rate,
    };
  };

/** Methods that refuse some inputs which nothing is wrong with, because their releases cannot go on with them. */
const MAY_REFUSE = ['knapsack-rl', 'bavt'];
/** Methods whose rounds may cost more than the budget, to fill the batch with groups that have a gradient. */
const MAY_EXCEED = ['greso', 'dapo'];

const run = (
  method: AllocationMethod,
  inputs: AllocationInputs,
  seed: number,
): AllocationAnswer[] | Refusal => {
  try {
    return runToEnd(method, inputs, Rng.from(seed), resultOf(inputs), exampleParameters(method));
  } catch (error) {
    if (error instanceof Refusal && MAY_REFUSE.includes(method.id)) return error;
    throw error;
  }
};

describe.each(named)('%s', (id, method) => {
  it('is found by its id, and its declared defaults are in range', () => {
    expect(allocationMethodById(id)).toBe(method);
    const parameters = exampleParameters(method);
    expect(resolveParameters(method.parameters, parameters)).toEqual(parameters);
    for (const parameter of method.parameters) expect(parameter.doc).toMatch(/\.$/u);
    expect(method.confidence === 'exact' ? method.source.equation + method.source.code : 'x').not.toBe('');
  });

  it('is the same for the same seed, also through JSON between the rounds', () => {
    fc.assert(
      fc.property(allInputs, fc.nat(), (inputs, seed) => {
        const once = run(method, inputs, seed);
        if (once instanceof Refusal) return;
        expect(run(method, inputs, seed)).toEqual(once);
        const through: AllocationMethod = {
          ...method,
          next: (state, outcomes) => {
            const json: unknown = JSON.parse(JSON.stringify(state));
            expect(json).toStrictEqual(state);
            return method.next(structuredClone(state), outcomes);
          },
        };
        expect(run(through, inputs, seed)).toEqual(once);
      }),
      { numRuns: 30 },
    );
  });

  it('asks only for whole, possible numbers, explains each, and keeps the total it promises', () => {
    fc.assert(
      fc.property(allInputs, fc.nat(), (inputs, seed) => {
        const answers = run(method, inputs, seed);
        if (answers instanceof Refusal) return;
        const copy = structuredClone(inputs);
        for (const { requests } of answers) {
          for (const request of requests) {
            expect(Number.isInteger(request.count) && request.count >= 0).toBe(true);
            expect(request.prompt).toBeLessThan(inputs.prompts.length);
            if (request.action === 'skip' || request.action === 'stop') expect(request.count).toBe(0);
            expect(request.rollouts?.length ?? request.count).toBe(request.count);
            expect(request.values?.length ?? request.count).toBe(request.count);
            expect(request.reason).toMatch(/^[^a-z].*\.$/u);
            expect(request.reason).not.toMatch(/NaN|undefined|Infinity/u);
            for (const value of Object.values(request.numbers)) expect(Number.isFinite(value)).toBe(true);
          }
        }
        expect(inputs).toEqual(copy);
        const asked = answers.at(-1)!.state.asked.reduce((sum, n) => sum + n, 0);
        if (method.keepsTotal) expect(asked).toBe(inputs.budget);
        if (method.family === 'water-filling' || method.family === 'skip') {
          // A choice or a price never costs more than the budget.
          if (!MAY_EXCEED.includes(id)) expect(asked).toBeLessThanOrEqual(inputs.budget);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has an answer or a reason where rewards are no 0 or 1, groups are uneven and rollouts never end', () => {
    const reward = fc.constantFrom(0, 1, 0.37, -1, 12.5);
    fc.assert(
      fc.property(
        allInputs,
        fc.array(reward, { minLength: 7, maxLength: 7 }),
        fc.nat(),
        (inputs, rewards, seed) => {
          let state: AllocationState | undefined;
          try {
            state = method.start(inputs, Rng.from(seed), exampleParameters(method));
            let outcomes: PromptOutcome[] = [];
            for (let round = 0; round < 200 && state !== undefined; round++) {
              const before: readonly number[] = state.asked;
              const answer = method.next(state, outcomes);
              for (const { reason, numbers } of answer.requests) {
                expect(reason).not.toMatch(/NaN|undefined|Infinity/u);
                for (const value of Object.values(numbers)) expect(Number.isFinite(value)).toBe(true);
              }
              for (const value of Object.values(answer.shared)) expect(Number.isFinite(value)).toBe(true);
              state = answer.done ? undefined : answer.state;
              outcomes = answer.state.asked.flatMap((asked, at) => {
                // Every third rollout of a prompt never ends.
                const ended = Array.from({ length: asked - before[at]! }, (_, i) => before[at]! + i).filter(
                  (i) => i % 3 !== at % 4,
                );
                const results = ended.map((i) => ({ ...resultOf(inputs)(at, i), reward: rewards[i % 7]! }));
                return results.length === 0 ? [] : [outcomeOf(at, results)];
              });
            }
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            expect(error.message).toMatch(/^\S+ .+\.$/u);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('says what it needs of the record before anything is launched', () => {
    const bare: AllocationInputs = { prompts: [{ id: 'a' }], budget: 16 };
    const missing = missingInputs(method.needs, bare);
    const start = () => method.start(bare, Rng.from(0), exampleParameters(method));
    if (missing.length > 0) expect(start).toThrow(missing[0]!.message);
    else expect(start().round).toBe(0);
    expect(missing.length).toBe(method.needs.filter((need) => !isOutcomeField(need)).length);
  });

  it('refuses impossible inputs, outcomes and parameters with a reason', () => {
    const good = inputsOf([promptWith(0.5, 0)], 16);
    const start = (inputs: AllocationInputs): void => {
      expect(() => method.start(inputs, Rng.from(0))).toThrow(Refusal);
    };
    start({ ...good, prompts: [] });
    start({ ...good, budget: -1 });
    start({ ...good, budget: 1.5 });
    start({ ...good, failureRate: -0.1 });
    start({ ...good, step: 0 });
    start({ ...good, entropies: [-1] });
    start({ ...good, domainWeights: { math: -1 } });
    start({ ...good, prompts: [{ id: 'a', prediction: 1.5 }] });
    start({ ...good, prompts: [{ id: 'a', difficultyRank: 1 }] });
    start({ ...good, prompts: [{ id: 'a', embedding: [0, 0] }] });
    start({
      ...good,
      prompts: [
        { id: 'a', embedding: [1, 0] },
        { id: 'b', embedding: [1] },
      ],
    });
    start({ ...good, prompts: [{ id: 'a', meanTokens: 0 }] });
    start({ ...good, prompts: [{ id: 'a', gradientSpread: Number.NaN }] });
    start({ ...good, prompts: [{ id: 'a', partner: { rollouts: 2, successes: 3 } }] });
    start({ ...good, prompts: [{ id: 'a', passRate: { value: 1.01 } }] });
    start({ ...good, prompts: [{ id: 'a', passRate: { value: Number.NaN } }] });
    start({ ...good, prompts: [{ id: 'a', passRate: { value: 0, samples: 0 } }] });
    start({
      ...good,
      prompts: [{ id: 'a', history: [{ step: 0, rollouts: 2, successes: 3, meanReward: 1 }] }],
    });
    expect(() => method.start(good, Rng.from(0), { nonsense: 1 })).toThrow(/no parameter nonsense/u);
    const state = method.start(good, Rng.from(0), exampleParameters(method));
    const outcome = outcomeOf(0, [resultOf(good)(0, 0)]);
    expect(() => method.next(state, [{ ...outcome, prompt: 1 }])).toThrow(/names prompt 1/u);
    expect(() => method.next(state, [{ ...outcome, rewards: [Number.NaN] }])).toThrow(Refusal);
    expect(() => method.next(state, [{ prompt: 0, rewards: [1, 0], successes: [true] }])).toThrow(Refusal);
    expect(() => method.next({ ...state, done: true }, [])).toThrow(/last answer/u);
    expect(() => method.next({ ...state, method: 'other' }, [])).toThrow(/started by other/u);
  });
});

describe('order of the prompts', () => {
  const independent = [
    'uniform',
    'knapsack-rl-published',
    'coba-rl',
    'dars',
    'datpo',
    'dart-gui',
    'e3',
    'v-zero',
    'v-half',
    'pilot-commit',
    'aero',
    'ar3po',
    'far',
    'bro-rl',
    'sao',
    'poise',
    'graft',
    'alp',
    'duet',
    'hbpo',
    's2l-po',
    'asc',
    'esc',
    'orchard-bar',
    'apriel-penalty',
  ];

  it.each(named.filter(([id]) => independent.includes(id)))(
    '%s does not depend on it where no gains are equal',
    (_, method) => {
      const distinct = fc.uniqueArray(fc.integer({ min: 1, max: 96 }), { minLength: 2, maxLength: 10 });
      fc.assert(
        fc.property(distinct, fc.integer({ min: 6, max: 12 }), (rates, perPrompt) => {
          const inputs = inputsOf(
            rates.map((r) => promptWith(r / 97, 1)),
            perPrompt,
          );
          const reversed = { ...inputs, prompts: [...inputs.prompts].reverse() };
          const asked = (given: AllocationInputs): readonly number[] =>
            runToEnd(method, given, Rng.from(0), resultOf(given), exampleParameters(method)).at(-1)!.state
              .asked;
          expect([...asked(reversed)].reverse()).toEqual(asked(inputs));
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe('table of allocation methods', () => {
  it('has distinct ids and lists them for an unknown one', () => {
    expect(new Set(allocationMethods.map(({ id }) => id)).size).toBe(allocationMethods.length);
    expect(() => allocationMethodById('nope')).toThrow(/Known: uniform, /u);
  });
});
