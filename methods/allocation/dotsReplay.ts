import type { PastGroup, PromptInput } from './inputs';

/** A group in the replay buffer, oldest first in lists of them. */
export interface BufferedGroup {
  /** Index into the prompts of the step. */
  readonly prompt: number;
  readonly group: PastGroup;
}

export interface DotsSizes {
  /** Prompts of a training batch (B). */
  readonly batch: number;
  /** Share of the batch that is sampled anew (sigma). */
  readonly fresh: number;
  /** Groups that the buffer holds. */
  readonly buffer: number;
}

/** Groups that may be replayed: the newest of each prompt, if its mean reward is neither 0 nor 1. */
export function dotsReplayable(buffer: readonly BufferedGroup[]): BufferedGroup[] {
  const newest = new Map(buffer.map(({ prompt }, i) => [prompt, i]));
  return buffer.filter(
    ({ prompt, group }, i) => newest.get(prompt) === i && group.meanReward !== 0 && group.meanReward !== 1,
  );
}

/** Groups to replay in a step: ⌊(1 − fresh) · batch⌋ in double precision, as the release truncates it. */
export function dotsReplayCount({ batch, fresh }: DotsSizes): number {
  return Math.trunc((1 - fresh) * batch);
}

/**
 * What stays in the buffer beside the fresh groups of a step: the newest ones. As released, a buffer smaller than the
 * fresh groups loses its oldest instead of everything.
 */
export function dotsCut(
  replayable: readonly BufferedGroup[],
  { batch, fresh, buffer }: DotsSizes,
): BufferedGroup[] {
  const room = buffer - Math.trunc(fresh * batch);
  if (room === 0) return [];
  return replayable.slice(-room);
}

/** Buffer after a step with these fresh groups. */
export function dotsAfterStep(
  buffer: readonly BufferedGroup[],
  fresh: readonly BufferedGroup[],
  sizes: DotsSizes,
): BufferedGroup[] {
  return [...dotsCut(dotsReplayable(buffer), sizes), ...fresh];
}

/** Buffer as the recorded groups of all prompts left it, step by step; within a step in the order of the prompts. */
export function dotsBuffer(prompts: readonly PromptInput[], sizes: DotsSizes): BufferedGroup[] {
  const bySteps = new Map<number, BufferedGroup[]>();
  prompts.forEach(({ history = [] }, prompt) => {
    for (const group of history) {
      const groups = bySteps.get(group.step);
      if (groups === undefined) bySteps.set(group.step, [{ prompt, group }]);
      else groups.push({ prompt, group });
    }
  });
  return [...bySteps.entries()]
    .sort(([a], [b]) => a - b)
    .reduce<BufferedGroup[]>((buffer, [, fresh]) => dotsAfterStep(buffer, fresh, sizes), []);
}
