import { useLayoutEffect, useRef } from 'preact/hooks';
import { keepAnchor } from './layout';
import type { TreeModel } from './treeModel';
import { hoverRow, ROW, scrollTop, viewHeight } from './treeState';

/** Keeps the row under the pointer, else the chosen one in view, else the first one in view, on its place. */
export const useAnchor = (
  scroller: { readonly current: HTMLDivElement | null },
  model: TreeModel,
  chosen: number,
): void => {
  const before = useRef<TreeModel | null>(null);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = model;
    const element = scroller.current;
    if (!element || !old || old === model || old.view.group !== model.view.group) return;
    const top = scrollTop.peek();
    const inView = (row: number): boolean =>
      row >= 0 && row * ROW >= top && (row + 1) * ROW <= top + viewHeight.peek();
    const chosenRow = chosen < 0 ? -1 : (old.layout.rowOf[chosen] ?? -1);
    const hovered = hoverRow.peek();
    const atEnd = top > 0 && top + viewHeight.peek() >= old.layout.count * ROW - 1;
    if (hovered < 0 && !inView(chosenRow) && atEnd) {
      element.scrollTop = model.layout.count * ROW;
    } else {
      const row = hovered >= 0 ? hovered : inView(chosenRow) ? chosenRow : Math.floor(top / ROW);
      const id = old.view.rollouts.id[old.layout.rolloutAt[row] ?? -1];
      const was = old.layout.rolloutAt[row] ?? -1;
      // Rollouts keep their places in the columns while a group grows; else they are looked for.
      const now = model.view.rollouts.id[was] === id ? was : model.view.rollouts.id.indexOf(id ?? '');
      const after = now < 0 ? -1 : (model.layout.rowOf[now] ?? -1);
      element.scrollTop = keepAnchor(top, row, after, ROW);
      if (hovered >= 0 && after >= 0) hoverRow.value = after;
    }
    scrollTop.value = element.scrollTop;
  }, [model]);
};
