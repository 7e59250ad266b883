import { integerParameter, numberParameter } from '../parameters';

const PROMPTS = [1, 1_000_000] as const;
const SHARE = [0, 1] as const;
const REWARD = [-1e6, 1e6] as const;

export const batch = integerParameter(
  'batch',
  384,
  PROMPTS,
  'Prompts sampled in the first round of a step, and at most in a later one.',
  'prompts',
);
export const minimumBatch = integerParameter(
  'minimumBatch',
  64,
  PROMPTS,
  'Fewest prompts sampled in a later round.',
  'prompts',
);
export const safety = numberParameter(
  'safety',
  1.25,
  [1, 100],
  'Factor on the estimate of the prompts still needed (beta).',
);
export const explore = numberParameter(
  'explore',
  0.5,
  SHARE,
  'Probability of sampling a skippable prompt all the same, in the first step.',
);
export const exploreStep = numberParameter(
  'exploreStep',
  0.01,
  SHARE,
  'Change of that probability after a step.',
);
export const exploreMinimum = numberParameter(
  'exploreMinimum',
  0.05,
  SHARE,
  'Lower end of that probability.',
);
export const exploreMaximum = numberParameter(
  'exploreMaximum',
  0.95,
  SHARE,
  'Upper end of that probability.',
);
export const floor = numberParameter(
  'floor',
  0.01,
  SHARE,
  'Every prompt is sampled at least with this probability.',
);
export const targetZeroVariance = numberParameter(
  'targetZeroVariance',
  0.25,
  SHARE,
  'Share of groups without variance that is aimed at: a third easy, the rest hard.',
);
export const correctFrom = numberParameter(
  'correctFrom',
  0.98,
  REWARD,
  'A group with at least this mean reward was all correct.',
);
export const wrongTo = numberParameter(
  'wrongTo',
  0.11,
  REWARD,
  'A group with at most this mean reward was all wrong; 0.1 is the published format reward.',
);
export const correctReward = numberParameter(
  'correctReward',
  1,
  REWARD,
  'Reward of a correct rollout, for the shares of easy groups.',
);
export const wrongReward = numberParameter(
  'wrongReward',
  0.1,
  REWARD,
  'Reward of a wrong rollout in the right format, for the shares of hard groups.',
);
