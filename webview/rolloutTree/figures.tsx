import { count, decimal, rate, share } from '../shared/format';
import { LedgerLine } from '../shared/ledgerLine';
import { breakpoint } from '../shared/panelSize';
import { text } from './texts';
import type { TreeModel } from './treeModel';

const Figure = ({ name, value, title }: { name: string; value: string; title?: string }) => (
  <span class="tree-figure" title={title}>
    <span class="rs-second">{name}</span> <span>{value}</span>
  </span>
);

const outcomeText = ({ outcome, closed }: TreeModel['view']): string | null => {
  if (outcome === 'all0') return text(closed ? 'all0' : 'soFar0');
  if (outcome === 'all1') return text(closed ? 'all1' : 'soFar1');
  return null;
};

/** The conservation sums at the left, what the branches are like at the right. */
export const Figures = ({ model }: { model: TreeModel }) => {
  const { view } = model;
  const narrow = breakpoint.value === 'narrow';
  const known = (x: number, format: (x: number) => string, none: string): string =>
    Number.isFinite(x) ? format(x) : none;
  const outcome = outcomeText(view);
  return (
    <div class="tree-figures">
      <LedgerLine ledger={view.ledger} short={narrow} />
      {outcome !== null && <span class="rs-tag">{outcome}</span>}
      {!narrow && (
        <Figure
          name={text('meanReward')}
          value={
            Number.isFinite(view.meanReward)
              ? `${rate(view.meanReward)} ± ${known(view.sdReward, (x) => decimal(x), text('unknown'))}`
              : text('none')
          }
        />
      )}
      <Figure
        name={text('differentBranches')}
        value={known(
          view.differentBranches,
          (x) => text('branchesOf', { value: decimal(x, 1), leaves: count(view.leaves) }),
          text('unknown'),
        )}
      />
      {!narrow && (
        <Figure name={text('largestShare')} value={known(view.largestShare, share, text('unknown'))} />
      )}
    </div>
  );
};
