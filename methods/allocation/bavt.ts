import { sampleIndex } from '../distributions';
import { counted, figure } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const whole = rolloutsParameter(
  'wholeBudget',
  10,
  1,
  'Steps that the whole search may take; the step’s budget is what is left of them. Published: 5, 10 and 20 tool calls.',
);

/**
 * Probability of each node, proportional to V^(1/r) with r the share of the budget that is left: even at first, greedy at
 * the end. Worked out from logarithms, so that small r stay exact. Values must lie above 0.
 */
export function bavtProbabilities(values: readonly number[], left: number): number[] {
  const powers = values.map((value) => Math.log(value) / left);
  const greatest = powers.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = powers.map((power) => Math.exp(power - greatest));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * BAVT: the next node to go on from is drawn with probability proportional to V^(1/r), V its value and r the share of the
 * budget that is left (arXiv 2603.12634, from a third-party reading note). `inputs.prompts` are the open nodes with
 * their values as `score`, `inputs.budget` the steps that are left; one answer draws one node.
 *
 * Reconstructed; how budgets of tool calls and tokens are combined was not read, one budget is taken here. The critic
 * that gives the values, and the pruning by their change, are the job's affair. Throws a Refusal if nothing is left, or
 * if a value does not lie in 0 .. 1, 0 excluded.
 */
export const bavt = allocationMethod({
  id: 'bavt',
  title: 'BAVT',
  summary: 'Draws the next node to go on from by its value, the more greedily the less budget is left.',
  family: 'search',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2603.12634', equation: 'node selection', code: '', commit: '' },
  parameters: [whole],
  keepsTotal: false,
  caveats: [
    'Read in a third-party note of part of the paper.',
    'How budgets of tool calls and of tokens are combined was not read: one budget is taken.',
  ],
  needs: ['score'],
  uses: [],
  decide: ({ inputs, parameters, rng }) => {
    const values = inputs.prompts.map(({ score }) => score!);
    const bad = values.findIndex((value) => !(value > 0 && value <= 1));
    if (bad >= 0) {
      throw new Refusal(
        'bad-rate',
        `${inputs.prompts[bad]!.id} has a value of ${values[bad]!}; values lie between 0 and 1, 0 excluded.`,
        [bad],
      );
    }
    if (inputs.budget === 0) {
      throw new Refusal('bad-budget', 'Nothing of the budget is left, so no node can be gone on from.');
    }
    const total = numberOf(parameters, whole);
    const left = Math.min(1, inputs.budget / total);
    const probabilities = bavtProbabilities(values, left);
    const drawn = sampleIndex(rng, probabilities);
    return {
      done: true,
      shared: { left, wholeBudget: total, drawn },
      requests: values.map((value, prompt): AllocationRequest => {
        const probability = probabilities[prompt]!;
        const count = prompt === drawn ? 1 : 0;
        return {
          prompt,
          action: 'fork',
          count,
          reasonCode: count === 1 ? 'drawn' : 'not-drawn',
          reason:
            `With ${inputs.budget} of ${counted(total, 'step')} left, ${figure(value)}^${figure(1 / left)} makes a probability of ` +
            `${figure(probability)}; ${count === 1 ? 'it was drawn' : 'another was drawn'}.`,
          numbers: { value, probability },
        };
      }),
    };
  },
});
