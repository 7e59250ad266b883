import { counted, figure } from '../figures';
import { numberOf, numberParameter, rolloutsParameter } from '../parameters';
import { Refusal } from '../refusal';
import { allocationMethod } from './allocator';
import type { AllocationRequest, RoundView } from './allocator';
import { twoSidedT } from './studentT';
import { fillByGain } from './waterFilling';

const first = rolloutsParameter(
  'firstRollouts',
  undefined,
  2,
  'Rollouts of every prompt before the first hand-out; two are the fewest that have an interval.',
);
const perRound = rolloutsParameter(
  'perRound',
  undefined,
  1,
  'Rollouts handed out between two looks at the rewards.',
);
const level = numberParameter(
  'level',
  0.05,
  [1e-6, 1],
  'One minus the confidence of the interval of the mean reward (a). From a third-party file.',
);
const bonus = numberParameter(
  'bonus',
  0.1,
  [0, 1000],
  'Weight of the bonus for prompts with few rollouts (lambda). From a third-party file.',
);
const examples = rolloutsParameter(
  'examples',
  2,
  0,
  'Solved examples that the context of further rollouts starts with where every reward so far is 0 or less (K).',
);

/** Mean reward of a prompt so far, with what one more rollout promises. */
export interface XrpoPriority {
  /** Half width of the t interval of the mean, and by how much one more rollout would shrink it at the same spread. */
  readonly halfWidth: number;
  readonly reduction: number;
  readonly bonus: number;
  readonly priority: number;
}

export interface XrpoSettings {
  readonly level: number;
  readonly bonus: number;
  /** Rollouts of the step so far, of all prompts. */
  readonly total: number;
}

/** Standard deviation over n − 1; NaN below two rewards. */
export function sampleDeviation(rewards: readonly number[]): number {
  const n = rewards.length;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / n;
  return Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (n - 1));
}

/** t quantiles by degrees of freedom at one level: a hand-out asks for the same few again and again. */
export function tQuantiles(a: number): (freedom: number) => number {
  const known = new Map<number, number>();
  return (freedom) => {
    const before = known.get(freedom);
    if (before !== undefined) return before;
    const value = twoSidedT(a, freedom);
    known.set(freedom, value);
    return value;
  };
}

/**
 * Priority of one more rollout after n ≥ 2 with this sample deviation: h(n) − h(n+1) + λ ln(1 + T)/n, with
 * h(n) = t_{1−a/2, n−1} s/√n.
 */
export function xrpoPriority(
  n: number,
  deviation: number,
  settings: XrpoSettings,
  quantile: (freedom: number) => number = tQuantiles(settings.level),
): XrpoPriority {
  const half = (count: number): number =>
    deviation === 0 ? 0 : (quantile(count - 1) * deviation) / Math.sqrt(count);
  const halfWidth = half(n);
  const reduction = halfWidth - half(n + 1);
  const extra = (settings.bonus * Math.log(1 + settings.total)) / n;
  return { halfWidth, reduction, bonus: extra, priority: reduction + extra };
}

/** Whether further rollouts of the prompt would start from solved examples: every reward so far is 0 or less. */
export function xrpoSeeds(rewards: readonly number[]): boolean {
  return rewards.every((reward) => reward <= 0);
}

/**
 * XRPO, the hand-out: after a first few rollouts of every prompt the rest of the budget goes, round by round, to the
 * highest priority: how much one more rollout narrows the t interval of the prompt's mean reward, plus a bonus that
 * falls with its rollouts (arXiv 2510.06672; interval and sum confirmed by two summaries, bonus and constants from a
 * third-party file). Within a round the priority of a prompt is taken again after each rollout given, at the same
 * spread. Equal priorities go to the lower index.
 *
 * Reconstructed; the first rollouts and the size of a round were not read and have to be given. A prompt of which
 * fewer than two rollouts ended has no interval and comes last. Throws a Refusal if the budget does not pay for the
 * first rollouts.
 */
