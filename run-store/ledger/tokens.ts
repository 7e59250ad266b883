import { ENDINGS } from '../../protocol/wire/words';
import type { Incarnation } from '../incarnation';
import type { Step } from '../step';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { GROUP_CLOSED } from '../tables/groupTable';
import { ROLLOUT_CLOSED } from '../tables/rolloutTable';
import { CARRIED_OVER, DISCARDED, FINISHED, KILLED, NO_CATEGORY, PROBE, RUNNING } from './categories';

/** What tokens were spent on, in the order of `TokenCounts`. */
export const TOKEN_FATES = [
  'used',
  'noGradient',
  'undecided',
  'running',
  'discarded',
  'pruned',
  'aborted',
  'carriedOver',
  'probes',
  'outside',
  'released',
] as const;
export type TokenFate = (typeof TOKEN_FATES)[number];
/** Tokens by fate. */
export type TokenCounts = Float64Array;
export const noTokens = (): TokenCounts => new Float64Array(TOKEN_FATES.length);

const fate = (name: TokenFate): number => TOKEN_FATES.indexOf(name);
const USED = fate('used');
const NO_GRADIENT = fate('noGradient');
const UNDECIDED = fate('undecided');
const PRUNED = fate('pruned');
const ABORTED = fate('aborted');
const OUTSIDE = fate('outside');
const RELEASED_TOKENS = fate('released');
const ENDING_PRUNED = ENDINGS.indexOf('pruned');
const BY_CATEGORY: readonly (readonly [number, TokenFate])[] = [
  [RUNNING, 'running'],
  [DISCARDED, 'discarded'],
  [CARRIED_OVER, 'carriedOver'],
  [PROBE, 'probes'],
];
const FATE_OF = new Map(BY_CATEGORY.map(([category, name]) => [category, fate(name)]));

/** Where finished rollouts of a group belong, by the same judgement as in the ledger. */
function fateOfFinished({ groups }: Incarnation, group: number): number {
  if ((groups.flags[group]! & GROUP_CLOSED) === 0) return UNDECIDED;
  const gradient = groups.gradient[group]!;
  if (gradient === 0) return NO_GRADIENT;
  return gradient === 1 || groups.usedInStep[group]! >= 0 ? USED : UNDECIDED;
}

/** Adds the tokens of a group's rollouts, those of released ones as one sum. */
export function addTokensOfGroup(incarnation: Incarnation, group: number, into: TokenCounts): void {
  const { groups, rollouts } = incarnation;
  const finished = fateOfFinished(incarnation, group);
  let ended = 0;
  for (let row = groups.firstRollout[group]!; row !== NONE;) {
    const chunk = row >= 0 ? rollouts.chunk(row) : null;
    if (!chunk) {
      into[RELEASED_TOKENS]! += Math.max(0, groups.tokens[group]! - ended);
      return;
    }
    const i = row & CHUNK_MASK;
    const length = chunk.length.get(i);
    const category = chunk.category[i]!;
    if ((chunk.flags[i]! & ROLLOUT_CLOSED) !== 0) ended += length;
    if (category === FINISHED) {
      const counted = chunk.countedIn?.get(i) ?? NONE;
      into[counted >= 0 && counted !== group ? fateOfFinished(incarnation, counted) : finished]! += length;
    } else if (category === KILLED) {
      into[chunk.ending[i] === ENDING_PRUNED ? PRUNED : ABORTED]! += length;
    } else if (category !== NO_CATEGORY) into[FATE_OF.get(category) ?? OUTSIDE]! += length;
    row = chunk.nextInGroup.get(i);
  }
}

const known = new WeakMap<Step, { readonly revision: number; readonly tokens: TokenCounts }>();

/** Tokens of a step by what became of them; of a released step as it stood when it was released. */
export function tokensOfStep(incarnation: Incarnation, step: Step): TokenCounts {
  if (step.releasedTokens) return step.releasedTokens;
  const { groups } = incarnation;
  let revision = 0;
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!)
    revision = Math.max(revision, groups.touched[group]!);
  const held = known.get(step);
  if (held?.revision === revision) return held.tokens;
  const tokens = noTokens();
  for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!)
    addTokensOfGroup(incarnation, group, tokens);
  known.set(step, { revision, tokens });
  return tokens;
}
