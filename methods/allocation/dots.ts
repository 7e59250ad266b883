import { shuffled } from '../distributions';
import { counted, figure } from '../figures';
import { integerParameter, numberOf, numberParameter } from '../parameters';
import type { Rng } from '../random';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';
import { chosenAndSkipped, groupSize, groupsIn, leastScores } from './choice';
import { dotsBuffer, dotsReplayable, dotsReplayCount } from './dotsReplay';

const target = numberParameter('target', 0.5, [0, 1], 'Success probability that is wanted (alpha).');
const temperature = numberParameter(
  'temperature',
  1e-3,
  [1e-6, 100],
  'Temperature of the choice (tau): near 0 it is greedy.',
);
const fresh = numberParameter(
  'fresh',
  0.5,
  [0, 1],
  'Share of the batch that is sampled anew (sigma); the rest is replayed.',
);
const buffer = integerParameter(
  'buffer',
  512,
  [1, 1_000_000],
  'Groups that the replay buffer holds.',
  'groups',
);

/** Logits −|prediction − target| / temperature; their softmax is the probability of the first draw. */
export function dotsLogits(predictions: readonly number[], wanted: number, tau: number): number[] {
  return predictions.map((prediction) => -Math.abs(prediction - wanted) / tau);
}

export function softmax(logits: readonly number[]): number[] {
  const top = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const weights = logits.map((logit) => Math.exp(logit - top));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Prompts to draw for `steps` training steps; in the first round nothing is replayed, so the share is left out. */
export function dotsDraws(
  { batch, fresh: share, steps }: { readonly batch: number; readonly fresh: number; readonly steps: number },
  firstRound: boolean,
): number {
  return Math.trunc(firstRound ? steps * batch : steps * batch * share);
}

/**
 * `count` indices drawn one after the other without replacement, with probabilities proportional to exp(logit): the
 * greatest of logit + Gumbel noise (Kool et al., "Stochastic beams and where to find them", arXiv 1903.06059). Exact
 * also where the probabilities lie below the smallest double.
 */
export function drawByLogits(rng: Rng, logits: readonly number[], count: number): number[] {
  return leastScores(
    logits.map((logit) => Math.log(-Math.log(1 - rng.float())) - logit),
    count,
  );
}

/**
 * DOTS with rollout replay: prompts are drawn without replacement with probability softmax(−|prediction − alpha| /
 * tau); (1 − sigma) of the batch are replayed groups, drawn uniformly from the newest mixed group of each prompt in the
 * buffer (arXiv 2506.05316 and its release). The predicted success probability comes from the record: the release
 * makes it by attention over reference prompts, with a trained adapter. The buffer is rebuilt from the recorded groups
 * of the given prompts.
 */
export const dots = allocationMethod({
  id: 'dots',
  title: 'DOTS + replay',
  summary:
    'Draws prompts whose predicted success is near one half, and fills up the batch with replayed groups.',
  family: 'skip',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2506.05316',
    equation: 'difficulty-targeted online data selection, rollout replay',
    code: 'ASTRAL-Group/data-efficient-llm-rl:rl_training/verl/verl/trainer/ppo/ray_trainer.py:fit, select_buffer',
    commit: '59df9187b7',
  },
  parameters: [groupSize, target, temperature, fresh, buffer],
  keepsTotal: false,
  needs: ['prediction'],
  uses: ['history'],
  caveats: [
    'The release draws for two steps at once; here each step draws for itself.',
    'The shown probability holds for the first draw: later draws are without replacement.',
    'Only groups of the given prompts can be replayed.',
  ],
  decide: ({ inputs, parameters, rng }) => {
    const size = numberOf(parameters, groupSize);
    const sizes = {
      batch: groupsIn(inputs.budget, size),
      fresh: numberOf(parameters, fresh),
      buffer: numberOf(parameters, buffer),
    };
    const firstRound = inputs.prompts.every(({ history = [] }) => history.length === 0);
    const wanted = numberOf(parameters, target);
    const logits = dotsLogits(
      inputs.prompts.map(({ prediction }) => prediction!),
      wanted,
      numberOf(parameters, temperature),
    );
    const probabilities = softmax(logits);
    const chosen = new Set(drawByLogits(rng, logits, dotsDraws({ ...sizes, steps: 1 }, firstRound)));
    const replayable = dotsReplayable(dotsBuffer(inputs.prompts, sizes));
    const replayed = firstRound
      ? []
      : shuffled(
          rng,
          replayable.map((_, i) => i),
        )
          .slice(0, dotsReplayCount(sizes))
          .sort((a, b) => a - b)
          .map((i) => replayable[i]!);
    return {
      done: true,
      shared: {
        batch: sizes.batch,
        fresh: chosen.size,
        replayed: replayed.length,
        replayable: replayable.length,
        candidates: logits.length,
      },
      requests: [
        ...chosenAndSkipped(logits.length, chosen, size, (prompt, taken) => {
          const prediction = inputs.prompts[prompt]!.prediction!;
          const distance = Math.abs(prediction - wanted);
          const probability = probabilities[prompt]!;
          return {
            reason:
              `Predicted success ${figure(prediction)} lies ${figure(distance)} from ${figure(wanted)}: drawn first with probability ` +
              `${figure(probability)}; ${taken ? 'among' : 'not among'} the ${chosen.size} drawn of ${logits.length}.`,
            numbers: { prediction, distance, probability },
          };
        }),
        ...replayed.map(({ prompt, group }): AllocationRequest => ({
          prompt,
          action: 'replay',
          count: group.rollouts,
          from: group.step,
          reasonCode: 'replayed',
          reason:
            `Its group of step ${group.step}, with a mean reward of ${figure(group.meanReward)}, is one of ${counted(replayed.length, 'group')} ` +
            `drawn from ${replayable.length} in the buffer.`,
          numbers: { step: group.step, meanReward: group.meanReward },
        })),
      ],
    };
  },
});
