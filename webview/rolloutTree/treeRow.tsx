import { count, rate, signed } from '../shared/format';
import { isPending } from '../shared/host';
import { Icon } from '../shared/icon';
import { Mark } from '../shared/marks';
import { isStill } from '../shared/steering';
import { isProbe, markOf, originOf, pieOf, statusOf, statusText, wordForAdvantage } from './status';
import { text } from './texts';
import { endOf, itemsOf, type TreeModel } from './treeModel';

/** Name of a row as it is read aloud: what, how it ended, its numbers, where it comes from. */
export const rowName = (model: TreeModel, rollout: number): string => {
  const { view, layout } = model;
  const { rollouts } = view;
  const reward = rollouts.reward[rollout] ?? NaN;
  const advantage = rollouts.advantage[rollout] ?? NaN;
  const above = layout.parent[rollout] ?? -1;
  const forks = itemsOf(model.forks, rollout).length;
  const parts = [
    text('rowName', {
      rollout: rollouts.id[rollout] ?? '',
      status: statusText(statusOf(view, rollout), isStill()),
    }),
    isProbe(view, rollout) ? text('probe') : '',
    Number.isFinite(reward) ? text('rowReward', { reward: rate(reward) }) : '',
    Number.isFinite(advantage) ? text('rowAdvantage', { advantage: signed(advantage) }) : '',
    text('rowTokens', { count: count(endOf(model, rollout)) }),
    above < 0
      ? ''
      : text('rowForked', {
          position: count(layout.start[rollout] ?? 0),
          parent: rollouts.id[above] ?? '',
        }),
    forks === 0 ? '' : text('rowForks', { count: count(forks) }),
  ];
  return parts.filter((part) => part !== '').join(', ');
};

/** What the tests and readers of the page find on a row. */
export const rowData = ({ view }: TreeModel, rollout: number) => ({
  'data-rollout': view.rollouts.id[rollout] ?? '',
  'data-ending': statusOf(view, rollout),
  'data-from-node': view.nodes.id[view.nodes.parent[view.rollouts.firstNode[rollout] ?? -1] ?? -1] ?? '',
  'data-use': isProbe(view, rollout) ? 'probe' : 'train',
  'data-origin': originOf(view, view.rollouts.firstNode[rollout] ?? -1),
});

const Advantage = ({ model, rollout }: { model: TreeModel; rollout: number }) => {
  const word = wordForAdvantage(model.view, rollout, isStill());
  if (word !== null) return <span class="tree-advantage tree-word">{word}</span>;
  const advantage = model.view.rollouts.advantage[rollout] ?? NaN;
  if (!Number.isFinite(advantage)) return <span class="tree-advantage rs-second">–</span>;
  return (
    <span class="tree-advantage">
      {advantage !== 0 && (
        <span class={advantage > 0 ? 'tree-up' : 'tree-down'}>
          <Mark name={advantage > 0 ? 'up' : 'down'} />
        </span>
      )}
      <span>{signed(advantage)}</span>
    </span>
  );
};

const requestedOn = ({ view }: TreeModel, rollout: number): boolean => {
  const id = view.rollouts.id[rollout] ?? '';
  return (
    isPending('rollout', id) || isPending('node', view.nodes.id[view.rollouts.firstNode[rollout] ?? -1] ?? '')
  );
};

/** The columns of a leaf: mark, id, R, A, end. They stand on the row that the strips are painted on. */
export const LeafColumns = ({ model, rollout, hit }: { model: TreeModel; rollout: number; hit: boolean }) => {
  const { view, layout } = model;
  const id = view.rollouts.id[rollout] ?? '';
  const mark = markOf(view, rollout);
  const share = pieOf(view, rollout, mark);
  const reward = view.rollouts.reward[rollout] ?? NaN;
  const isTrunk =
    layout.level[rollout] === 1 && (layout.end[rollout] ?? 0) > (layout.rowOf[rollout] ?? 0) + 1;
  const reason = view.rollouts.reason[rollout] ?? view.rollouts.discarded[rollout] ?? undefined;
  return (
    <>
      {hit && <span class="tree-hit" />}
      <span class="rs-hidden">{rowName(model, rollout)}</span>
      <span class="tree-columns" title={reason ?? undefined} aria-hidden="true">
        <span class="tree-mark">
          {requestedOn(model, rollout) ? (
            <Icon name="sync" small turning />
          ) : (
            <Mark name={mark} {...(share === undefined ? {} : { share })} />
          )}
        </span>
        <span class={`tree-id${isTrunk ? ' rs-strong' : ''}`} title={id}>
          <bdi dir="ltr">{id}</bdi>
        </span>
        <span class="tree-reward">{Number.isFinite(reward) ? rate(reward) : ''}</span>
        <Advantage model={model} rollout={rollout} />
        <span class="tree-end">{count(endOf(model, rollout))}</span>
      </span>
    </>
  );
};