export const xrpo = allocationMethod({
  id: 'xrpo',
  title: 'XRPO',
  summary: 'Gives further rollouts, round by round, to the prompts whose mean reward is least certain.',
  family: 'second-stage',
  confidence: 'reconstructed',
  source: { paper: 'arXiv 2510.06672', equation: 'priority D + phi', code: '', commit: '' },
  parameters: [first, perRound, level, bonus, examples],
  keepsTotal: true,
  caveats: [
    'The bonus and both constants come from a third-party file.',
    'The first rollouts and the size of a round were not read: give them.',
    'Which solved examples are put into the context is the job’s affair; the request only says that there are some.',
  ],
  needs: ['rewards'],
  uses: [],
  decide: (view) => {
    const { inputs, parameters, round, asked } = view;
    const size = numberOf(parameters, first);
    const prompts = inputs.prompts.length;
    if (inputs.budget < size * prompts) {
      throw new Refusal(
        'bad-budget',
        `${inputs.budget} rollouts are fewer than ${size} for each of ${counted(prompts, 'prompt')}. Raise the budget or lower firstRollouts.`,
      );
    }
    if (round === 0) {
      return {
        done: size * prompts === inputs.budget,
        shared: { firstRollouts: size, budget: inputs.budget },
        requests: inputs.prompts.map((_, prompt) => ({
          prompt,
          action: 'launch',
          count: size,
          reasonCode: 'first',
          reason: `${counted(size, 'rollout')} of every prompt, for a first interval of its mean reward.`,
          numbers: { firstRollouts: size },
        })),
      };
    }
    const total = asked.reduce((sum, count) => sum + count, 0);
    const handed = Math.min(numberOf(parameters, perRound), inputs.budget - total);
    return {
      done: total + handed === inputs.budget,
      shared: { round: round + 1, handed, total, budget: inputs.budget },
      requests: handOut(view, handed, total),
    };
  },
});

function handOut({ finished, parameters }: RoundView, handed: number, total: number): AllocationRequest[] {
  const settings = { level: numberOf(parameters, level), bonus: numberOf(parameters, bonus), total };
  const quantile = tQuantiles(settings.level);
  const deviations = finished.map(({ rewards }) =>
    rewards.length < 2 ? undefined : sampleDeviation(rewards),
  );
  const at = (prompt: number, extra: number): XrpoPriority | undefined => {
    const deviation = deviations[prompt];
    if (deviation === undefined) return undefined;
    return xrpoPriority(finished[prompt]!.rewards.length + extra, deviation, settings, quantile);
  };
  const { counts } = fillByGain({
    prompts: finished.length,
    budget: handed,
    lower: () => 0,
    upper: () => Infinity,
    gain: (prompt, extra) => at(prompt, extra)?.priority ?? -1,
    alsoWithoutGain: true,
  });
  return counts.flatMap((count, prompt): AllocationRequest[] => {
    // Most prompts get nothing in most rounds: only who gets something is told why.
    if (count === 0) return [];
    const { rewards } = finished[prompt]!;
    const now = at(prompt, 0);
    if (now === undefined) {
      return [
        {
          prompt,
          action: 'launch',
          count,
          reasonCode: 'no-interval',
          reason: `Only ${counted(rewards.length, 'rollout')} ended, too few for an interval: it comes last and gets ${count}.`,
          numbers: { rollouts: rewards.length },
        },
      ];
    }
    const seeded = xrpoSeeds(rewards) && numberOf(parameters, examples) > 0;
    return [
      {
        prompt,
        action: 'launch',
        count,
        ...(seeded ? { settings: { examples: numberOf(parameters, examples) } } : {}),
        reasonCode: seeded ? 'seeded' : 'highest-priority',
        reason:
          `After ${counted(rewards.length, 'rollout')} the interval is ± ${figure(now.halfWidth)}; one more takes ${figure(now.reduction)} off, ` +
          `and the bonus is ${figure(now.bonus)}: priority ${figure(now.priority)}, ${count} of this round’s ${handed}` +
          (seeded ? '; every reward was 0 or less, so with solved examples in the context.' : '.'),
        numbers: { rollouts: rewards.length, deviation: deviations[prompt]!, ...now },
      },
    ];
  });
}
