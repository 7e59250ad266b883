import type { TreeView } from '../../protocol/panels/tree';
import { ENDINGS, ORIGINS, USES } from '../../protocol/wire/words';
import { endingMark, type MarkName } from '../shared/markShapes';
import { text } from './texts';

const DISCARDED = 'discarded';
/** Words that take the place of an advantage: these rollouts ended before they could have one. */
const OWN_WORD = ['pruned', 'stopped', 'aborted', 'failed', 'carriedOver'] as const;

const isOwn = (word: string): word is (typeof OWN_WORD)[number] => OWN_WORD.some((own) => own === word);

export const endingOf = ({ rollouts }: TreeView, rollout: number): string | null => {
  const index = rollouts.ending[rollout] ?? -1;
  return index < 0 ? null : (ENDINGS[index] ?? 'other');
};

/** Word of the status: how it ended, as the ledger counts it. */
export const statusOf = (view: TreeView, rollout: number): string => {
  const ending = endingOf(view, rollout);
  if (ending === null) return 'running';
  return (view.rollouts.discarded[rollout] ?? null) === null ? ending : DISCARDED;
};

/** The status for people. `lost`: what ran is last seen. */
export const statusText = (status: string, lost: boolean): string => {
  if (status === 'running') return text(lost ? 'lastSeen' : 'running');
  if (status === DISCARDED || status === 'finished' || status === 'truncated') return text(status);
  return isOwn(status) ? text(status) : text('other');
};

export const markOf = (view: TreeView, rollout: number): MarkName => {
  const reward = view.rollouts.reward[rollout] ?? NaN;
  const success = view.rollouts.success[rollout] ?? -1;
  return endingMark({
    ending: endingOf(view, rollout),
    reward: Number.isFinite(reward) ? reward : null,
    success: success < 0 ? null : success === 1,
    discarded: (view.rollouts.discarded[rollout] ?? null) !== null,
  });
};

/** Share of the ring that is filled, for rewards between 0 and 1; undefined for all others. */
export const pieOf = (view: TreeView, rollout: number, mark: MarkName): number | undefined =>
  mark === 'between' ? (view.rollouts.reward[rollout] ?? undefined) : undefined;

export const isProbe = ({ rollouts }: TreeView, rollout: number): boolean =>
  USES[rollouts.use[rollout] ?? 0] === 'probe';

export const originOf = ({ nodes }: TreeView, node: number): string =>
  ORIGINS[nodes.origin[node] ?? -1] ?? 'other';

/** What stands in place of the advantage: a word, or null when there is a number. */
export const wordForAdvantage = (view: TreeView, rollout: number, lost: boolean): string | null => {
  const status = statusOf(view, rollout);
  if (status === 'running' || status === DISCARDED || isOwn(status)) return statusText(status, lost);
  return isProbe(view, rollout) ? text('probe') : null;
};

/** Whether the ending is drawn at the strip's end too: all but plain finished ones. */
export const markAtEnd = (mark: MarkName): boolean =>
  mark !== 'right' && mark !== 'wrong' && mark !== 'between';

/** What the search looks at: id, status, use, reasons, author, in small letters. */
export const searchTextOf = (view: TreeView, rollout: number): string => {
  const { rollouts } = view;
  return [
    rollouts.id[rollout] ?? '',
    statusText(statusOf(view, rollout), false),
    isProbe(view, rollout) ? text('probe') : '',
    rollouts.reason[rollout] ?? '',
    rollouts.discarded[rollout] ?? '',
    rollouts.author[rollout] ?? '',
  ]
    .join('\n')
    .toLowerCase();
};
