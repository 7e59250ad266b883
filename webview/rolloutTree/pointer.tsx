import { hideCard, showCard } from '../shared/hoverCard';
import { ForkCard } from './forkCard';
import { endOf, forkPosition, itemsOf, type TreeModel } from './treeModel';
import { hoverRow, ROW, scrollTop, type TokenScale } from './treeState';

interface Spot {
  readonly row: number;
  readonly rollout: number;
  /** Pointer in the picture, CSS pixels from its left edge. */
  readonly x: number;
  readonly area: DOMRect;
}

const spotOf = (event: MouseEvent, model: TreeModel): Spot => {
  const area =
    event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : new DOMRect();
  const row = Math.floor((event.clientY - area.top + scrollTop.peek()) / ROW);
  const rollout = row >= 0 && row < model.layout.count ? (model.layout.rolloutAt[row] ?? -1) : -1;
  return { row, rollout, x: event.clientX - area.left, area };
};

/** Half of the least size of a thing that can be hit, CSS pixels. */
const REACH = 10;

/** The fork of a rollout nearest to a place of the picture, within reach; −1: none. */
const forkNear = (model: TreeModel, rollout: number, x: number, scale: TokenScale): number => {
  let best = -1;
  let least = REACH;
  for (const fork of itemsOf(model.forks, rollout)) {
    const entry = model.view.forks[fork];
    if (!entry) continue;
    const distance = Math.abs(scale.x(forkPosition(model.view, entry)) - x);
    if (distance <= least) {
      best = fork;
      least = distance;
    }
  }
  return best;
};

/** Notes the row under the pointer and shows the card of a fork there. */
export const hoverAt = (event: PointerEvent, model: TreeModel, scale: TokenScale, right: number): void => {
  const { row, rollout, x, area } = spotOf(event, model);
  hoverRow.value = rollout < 0 ? -1 : row;
  const fork = rollout < 0 || x > right ? -1 : forkNear(model, rollout, x, scale);
  const entry = model.view.forks[fork];
  if (!entry) {
    hideCard();
    return;
  }
  const middle = area.left + scale.x(forkPosition(model.view, entry));
  const top = area.top + row * ROW - scrollTop.peek();
  showCard(
    `fork ${model.view.nodes.id[entry.node] ?? ''} ${entry.at}`,
    { left: middle - 6, right: middle + 6, top, bottom: top + ROW },
    () => <ForkCard model={model} fork={fork} />,
    middle,
  );
};

export interface Place {
  readonly rollout: number;
  /** The token under the pointer, null beside the strip. */
  readonly position: number | null;
  /** On a fork: the tokens of its subtree, for the zoom. */
  readonly subtree: { readonly from: number; readonly to: number } | null;
}

export const positionAt = (event: MouseEvent, model: TreeModel, scale: TokenScale, right: number): Place => {
  const { rollout, x } = spotOf(event, model);
  if (rollout < 0) return { rollout, position: null, subtree: null };
  const token = Math.floor(scale.at(x));
  const onStrip = x <= right && token >= (model.layout.start[rollout] ?? 0) && token < endOf(model, rollout);
  const entry = model.view.forks[x <= right ? forkNear(model, rollout, x, scale) : -1];
  if (!entry) return { rollout, position: onStrip ? token : null, subtree: null };
  const from = forkPosition(model.view, entry);
  let to = from + 16;
  for (const node of entry.children) {
    const child = model.view.nodes.rollout[node] ?? -1;
    const last = model.layout.end[child] ?? 0;
    for (let row = model.layout.rowOf[child] ?? 0; row < last; row++) {
      to = Math.max(to, endOf(model, model.layout.rolloutAt[row] ?? -1));
    }
  }
  const before = Math.max(0, from - (to - from) * 0.05);
  return { rollout, position: from, subtree: { from: before, to } };
};
