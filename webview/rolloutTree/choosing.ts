import { useEffect, useRef } from 'preact/hooks';
import { select, selection } from '../shared/host';
import { searchTextOf } from './status';
import { itemsOf, partAt, pathOf, type TreeModel } from './treeModel';
import { caret, currentRollout, scrollTop, setCaret, zoom } from './treeState';

/** Places of the rollouts that the search finds; null: nothing is searched. */
export const hitsOf = ({ view }: TreeModel, words: string): ReadonlySet<number> | null => {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return null;
  const found = new Set<number>();
  for (let r = 0; r < view.rollouts.id.length; r++) {
    if (searchTextOf(view, r).includes(wanted)) found.add(r);
  }
  return found;
};

/** Another group: nothing of the old one's place, zoom and caret holds. */
export const useFresh = (group: string): void => {
  const shown = useRef(group);
  useEffect(() => {
    if (shown.current === group) return;
    shown.current = group;
    zoom.value = null;
    scrollTop.value = 0;
    currentRollout.value = null;
    setCaret(null);
  }, [group]);
};

/** Chooses a rollout, and the token at `position`, for all panels. */
export const choose = (model: TreeModel, rollout: number, position: number | null): void => {
  const { view } = model;
  const id = view.rollouts.id[rollout];
  if (id === undefined) return;
  const part = position === null ? null : partAt(pathOf(model, rollout), position);
  const own = itemsOf(model.nodes, rollout);
  const node = view.nodes.id[part?.node ?? own[own.length - 1] ?? -1] ?? null;
  currentRollout.value = id;
  select({ prompt: view.prompt, group: view.group, rollout: id, node });
  if (position !== null) setCaret({ rollout: id, position });
};

/** One level up: token, rollout, group. */
export const levelUp = (): void => {
  if (caret.value !== null) setCaret(null);
  else if (selection.value.rollout !== null) select({ rollout: null, node: null });
  else if (selection.value.group !== null) select({ group: null, prompt: null });
};
