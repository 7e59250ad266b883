import { useCallback, useRef } from 'preact/hooks';
import { Canvas, type Paint } from '../shared/canvas';
import { markOf, isProbe } from './status';
import { text } from './texts';
import { endOf, type TreeModel } from './treeModel';
import { MINIMAP, ROW, scrollTop, viewHeight } from './treeState';

const EDGE = 4;
const MOST_ROW = 14;
const LEAST_WINDOW = 12;

interface Fit {
  /** Pixels a row. */
  readonly row: number;
  readonly top: number;
  readonly height: number;
}

/** Where rows and window lie in a minimap of this height, CSS pixels. */
export const minimapFit = (height: number, rows: number, scroll: number, view: number): Fit => {
  const row = rows === 0 ? 0 : Math.min(MOST_ROW, (height - 2 * EDGE) / rows);
  const window = Math.max(LEAST_WINDOW, Math.min(rows * row, (view / ROW) * row));
  const most = Math.max(0, rows * ROW - view);
  const share = most === 0 ? 0 : Math.min(1, scroll / most);
  return { row, top: EDGE + share * Math.max(0, rows * row - window), height: window };
};

/** All rows in 48 px; its window is the scroll place and can be dragged. */
export const Minimap = ({
  model,
  end,
  chosen,
  hits,
  onScroll,
}: {
  model: TreeModel;
  /** End of the token axis. */
  end: number;
  chosen: number;
  hits: ReadonlySet<number> | null;
  onScroll: (top: number) => void;
}) => {
  const box = useRef<HTMLDivElement | null>(null);
  const { layout } = model;
  const paint = useCallback<Paint>(
    (context, { height }, colours) => {
      const fit = minimapFit(height, layout.count, 0, 0);
      const wide = MINIMAP - 16;
      const thick = Math.max(1, Math.min(2, fit.row / 2));
      // Where rows are thinner than a pixel, one row stands for its pixel.
      const each = Math.max(1, 1 / Math.max(1e-9, fit.row));
      for (let i = 0; i < layout.count; i += each) {
        const row = Math.floor(i);
        const rollout = layout.rolloutAt[row] ?? -1;
        const y = EDGE + row * fit.row + fit.row / 2 - thick / 2;
        const from = ((layout.start[rollout] ?? 0) / end) * wide;
        const to = (endOf(model, rollout) / end) * wide;
        const seen = rollout === chosen;
        context.fillStyle = seen
          ? colours.text
          : isProbe(model.view, rollout)
            ? colours.second
            : (colours.sequential[4] ?? colours.text);
        context.fillRect(EDGE + from, y, Math.max(1, to - from), seen ? Math.max(2, thick) : thick);
        const mark = markOf(model.view, rollout);
        if (mark === 'right' || mark === 'running') {
          context.fillStyle = mark === 'right' ? colours.text : colours.blue;
          context.fillRect(MINIMAP - 8, y, 3, Math.max(1, Math.min(3, fit.row)));
        }
        if (hits?.has(rollout) === true) {
          context.fillStyle = colours.focus;
          context.fillRect(0, y - 0.5, 3, Math.max(2, thick));
        }
      }
    },
    [model, end, chosen, hits],
  );
  // A layer of its own, so that scrolling paints no row anew.
  const paintWindow = useCallback<Paint>(
    (context, { height }, colours) => {
      const fit = minimapFit(height, layout.count, scrollTop.value, viewHeight.value);
      context.fillStyle = colours.minimap;
      context.strokeStyle = colours.theme.startsWith('high') ? colours.contrastActive : colours.strip;
      context.fillRect(0, fit.top, MINIMAP, fit.height);
      context.lineWidth = 1;
      context.strokeRect(0.5, fit.top + 0.5, MINIMAP - 1, fit.height - 1);
    },
    [layout.count],
  );
  const drag = (event: PointerEvent): void => {
    const element = box.current;
    if (!element || event.button !== 0) return;
    const area = element.getBoundingClientRect();
    const fitNow = (): Fit => minimapFit(area.height, layout.count, scrollTop.value, viewHeight.value);
    const start = fitNow();
    const at = event.clientY - area.top;
    const inside = at >= start.top && at <= start.top + start.height;
    const grip = inside ? at - start.top : start.height / 2;
    const most = Math.max(0, layout.count * ROW - viewHeight.value);
    const move = (y: number): void => {
      const room = layout.count * start.row - start.height;
      const top = y - area.top - grip - EDGE;
      onScroll(room <= 0 ? 0 : Math.min(most, Math.max(0, (top / room) * most)));
    };
    const moved = (next: PointerEvent): void => move(next.clientY);
    const done = (): void => {
      element.removeEventListener('pointermove', moved);
      element.removeEventListener('pointerup', done);
      element.removeEventListener('pointercancel', done);
    };
    element.setPointerCapture(event.pointerId);
    element.addEventListener('pointermove', moved);
    element.addEventListener('pointerup', done);
    element.addEventListener('pointercancel', done);
    move(event.clientY);
  };
  return (
    <div class="tree-minimap" ref={box} title={text('minimap')} aria-hidden="true" onPointerDown={drag}>
      <Canvas paint={paintWindow} />
      <Canvas paint={paint} />
    </div>
  );
};
