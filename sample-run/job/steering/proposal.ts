import type { SteeringAnswer } from '../../../protocol/wire/steering';
import type { Subject } from '../../../protocol/wire/values';
import type { Inverse } from '../controlState';

/** What a request would do, worked out before anything is changed. */
export interface Proposal {
  /** The effect, for a person. */
  readonly sentence: string;
  readonly subjects: readonly Subject[];
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** The effect in numbers. */
  readonly effect?: Pick<
    SteeringAnswer,
    'rollouts' | 'tokens' | 'seconds' | 'fromStep' | 'untilStep' | 'subjects'
  >;
  /** It takes hold at a later moment, which the job will say. */
  readonly later?: boolean;
  readonly undoes?: string;
  readonly inverse: Inverse;
  /** Does it. @returns rollouts that it made. */
  apply(): readonly Subject[];
}

export type RefusalCode = NonNullable<SteeringAnswer['refusal']>;

/** Why a request is not followed. The message is for a person. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
    this.name = 'Refused';
  }
}

/** Fields of a request that all actions have. */
export interface Asked {
  readonly commandId: string;
  readonly author: string;
  readonly reason?: string | undefined;
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** At most three ids, then how many more. */
export const named = (ids: readonly string[]): string =>
  ids.length <= 3 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more`;

export const knownTask = (known: boolean, prompt: string): void => {
  if (!known) {
    throw new Refused('unknownSubject', `This run has no training prompt ${prompt}. Nothing was changed.`);
  }
};

export const checkSpan = (fromStep: number, untilStep: number | undefined, lastStep: number): void => {
  if (untilStep !== undefined && untilStep < fromStep) {
    throw new Refused(
      'outOfRange',
      `Step ${untilStep} is over or planned already; the next one that can still change is ${fromStep}.`,
    );
  }
  if (fromStep > lastStep) {
    throw new Refused('ended', `Step ${lastStep} is the last of this run; no step is left to change.`);
  }
};

/** Most rollouts of a prompt in a step. */
export const MOST_ROLLOUTS = 1024;

export function checkTemperature(temperature: number | undefined): void {
  if (temperature !== undefined && !(temperature >= 0.05 && temperature <= 5)) {
    throw new Refused('outOfRange', `A temperature of ${temperature} is outside 0.05 to 5.`);
  }
}
