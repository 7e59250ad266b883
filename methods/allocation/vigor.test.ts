import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import { runToEnd } from './runToEnd';
import { vigor } from './vigor';

describe('VIGOR', () => {
  const cases = readVectors('allocation/vigor', {
    input: Type.Object({ reward_streams: Type.Array(Type.Array(Type.Number())) }),
    params: Type.Object({
      m0: Type.Integer(),
      rounds: Type.Integer(),
      alpha: Type.Number(),
      gamma: Type.Number(),
    }),
    output: Type.Object({
      rollouts_per_prompt: Type.Array(Type.Integer()),
      total_rollouts: Type.Integer(),
      rounds: Type.Array(Type.Object({ active: Type.Array(Type.Integer()), rollouts_each: Type.Integer() })),
      boundary_tie_in_round: Type.Array(Type.Integer()),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(31));

  it.each(cases)('$name', ({ input: { reward_streams: streams }, params, output }) => {
    const parameters = {
      firstRollouts: params.m0,
      rounds: params.rounds,
      share: params.alpha,
      growth: params.gamma,
    };
    const inputs = { prompts: streams.map((_, i) => ({ id: String(i) })), budget: 0 };
    const answers = runToEnd(vigor, inputs, Rng.from(0), (prompt, i) => streams[prompt]![i]!, parameters);
    expect(answers.map(({ shared }) => shared['rollouts'])).toEqual(
      output.rounds.map((round) => round.rollouts_each),
    );
    const asked = answers.at(-1)!.state.asked;
    // Where a tie decides who goes on, only the total is the rule's.
    expect(asked.reduce((sum, n) => sum + n, 0)).toBe(output.total_rollouts);
    if (output.boundary_tie_in_round.length > 0) return;
    expect(asked).toEqual(output.rollouts_per_prompt);
    answers.forEach(({ requests }, round) =>
      expect(requests.filter(({ count }) => count > 0).map(({ prompt }) => prompt)).toEqual(
        output.rounds[round]!.active,
      ),
    );
  });

  it('spends as much as GRPO with 8 rollouts on 8 prompts: {2, 2, 2, 2, 6, 6, 14, 30}', () => {
    const inputs = { prompts: Array.from({ length: 8 }, (_, i) => ({ id: String(i) })), budget: 0 };
    const answers = runToEnd(vigor, inputs, Rng.from(0), (prompt, i) => (prompt < 5 ? i % 2 : 1));
    const asked = [...answers.at(-1)!.state.asked].sort((a, b) => a - b);
    expect(asked).toEqual([2, 2, 2, 2, 6, 6, 14, 30]);
    expect(answers[1]!.requests.find(({ count }) => count > 0)!.reason).toMatch(
      /^Round 2: reward variance 0\.25, rank \d of 8; the first 4 go on/u,
    );
  });
});
