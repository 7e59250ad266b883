import { figure } from '../figures';
import { numberOf, numberParameter } from '../parameters';
import { allocationMethod } from './allocator';
import { chosenAndSkipped, groupSize, groupsIn, leastScores } from './choice';
import { dpsBelief, dpsScore } from './dpsBelief';

const decay = numberParameter(
  'decay',
  0.7,
  [0, 1],
  'What stays of the transition counts after a step; the rest falls back to the prior. The configuration’s default is 1, the published script uses 0.7.',
);
const prior = numberParameter('prior', 1, [1e-6, 1e6], 'Prior count of every transition between states.');
const entropyWeight = numberParameter(
  'entropyWeight',
  0,
  [0, 1000],
  'Weight of the entropy of the belief in the score; 0 is the plain choice by the belief in partly solved.',
);

/**
 * DPS: a hidden Markov model of each prompt (never, partly, always solved) with Dirichlet counts for its transitions;
 * the prompts most believed to be partly solved are taken (arXiv 2603.10887; recipe/dps/task_sampler.py). Beliefs are
 * recomputed from the recorded groups; steps without a group are updates without an observation. Equal scores go to
 * the lower index, where the release does not define an order.
 */
export const dps = allocationMethod({
  id: 'dps',
  title: 'DPS',
  summary: 'Chooses the prompts that a hidden Markov model of their past believes to be partly solved.',
  family: 'skip',
  confidence: 'exact',
  source: {
    paper: 'arXiv 2603.10887',
    equation: 'dynamics-predictive sampling',
    code: 'maoyixiu/DPS:recipe/dps/task_sampler.py:BayesianHMMSampler',
    commit: '5654d52841',
  },
  parameters: [groupSize, decay, prior, entropyWeight],
  keepsTotal: false,
  needs: ['history'],
  uses: ['step'],
  caveats: [
    'Only the uniform prior over states is offered: with another, the steps in which a prompt was a candidate would have to be recorded.',
    'Where the number of the step is not recorded, this step is taken to follow the newest group of all prompts.',
  ],
  decide: ({ inputs, parameters }) => {
    const size = numberOf(parameters, groupSize);
    const groups = groupsIn(inputs.budget, size);
    const keep = numberOf(parameters, decay);
    const alpha = numberOf(parameters, prior);
    const weight = numberOf(parameters, entropyWeight);
    const newest = inputs.prompts.reduce(
      (last, { history = [] }) => Math.max(last, history.at(-1)?.step ?? 0),
      0,
    );
    const step = inputs.step ?? newest + 1;
    const beliefs = inputs.prompts.map(({ history = [] }) => dpsBelief(history, step, alpha, keep));
    const scores = beliefs.map((belief) => dpsScore(belief, weight));
    const ranked = leastScores(
      scores.map((score) => -score),
      scores.length,
    );
    const rank = new Array<number>(ranked.length).fill(0);
    ranked.forEach((prompt, i) => (rank[prompt] = i + 1));
    const chosen = new Set(ranked.slice(0, groups));
    return {
      done: true,
      shared: { groups: chosen.size, groupSize: size, candidates: scores.length, step },
      requests: chosenAndSkipped(scores.length, chosen, size, (prompt, taken) => {
        const [never, partly, always] = beliefs[prompt]!.now;
        const score = scores[prompt]!;
        const seen = inputs.prompts[prompt]!.history?.length === 0 ? 'Never sampled: believed' : 'Believed';
        const bonus = weight > 0 ? `, score ${figure(score)} with the entropy` : '';
        return {
          reason:
            `${seen} to be partly solved with ${figure(partly)} (never ${figure(never)}, always ${figure(always)})${bonus}, ` +
            `rank ${rank[prompt]!} of ${scores.length}: ${taken ? 'among' : 'not among'} the ${chosen.size} taken.`,
          numbers: { never, partly, always, score, rank: rank[prompt]! },
        };
      }),
    };
  },
});
