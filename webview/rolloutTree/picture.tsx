import { useComputed, useSignal } from '@preact/signals';
import { useCallback, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Canvas, type Paint } from '../shared/canvas';
import { count } from '../shared/format';
import { hideCard } from '../shared/hoverCard';
import type { MarkName } from '../shared/markShapes';
import { breakpoint } from '../shared/panelSize';
import { rowWindow, scrollToShow } from '../shared/virtualWindow';
import { Minimap } from './minimap';
import type { Overlay } from './overlay';
import { paintTree } from './paintTree';
import { hoverAt, positionAt } from './pointer';
import { text } from './texts';
import { TreeLegend } from './treeLegend';
import type { PathPart, TreeModel } from './treeModel';
import { LeafColumns, rowData } from './treeRow';
import {
  hoverRow,
  MINIMAP,
  PAD,
  ROW,
  scrollTop,
  tokenScale,
  tokenTicks,
  viewHeight,
  zoom,
  zoomed,
  type TokenScale,
} from './treeState';
import { useAnchor } from './useAnchor';

/** Width of the leaf columns, CSS pixels, as in the style sheet. */
const COLUMNS = { wide: 228, narrow: 104 } as const;

export interface PictureProps {
  readonly model: TreeModel;
  readonly overlay: Overlay | null;
  readonly marks: ReadonlySet<MarkName>;
  readonly path: readonly PathPart[];
  /** End of the token axis. */
  readonly end: number;
  readonly chosen: number;
  readonly current: number;
  readonly hits: ReadonlySet<number> | null;
  /** A click or Enter; `position`: the token under the pointer, when it lies on the rollout's path. */
  readonly onChoose: (rollout: number, position: number | null) => void;
  readonly onKey: (event: KeyboardEvent, rollout: number) => boolean;
  /** Gives the way to bring a row into view. */
  readonly shower: { current: (row: number) => void };
}

const Axis = ({ scale, left }: { scale: TokenScale; left: number }) => (
  <div class="tree-axis rs-small rs-second" aria-hidden="true">
    {tokenTicks(scale).map((tick) => (
      <span
        key={tick}
        class={scale.x(tick) < left + 20 ? 'tree-tick tree-tick-first' : 'tree-tick'}
        style={{ left: `${scale.x(tick)}px` }}
      >
        {tick === 0 ? text('zeroTokens') : count(tick)}
      </span>
    ))}
    <span class="tree-columns">
      <span class="tree-mark" />
      <span class="tree-id">{text('rollout')}</span>
      <span class="tree-reward">R</span>
      <span class="tree-advantage">A</span>
      <span class="tree-end">{text('end')}</span>
    </span>
  </div>
);

