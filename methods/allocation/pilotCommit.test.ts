import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../../test/vectors/readVectors';
import { Rng } from '../random';
import type { Memory } from './inputs';
import { pilotCommit } from './pilotCommit';
import { runToEnd } from './runToEnd';

const run = (successes: readonly number[], parameters: Record<string, number>, memory?: Memory) =>
  runToEnd(
    pilotCommit,
    {
      prompts: successes.map((_, i) => ({ id: `p${i}` })),
      budget: 0,
      ...(memory === undefined ? {} : { memory }),
    },
    Rng.from(0),
    (prompt, i) => (i < successes[prompt]! ? 1 : 0),
    parameters,
  );

describe('Pilot-Commit', () => {
  const cases = readVectors('allocation/pilot_commit', {
    input: Type.Object({ pilot_successes: Type.Array(Type.Integer()) }),
    params: Type.Object({
      n_pilot: Type.Integer(),
      n_commit: Type.Integer(),
      upper: Type.Number(),
      lower: Type.Number(),
    }),
    output: Type.Object({
      decisions: Type.Array(Type.String()),
      pilot_rollouts: Type.Integer(),
      commit_rollouts: Type.Integer(),
      committed: Type.Integer(),
    }),
  });

  it('has all vectors', () => expect(cases.length).toBe(34));

  it.each(cases)('$name', ({ input: { pilot_successes: successes }, params, output }) => {
    const [pilots, verdicts] = run(successes, {
      pilot: params.n_pilot,
      commit: params.n_commit,
      upper: params.upper,
      lower: params.lower,
    });
    expect(verdicts!.requests.map(({ reasonCode }) => reasonCode)).toEqual(output.decisions);
    const count = (answer: typeof pilots): number =>
      answer!.requests.reduce((sum, { action, count: n }) => sum + (action === 'launch' ? n : 0), 0);
    expect(count(pilots)).toBe(output.pilot_rollouts);
    expect(count(verdicts)).toBe(output.commit_rollouts);
    expect(verdicts!.shared['committed']).toBe(output.committed);
  });

  it('commits to 6 of 12 candidates, bounds included, and never samples the one that always succeeds again', () => {
    const answers = run([0, 1, 2, 4, 8, 12, 13, 16, 3, 15, 1, 6], {});
    expect(answers[0]!.state.asked.reduce((a, b) => a + b, 0)).toBe(192);
    const { asked } = answers[1]!.state;
    expect(asked.filter((count) => count === 64)).toHaveLength(6);
    const carry = answers[1]!.carry!;
    expect(carry).toEqual({ 'evicted p7': true });
    expect(answers[1]!.requests[7]!.reason).toBe(
      '16 of 16 pilot rollouts succeeded (1), none failed: it is evicted for good; its pilots are not trained on.',
    );
    const later = run([8, 8, 8, 8, 8, 8, 8, 8], {}, carry);
    expect(later[0]!.requests[7]).toMatchObject({ action: 'skip', reasonCode: 'evicted' });
    expect(later[1]!.carry).toEqual(carry);
  });

  it('judges each prompt by itself', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(16), { minLength: 1, maxLength: 10 }), (successes) => {
        const counts = (given: readonly number[]) => run(given, {}).at(-1)!.state.asked;
        expect(counts(successes)).toEqual(successes.map((c) => counts([c])[0]));
      }),
    );
  });

  it('adds none where no pilot ended, and is done where all are evicted', () => {
    const inputs = { prompts: [{ id: 'a' }], budget: 0 };
    const first = pilotCommit.next(pilotCommit.start(inputs, Rng.from(0)), []);
    expect(pilotCommit.next(first.state, []).requests[0]!.reasonCode).toBe('nothing-finished');
    const gone = pilotCommit.start({ ...inputs, memory: { 'evicted a': true } }, Rng.from(0));
    expect(pilotCommit.next(gone, []).done).toBe(true);
  });
});
