import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { AllocationAnswer } from './allocator';
import { cobaRlReleased } from './cobaRlReleased';
import type { PastGroup, PromptInput } from './inputs';

const history = (...groups: readonly (readonly [number, number])[]): PastGroup[] =>
  groups.map(([successes, rollouts], i) => ({
    step: i + 1,
    rollouts,
    successes,
    meanReward: successes / rollouts,
  }));
const run = (
  prompts: readonly PromptInput[],
  budget: number,
  failureRate?: number,
  parameters = {},
): AllocationAnswer =>
  cobaRlReleased.next(
    cobaRlReleased.start(
      { prompts, budget, ...(failureRate === undefined ? {} : { failureRate }) },
      Rng.from(0),
      parameters,
    ),
    [],
  );
const counts = ({ requests }: AllocationAnswer): number[] => requests.map(({ count }) => count);

describe('CoBA-RL (as released)', () => {
  const triple = Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer()]);
  const cases = readVectors('allocation/coba_rl_code', {
    input: Type.Object({
      history: Type.Array(Type.Array(triple)),
      batch_prompts: Type.Array(Type.Integer()),
    }),
    params: Type.Object({
      budget_rollouts: Type.Integer(),
      n_low: Type.Integer(),
      n_up: Type.Integer(),
      sliding_window_size: Type.Integer(),
      smoothing_factor: Type.Number(),
      tau_min: Type.Number(),
      tau_max: Type.Number(),
      var_max: Type.Number(),
      exploration_budget_ratio: Type.Number(),
      remaining_budget_method: Type.String(),
      weight_alpha: Type.Number(),
      beta_params_sum: Type.Number(),
    }),
    output: Type.Object({
      allocation: Type.Array(Type.Integer()),
      beta_a: Type.Number(),
      beta_b: Type.Number(),
      tau: Type.Union([Type.Number(), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(35));

  it.each(cases)('$name', ({ input, params, output }) => {
    const prompts = input.batch_prompts.map((id, i) => ({
      id: String(i),
      history: history(
        ...input.history.flatMap((step) =>
          step.flatMap(([prompt, c, n]) => (prompt === id ? [[c, n] as const] : [])),
        ),
      ),
    }));
    const failures = input.history
      .filter((step) => step.length > 0)
      .map((step) => 1 - step.reduce((sum, [, c, n]) => sum + c / n, 0) / step.length)
      .slice(-params.sliding_window_size);
    const failureRate =
      failures.length === 0 ? undefined : failures.reduce((a, b) => a + b, 0) / failures.length;
    const found = run(prompts, params.budget_rollouts, failureRate, {
      least: params.n_low,
      most: params.n_up,
      window: params.sliding_window_size,
      smoothing: params.smoothing_factor,
      tauLeast: params.tau_min,
      tauMost: params.tau_max,
      varianceMost: params.var_max,
      explorationShare: params.exploration_budget_ratio,
      rest: params.remaining_budget_method,
      hardness: params.weight_alpha,
      kappa: params.beta_params_sum,
    });
    expect(counts(found)).toEqual(output.allocation);
    if (found.shared['a'] !== undefined) {
      expect(found.shared['a']).toBeCloseTo(output.beta_a, 10);
      expect(found.shared['b']).toBeCloseTo(output.beta_b, 10);
    }
    if (found.shared['tau'] !== undefined) expect(found.shared['tau']).toBeCloseTo(output.tau!, 10);
  });

  it('says what it gave by value and of the rest', () => {
    const prompts = [history([0, 8]), history([4, 8]), history([8, 8]), history([2, 8])].map((past, i) => ({
      id: String(i),
      history: past,
    }));
    const { requests } = run(prompts, 32, 0.5);
    expect(requests.map(({ reasonCode }) => reasonCode)).toEqual(['hard', 'between', 'easy', 'between']);
    expect(requests[0]!.reason).toMatch(/^Pass rate 0: 2 as the least, \d+ of the rest: \d+ rollouts\.$/u);
    expect(requests[1]!.reason).toMatch(/^Pass rate 0\.5: 2 as the least, \d+ by value \(the /u);
  });

  it('splits evenly where nothing is known, and where the budget is below the minima', () => {
    expect(
      counts(
        run(
          [
            { id: 'a', history: [] },
            { id: 'b', history: [] },
          ],
          5,
        ),
      ),
    ).toEqual([3, 2]);
    expect(run([{ id: 'a', history: history([1, 2]) }], 1).requests[0]!.reasonCode).toBe('even-split');
  });

  it('says what stays unspent, and keeps the bounds', () => {
    const prompt = fc.array(fc.tuple(fc.nat({ max: 8 }), fc.constant(8)), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(prompt, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 2, max: 40 }),
        (groups, each) => {
          const prompts = groups.map((past, i) => ({ id: String(i), history: history(...past) }));
          const budget = each * prompts.length;
          const found = run(prompts, budget, 0.4, { most: 16 });
          const sum = counts(found).reduce((a, b) => a + b, 0);
          if (found.requests[0]!.reasonCode === 'even-split') expect(sum).toBe(budget);
          else {
            expect(sum + found.shared['unspent']!).toBe(budget);
            expect(found.remark !== undefined).toBe(sum < budget);
            for (const count of counts(found)) expect(count >= 2 && count <= 16).toBe(true);
          }
        },
      ),
    );
  });
});
