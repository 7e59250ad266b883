import { count, rate, signed } from '../shared/format';
import type { TableData } from '../shared/tableBehind';
import { isProbe, statusOf, statusText } from './status';
import { text } from './texts';
import { endOf, type TreeModel } from './treeModel';

/** The rows of the picture as text. */
export const treeTable = (model: TreeModel, lost: boolean): TableData => ({
  caption: text('picture', { group: model.view.group }),
  columns: [
    { name: text('colRollout') },
    { name: text('colStatus') },
    { name: text('colReward'), numeric: true },
    { name: text('colAdvantage'), numeric: true },
    { name: text('colStart'), numeric: true },
    { name: text('colEnd'), numeric: true },
    { name: text('colParent') },
    { name: text('colReason') },
  ],
  rows: model.layout.count,
  cell: (row, column) => {
    const { view, layout } = model;
    const { rollouts } = view;
    const rollout = layout.rolloutAt[row] ?? -1;
    const number = (x: number, format: (x: number) => string): string =>
      Number.isFinite(x) ? format(x) : text('none');
    switch (column) {
      case 0:
        return rollouts.id[rollout] ?? '';
      case 1:
        return [statusText(statusOf(view, rollout), lost), isProbe(view, rollout) ? text('probe') : '']
          .filter((part) => part !== '')
          .join(', ');
      case 2:
        return number(rollouts.reward[rollout] ?? NaN, rate);
      case 3:
        return number(rollouts.advantage[rollout] ?? NaN, signed);
      case 4:
        return count(layout.start[rollout] ?? 0);
      case 5:
        return count(endOf(model, rollout));
      case 6:
        return rollouts.id[layout.parent[rollout] ?? -1] ?? '';
      default:
        return rollouts.reason[rollout] ?? rollouts.discarded[rollout] ?? '';
    }
  },
});
