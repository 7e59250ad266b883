import type { Ending, Origin, Use } from '../../protocol/wire/words';
import { ENDINGS, ORIGINS, USES } from '../../protocol/wire/words';

/**
 * Where a rollout stands in the ledger of the group that launched it. A rollout is in exactly one; `none` for one
 * that was spoken of but not opened, or that goes on under another id. The last four stand outside the ledger.
 */
export const CATEGORIES = [
  'none',
  'running',
  'finished',
  'discarded',
  'killed',
  'carriedOver',
  'probe',
  'duplicate',
  'replayed',
  'external',
] as const;
export type Category = (typeof CATEGORIES)[number];
export const CATEGORY_COUNT = CATEGORIES.length;

const code = (category: Category): number => CATEGORIES.indexOf(category);
export const NO_CATEGORY = code('none');
export const RUNNING = code('running');
export const FINISHED = code('finished');
export const DISCARDED = code('discarded');
export const KILLED = code('killed');
export const CARRIED_OVER = code('carriedOver');
export const PROBE = code('probe');
export const DUPLICATE = code('duplicate');
export const REPLAYED = code('replayed');
export const EXTERNAL = code('external');

const ending = (word: Ending): number => ENDINGS.indexOf(word);
const origin = (word: Origin): number => ORIGINS.indexOf(word);
const use = (word: Use): number => USES.indexOf(word);
export const ENDING_FINISHED = ending('finished');
export const ENDING_TRUNCATED = ending('truncated');
export const ENDING_ABORTED = ending('aborted');
export const ENDING_CARRIED = ending('carriedOver');
export const ORIGIN_RESUMED = origin('resumed');
export const ORIGIN_HINTED = origin('hinted');
export const ORIGIN_EDITED = origin('edited');
const ORIGIN_REPLAYED = origin('replayed');
const ORIGIN_EXTERNAL = origin('external');
const ORIGIN_DUPLICATE = origin('duplicate');
export const USE_TRAIN = use('train');
export const USE_PROBE = use('probe');

/**
 * The category of an opened rollout. Outside stand, in this order: probes, duplicates, replayed and external
 * rollouts. An ending that we do not know counts as killed: it was not said to have ended by itself.
 */
export function categoryOf(rollout: {
  readonly use: number;
  readonly origin: number;
  readonly ending: number;
  readonly discarded: boolean;
  readonly carried: boolean;
}): number {
  if (rollout.use === USE_PROBE) return PROBE;
  if (rollout.origin === ORIGIN_DUPLICATE) return DUPLICATE;
  if (rollout.origin === ORIGIN_REPLAYED) return REPLAYED;
  if (rollout.origin === ORIGIN_EXTERNAL) return EXTERNAL;
  if (rollout.ending < 0) return rollout.carried ? CARRIED_OVER : RUNNING;
  if (rollout.ending === ENDING_CARRIED) return CARRIED_OVER;
  if (rollout.ending === ENDING_FINISHED || rollout.ending === ENDING_TRUNCATED) {
    return rollout.discarded ? DISCARDED : FINISHED;
  }
  return KILLED;
}
