import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { datpoCounts } from '../branching/datpoCounts';
import { Rng } from '../random';
import { datpo } from './datpo';
import { runToEnd } from './runToEnd';

describe('DATPO counts per prompt', () => {
  const cases = readVectors('allocation/datpo', {
    input: Type.Object({ root_successes: Type.Array(Type.Integer()) }),
    params: Type.Object({
      root_rollouts: Type.Integer(),
      max_forks: Type.Integer(),
      max_branches: Type.Integer(),
      max_rounds: Type.Integer(),
      adaptive: Type.Boolean(),
    }),
    output: Type.Object({
      forks_per_root_rollout: Type.Array(Type.Integer()),
      branches_per_fork: Type.Array(Type.Integer()),
      max_leaves: Type.Union([Type.Array(Type.Integer()), Type.Null()]),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(35));

  it.each(cases)('$name', ({ input: { root_successes: successes }, params, output }) => {
    successes.forEach((c, i) => {
      const outcomes = Array.from({ length: params.root_rollouts }, (_, j) => (j < c ? 1 : 0));
      const found = datpoCounts(outcomes, {
        mostForks: params.max_forks,
        mostBranches: params.max_branches,
        adaptive: params.adaptive,
      });
      expect([found.forks, found.branches]).toEqual([
        output.forks_per_root_rollout[i],
        output.branches_per_fork[i],
      ]);
      // Further rounds of expansion, or none at all, are not offered.
      if (params.max_rounds === 1) expect(found.mostLeaves).toBe(output.max_leaves![i]);
    });
  });
});

describe('DATPO allocation', () => {
  it('gives the worked example: 8, 20, 40 and 52 rollouts with 3, 2, 1 and 0 of 4 right', () => {
    const inputs = { prompts: [4, 3, 2, 1, 0].map((c) => ({ id: String(c) })), budget: 0 };
    const [roots, forks] = runToEnd(datpo, inputs, Rng.from(0), (prompt, i) => (i < 4 - prompt ? 1 : 0));
    expect(roots!.requests.every(({ action, count }) => action === 'launch' && count === 4)).toBe(true);
    expect(forks!.state.asked).toEqual([4, 8, 20, 40, 52]);
    expect(forks!.requests[0]!.reason).toBe('All 4 root rollouts succeeded: no fork.');
    expect(forks!.requests[2]!.reason).toBe(
      'At a pass rate of 0.5: ⌈3 · 0.5⌉ = 2 fork points in each of 4 root rollouts, ⌈4 · 0.5⌉ = 2 continuations at each: 16.',
    );
  });

  it('goes by success where the job sends it, and refuses rewards that are no share', () => {
    const first = datpo.next(datpo.start({ prompts: [{ id: 'a' }], budget: 0 }, Rng.from(0)), []);
    const outcome = { prompt: 0, rewards: [1.2, 1.2, -0.5, -0.5] };
    const flagged = datpo.next(first.state, [{ ...outcome, successes: [true, true, false, false] }]);
    expect(flagged.requests[0]!.count).toBe(16);
    expect(() => datpo.next(first.state, [{ ...outcome, successes: [] }])).toThrow(/between 0 and 1/u);
    expect(datpo.next(first.state, []).requests[0]!.reasonCode).toBe('nothing-finished');
  });
});
