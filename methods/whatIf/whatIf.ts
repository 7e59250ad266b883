import { counted } from '../figures';
import { resolveParameters } from '../parameters';
import { Rng } from '../random';
import { Refusal } from '../refusal';
import type { WhatIfStep } from './inputs';
import { Knowledge } from './knowledge';
import { StepOutcomes } from './outcomes';
import { playStep, type Play, type Player } from './play';
import { Tally, type Estimate } from './tally';

/** Fewest draws that an interval is given for. */
export const LEAST_DRAWS = 200;
/**
 * Most prompts in a step, and most prompts × draws over all steps. On one core a method at this size takes about half a
 * minute if it asks once, up to five minutes if it goes in rounds; a slice up to three seconds.
 */
export const MOST_PROMPTS = 100_000;
export const MOST_WORK = 25_000_000;

export interface WhatIfSetting {
  readonly draws: number;
  readonly seed: number;
}

/** What a method would have made of some recorded steps. Counts and sums are over all of them. */
export interface WhatIfResult {
  readonly rollouts: Estimate;
  /** Groups with both outcomes that the rule does not take out of training. */
  readonly gradientGroups: Estimate;
  readonly successes: Estimate;
  /** At the mean length of each prompt's recorded rollouts. */
  readonly tokens: Estimate;
  /** Mean number of groups of at least two rollouts: the whole of `gradientGroups`. */
  readonly groups: number;
  /** Share of the rollouts whose outcome was drawn, not recorded; 0 to 1. */
  readonly simulated: number;
  /** Mean rollouts, an entry a row of `promptRows`. */
  readonly counts: Float32Array;
  /** Prompts that kept the run's count for want of an input, the most in a step. */
  readonly leftOut: number;
  readonly byStep: { readonly rollouts: readonly number[]; readonly gradientGroups: readonly number[] };
}

/** The prompts of all steps, each once, in the order in which they come; and the row of each step's prompts. */
export function promptRows(steps: readonly WhatIfStep[]): {
  readonly ids: readonly string[];
  readonly rows: readonly Int32Array[];
} {
  const places = new Map<string, number>();
  const rows = steps.map(({ prompts }) =>
    Int32Array.from(prompts, ({ input }) => {
      let row = places.get(input.id);
      if (row === undefined) places.set(input.id, (row = places.size));
      return row;
    }),
  );
  return { ids: [...places.keys()], rows };
}

/** Throws a Refusal, with the size and the limit, if a what-if would take too long. */
export function checkSize(steps: readonly WhatIfStep[], { draws }: WhatIfSetting): void {
  if (draws < LEAST_DRAWS) {
    throw new Refusal(
      'bad-count',
      `${counted(draws, 'draw')} are too few for an interval; take ${LEAST_DRAWS}.`,
    );
  }
  if (steps.length === 0) throw new Refusal('bad-count', 'There is no recorded step to ask about.');
  const size = steps.reduce((sum, { prompts }) => sum + prompts.length, 0);
  const most = Math.max(...steps.map(({ prompts }) => prompts.length));
  if (most <= MOST_PROMPTS && size * draws <= MOST_WORK) return;
  const words = (n: number): string => n.toLocaleString('en-US');
  throw new Refusal(
    'bad-count',
    `${words(size)} prompts × ${words(draws)} draws are too many for a what-if: it takes ${words(MOST_WORK)} in all and ` +
      `${words(MOST_PROMPTS)} prompts in a step. Choose fewer steps.`,
  );
}

/**
 * What a method would have given, and what would have come of it, over recorded steps in their order. In every draw it
 * meets each step with what it would have known then (see Knowledge). Yields the share that is done, so that the
 * caller can go on later or not at all. Throws a Refusal where the method has no answer, or the size is too large.
 */
export function* whatIf(
  steps: readonly WhatIfStep[],
  player: Player,
  setting: WhatIfSetting,
): Generator<number, WhatIfResult> {
  const { method } = player;
  const parameters = resolveParameters(method.parameters, player.parameters);
  return yield* simulate(steps, setting, (step, known, outcomes, rng) =>
    playStep({ ...player, parameters }, step, known, outcomes, rng),
  );
}

/** The run itself by the same measure: its own counts, outcomes that are not known yet drawn. */
export function* asRun(
  steps: readonly WhatIfStep[],
  setting: WhatIfSetting,
): Generator<number, WhatIfResult> {
  return yield* simulate(steps, setting, ({ prompts }) => ({
    counts: Int32Array.from(prompts, (prompt) => prompt.asRun),
    dropped: new Map(),
    baselines: new Map(),
    carry: undefined,
    fixed: true,
    leftOut: 0,
  }));
}

type Plays = (
  step: WhatIfStep,
  known: ReturnType<Knowledge['before']>,
  outcomes: StepOutcomes,
  rng: Rng,
) => Play;

function* simulate(
  steps: readonly WhatIfStep[],
  setting: WhatIfSetting,
  plays: Plays,
): Generator<number, WhatIfResult> {
  checkSize(steps, setting);
  const { ids, rows } = promptRows(steps);
  const tally = new Tally(setting.draws, rows, ids.length);
  const root = Rng.from(setting.seed);
  // What is the same in every draw is asked once: the first step, if its answer rests on no outcome and no draw.
  let first: Play | null = null;
  let leftOut = 0;
  for (let draw = 0; draw < setting.draws; draw++) {
    const knowledge = new Knowledge(steps[0]!);
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      const outcomes = new StepOutcomes(step.prompts, root.fork(`outcomes/${draw}/${step.number}`));
      const ask = (): Play =>
        plays(step, knowledge.before(step), outcomes, root.fork(`method/${draw}/${step.number}`));
      const play: Play = i === 0 && first !== null ? first : ask();
      if (i === 0 && play.fixed) first = play;
      leftOut = Math.max(leftOut, play.leftOut);
      tally.add(draw, i, step, play, outcomes);
      if (i + 1 < steps.length) knowledge.learn(step, play, outcomes);
      yield (draw + (i + 1) / steps.length) / setting.draws;
    }
  }
  return {
    rollouts: tally.estimate('rollouts'),
    gradientGroups: tally.estimate('gradientGroups'),
    successes: tally.estimate('successes'),
    tokens: tally.estimate('tokens'),
    groups: tally.meanGroups,
    simulated: tally.simulatedShare,
    counts: tally.meanGiven(),
    leftOut,
    byStep: tally.byStep(),
  };
}
