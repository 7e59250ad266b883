import { counted } from '../figures';
import { numberOf, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest } from './allocator';

const groupSize = rolloutsParameter(
  'groupSize',
  16,
  16,
  'Rollouts of every prompt (n); a rest modulo 8 is lost, and below 16 the release does not work.',
);

/** Lengths that the prompt asks for, tokens, each in two prefixes of the release. */
export const HBPO_BUDGETS: readonly number[] = [512, 1024, 2048, 2560];
const PREFIXES = 2 * HBPO_BUDGETS.length;

/** Rollouts for each budget, and what is lost of n: two prefixes a budget, ⌊n / 8⌋ rollouts a prefix. */
export function hbpoCounts(n: number): { readonly perBudget: number; readonly lost: number } {
  const perPrefix = Math.floor(n / PREFIXES);
  return { perBudget: 2 * perPrefix, lost: n - PREFIXES * perPrefix };
}

/**
 * Advantages of one group as released: (r − mean) / (standard deviation over n − 1 + epsilon), plus twice the mean
 * reward of the rollout's budget less 4 cos(3.1416 · budget / 8192); the second addition stands outside the branch it
 * was meant for. Double precision, where the release computes in single. Throws a Refusal for a group of one, whose
 * advantage there depends on the rollout before it.
 */
export function hbpoAdvantages(
  rewards: readonly number[],
  budgets: readonly number[],
  epsilon = 1e-6,
): number[] {
  const n = rewards.length;
  if (n < 2) throw new Refusal('bad-count', 'HBPO has no advantage for a group of one rollout.');
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / n;
  const deviation = Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (n - 1));
  const ofBudget = (budget: number): number => {
    const own = rewards.filter((_, i) => budgets[i] === budget);
    return own.reduce((sum, reward) => sum + reward, 0) / own.length - 4 * Math.cos((3.1416 * budget) / 8192);
  };
  const terms = new Map([...new Set(budgets)].map((budget) => [budget, ofBudget(budget)]));
  return rewards.map((reward, i) => (reward - mean) / (deviation + epsilon) + 2 * terms.get(budgets[i]!)!);
}

/**
 * HBPO: every prompt gets n rollouts, in equal parts with four lengths that the prompt asks for (release of
 * ZJU-REAL/HBPO). `inputs.budget` is not read. The piecewise reward of the paper is left out: it was not read.
 */
export const hbpo = allocationMethod({
  id: 'hbpo',
  title: 'HBPO',
  summary: 'The same rollouts for every prompt, in equal parts asked to be short, medium or long.',
  family: 'bounds',
  confidence: 'exact',
  source: {
    paper: '',
    equation: 'hierarchical budget exploration',
    code: 'ZJU-REAL/HBPO:verl/workers/rollout/vllm_rollout/vllm_rollout_spmd-hierarchical.py',
    commit: '5c8991d664',
  },
  parameters: [groupSize],
  keepsTotal: false,
  needs: [],
  uses: [],
  caveats: ['Only the allocation is offered: the piecewise reward of the paper was not read.'],
  decide: ({ inputs, parameters }) => {
    const size = numberOf(parameters, groupSize);
    const { perBudget, lost } = hbpoCounts(size);
    return {
      done: true,
      shared: { groupSize: size, perBudget, lost },
      ...(lost > 0
        ? {
            remark: `${counted(lost, 'rollout')} of ${size} are lost for each prompt, because ${size} is no multiple of 8.`,
          }
        : {}),
      requests: inputs.prompts.flatMap((_, prompt) =>
        HBPO_BUDGETS.map((budget): AllocationRequest => ({
          prompt,
          action: 'launch',
          count: perBudget,
          settings: { askedTokens: budget },
          reasonCode: 'by-budget',
          reason: `2 prefixes of ${PREFIXES} ask for ${budget} tokens: 2 · ⌊${size} / ${PREFIXES}⌋ = ${counted(perBudget, 'rollout')}.`,
          numbers: { askedTokens: budget },
        })),
      ),
    };
  },
});
