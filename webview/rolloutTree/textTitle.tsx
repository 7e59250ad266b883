import { command } from '../shared/host';
import { IconButton } from '../shared/iconButton';
import { Mark } from '../shared/marks';
import { isStill } from '../shared/steering';
import { markOf, pieOf, statusOf, statusText } from './status';
import { text } from './texts';
import type { TreeModel } from './treeModel';

/** Which rollout is read, how it ended, the way to its neighbours. */
export const TextTitle = ({
  model,
  chosen,
  onMove,
  copied,
}: {
  model: TreeModel;
  chosen: number;
  onMove: (by: -1 | 1) => void;
  copied: () => string;
}) => {
  const { view } = model;
  const mark = markOf(view, chosen);
  const share = pieOf(view, chosen, mark);
  const reason = view.rollouts.reason[chosen] ?? view.rollouts.discarded[chosen] ?? null;
  return (
    <div class="rs-pane-title tree-text-title">
      <Mark name={mark} {...(share === undefined ? {} : { share })} />
      <h2 class="rs-mono rs-strong rs-cut" title={view.rollouts.id[chosen]}>
        {view.rollouts.id[chosen]}
      </h2>
      <span class="rs-second rs-cut rs-grow" title={reason ?? undefined}>
        {reason ?? statusText(statusOf(view, chosen), isStill())}
      </span>
      <IconButton icon="triangle-up" label={text('previousRow')} onPress={() => onMove(-1)} />
      <IconButton icon="triangle-down" label={text('nextRow')} onPress={() => onMove(1)} />
      <IconButton
        icon="copy"
        label={text('copyText')}
        onPress={() => void command({ id: 'copy', text: copied() })}
      />
    </div>
  );
};