/** The trees of a group: strips on one token axis, the leaf columns on the same rows, the minimap. */
export const Picture = (props: PictureProps) => {
  const { model, overlay, path, end, chosen, current, hits, onChoose, onKey, shower } = props;
  const { layout, view } = model;
  const scroller = useRef<HTMLDivElement | null>(null);
  const width = useSignal(0);
  const id = useId();
  const rowCount = useSignal(layout.count);
  rowCount.value = layout.count;
  const narrow = breakpoint.value === 'narrow';
  const columns = narrow ? COLUMNS.narrow : COLUMNS.wide;
  const window = zoom.value ?? { from: 0, to: end };
  const right = width.value - columns - (narrow ? 8 : 24);
  const scale = useMemo(
    () => tokenScale(window.from, window.to, PAD, right),
    [window.from, window.to, right],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => {
      width.value = element.clientWidth;
      viewHeight.value = element.clientHeight;
      scrollTop.value = element.scrollTop;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const scrolled = (): void => {
      scrollTop.value = element.scrollTop;
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, []);
  useAnchor(scroller, model, chosen);
  shower.current = (row) => {
    const element = scroller.current;
    if (!element || row < 0) return;
    element.scrollTop = scrollToShow(row, element.scrollTop, element.clientHeight, ROW);
    scrollTop.value = element.scrollTop;
  };

  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    const area = scroller.current?.getBoundingClientRect();
    const now = zoom.value ?? { from: 0, to: end };
    if (event.shiftKey && !event.ctrlKey) {
      const by = (event.deltaX !== 0 ? event.deltaX : event.deltaY) * scale.perPixel;
      const size = now.to - now.from;
      const from = Math.min(end - size, Math.max(0, now.from + by));
      if (size < end) zoom.value = { from, to: from + size };
      return;
    }
    const about = Math.min(now.to, Math.max(now.from, scale.at(event.clientX - (area?.left ?? 0))));
    zoom.value = zoomed(now, about, Math.exp(event.deltaY / 400), end);
  };
  // Registered by hand: a passive listener could not keep the page from scrolling.
  const wheelNow = useRef(wheel);
  wheelNow.current = wheel;
  useLayoutEffect(() => {
    const element = scroller.current;
    const listen = (event: WheelEvent): void => wheelNow.current(event);
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);

  const paint = useCallback<Paint>(
    (context, size, colours) =>
      paintTree(context, size, colours, {
        model,
        overlay,
        scale,
        path,
        narrow,
        scrollTop: scrollTop.value,
        leadersTo: right + 12,
      }),
    [model, overlay, scale, path, narrow, right],
  );

  // Two numbers that change in blocks of rows: between them a scroll renders nothing.
  const first = useComputed(() => rowWindow(scrollTop.value, viewHeight.value, ROW, rowCount.value).first);
  const beyond = useComputed(() => rowWindow(scrollTop.value, viewHeight.value, ROW, rowCount.value).end);
  const rendered = { first: first.value, end: Math.min(layout.count, beyond.value) };
  const rows = Array.from({ length: rendered.end - rendered.first }, (_, i) => rendered.first + i);
  const currentRow = current < 0 ? -1 : (layout.rowOf[current] ?? -1);
  return (
    <div class="tree-picture">
      <Axis scale={scale} left={PAD} />
      <div class="tree-middle">
        <div
          ref={scroller}
          class="tree-rows"
          role="tree"
          aria-label={text('picture', { group: view.group })}
          tabIndex={0}
          {...(currentRow >= rendered.first && currentRow < rendered.end
            ? { 'aria-activedescendant': `${id}-${currentRow}` }
            : {})}
          onKeyDown={(event) => {
            if (onKey(event, current)) event.preventDefault();
          }}
          onPointerMove={(event) => {
            hoverAt(event, model, scale, right);
          }}
          onPointerLeave={() => {
            hoverRow.value = -1;
            hideCard();
          }}
          onDblClick={(event) => {
            zoom.value = positionAt(event, model, scale, right).subtree ?? zoom.value;
          }}
          onClick={(event) => {
            const { rollout, position } = positionAt(event, model, scale, right);
            if (rollout >= 0) onChoose(rollout, position);
          }}
        >
          <div class="tree-space" role="presentation" style={{ height: `${layout.count * ROW}px` }}>
            {rows.map((row) => {
              const rollout = layout.rolloutAt[row] ?? -1;
              const marks = `${rollout === chosen ? ' rs-chosen' : ''}${row === currentRow ? ' tree-current' : ''}`;
              return (
                <div
                  key={view.rollouts.id[rollout] ?? row}
                  id={`${id}-${row}`}
                  role="treeitem"
                  class={`tree-row rs-small${marks}`}
                  style={{ top: `${row * ROW}px` }}
                  aria-level={layout.level[rollout]}
                  aria-posinset={layout.position[rollout]}
                  aria-setsize={layout.siblings[rollout]}
                  aria-selected={rollout === chosen}
                  {...((layout.end[rollout] ?? 0) > row + 1 ? { 'aria-expanded': true } : {})}
                  {...rowData(model, rollout)}
                >
                  <LeafColumns model={model} rollout={rollout} hit={hits?.has(rollout) === true} />
                </div>
              );
            })}
          </div>
        </div>
        <div class="tree-canvas" aria-hidden="true">
          <Canvas paint={paint} />
        </div>
        <Minimap
          model={model}
          end={end}
          chosen={chosen}
          hits={hits}
          onScroll={(top) => {
            if (scroller.current) scroller.current.scrollTop = top;
          }}
        />
      </div>
      <TreeLegend marks={props.marks} overlay={overlay} width={width.value + MINIMAP + 12} />
    </div>
  );
};
