import type { StandardMetric } from '../../protocol/wire/words';
import type { Publisher } from '../server/publisher';
import type { UpdateStats } from '../training/grpoTrainer';
import { isFinished, isTrain, verdictOf, type GroupRecord } from './records';

/** Share of the rollouts of a step that count as its slowest. */
const SLOW_SHARE = 0.1;

/** Times of a step on the job’s clock, ms; pauses left out. */
export interface StepTimes {
  readonly seconds: number;
  readonly generationSeconds: number;
  /** When each train rollout ended, seconds since generation began. */
  readonly ends: readonly number[];
}

export interface StepFigures {
  readonly tokens: number;
  readonly launched: number;
  readonly finished: number;
  readonly effectiveBatch: number;
  readonly closedGroups: number;
  readonly zeroGradientGroups: number;
  readonly meanEntropy: number;
  readonly meanReward: number;
  readonly tokensStored: number;
  readonly tokensUnique: number;
}

/** Counts over the closed groups of a step, probes left out. */
export function stepFigures(groups: readonly GroupRecord[]): StepFigures {
  const rollouts = groups.flatMap((group) => group.rollouts.filter(isTrain));
  const finished = rollouts.filter(isFinished);
  const verdicts = groups.map((group) => verdictOf(group).kind);
  let tokens = 0;
  let entropy = 0;
  for (const { node } of rollouts) {
    tokens += node.tokens.length;
    for (let i = 0; i < node.tokens.length; i++) entropy += node.tokens.entropy[i]!;
  }
  const unique = finished.reduce((sum, { node }) => sum + node.tokens.length, 0);
  return {
    tokens,
    launched: rollouts.length,
    finished: finished.length,
    effectiveBatch: groups.reduce(
      (sum, group, i) => sum + (verdicts[i] === 'gradient' ? group.rollouts.filter(isFinished).length : 0),
      0,
    ),
    closedGroups: groups.filter(({ closed }) => closed).length,
    zeroGradientGroups: verdicts.filter((kind) => kind === 'zero').length,
    meanEntropy: tokens > 0 ? entropy / tokens : 0,
    meanReward:
      finished.length > 0
        ? finished.reduce((sum, { verdict }) => sum + (verdict?.reward ?? 0), 0) / finished.length
        : 0,
    tokensStored: unique + finished.reduce((sum, { prefix }) => sum + prefix.length, 0),
    tokensUnique: unique,
  };
}

/** Share of the generation time in which only the slowest tenth of the rollouts still ran. */
export function slowestTenth({ ends, generationSeconds }: StepTimes): number {
  if (ends.length === 0 || generationSeconds <= 0) return 0;
  const sorted = [...ends].sort((a, b) => a - b);
  const before = sorted[Math.max(0, Math.ceil((1 - SLOW_SHARE) * sorted.length) - 1)]!;
  return Math.min(1, Math.max(0, (generationSeconds - before) / generationSeconds));
}

export function publishMetrics(
  publisher: Publisher,
  step: number,
  figures: StepFigures,
  times: StepTimes,
  update: UpdateStats | null,
): void {
  const send = (name: StandardMetric, value: number): void => {
    publisher.add('metric', { name, value, step });
  };
  send('throughput', times.seconds > 0 ? figures.tokens / times.seconds : 0);
  send('stepSeconds', times.seconds);
  send('effectiveBatch', figures.effectiveBatch);
  send('zeroGradientGroups', figures.zeroGradientGroups);
  // Every step trains on what its own weights sampled.
  send('staleness', 0);
  send('slowestTenth', slowestTenth(times));
  send('entropy', figures.meanEntropy);
  send('tokensStored', figures.tokensStored);
  send('tokensUnique', figures.tokensUnique);
  publisher.add('metric', { name: 'meanReward', value: figures.meanReward, step, unit: 'reward' });
  if (!update) return;
  send('gradientNorm', update.gradNorm);
  send('loss', update.loss);
  send('clipFraction', update.clipFraction);
}
