import { useSignal, type Signal } from '@preact/signals';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { Canvas, type Paint } from '../shared/canvas';
import { hideCard, showCard } from '../shared/hoverCard';
import { step as moved } from '../shared/keys';
import { breakpoint } from '../shared/panelSize';
import { AXIS, heatCellAt, heatGeometry, scrollAbout, zoomed, type HeatGeometry } from './heatGeometry';
import { cellText, heatRange, measureText } from './heatValues';
import { paintHeatMap } from './paintHeatMap';
import { heatRowHeight } from './panelState';
import { useBox, type PictureProps } from './pictureProps';
import { PromptCard } from './promptCard';
import { subjectText } from './subjectText';
import { text } from './texts';

interface Place {
  readonly row: number;
  readonly column: number;
}

/** The one cell that the keyboard stands on, as an element: a reader hears it, a ring shows it. */
const Current = ({
  id,
  view,
  rows,
  place,
  geometry,
  scrollTop,
  isChosen,
}: {
  id: string;
  view: BudgetsView;
  rows: ArrayLike<number>;
  place: Place;
  geometry: HeatGeometry;
  scrollTop: Signal<number>;
  isChosen: boolean;
}) => {
  const { labels, cellWidth, rowHeight, height } = geometry;
  const row = rows[place.row] ?? -1;
  const y = place.row * rowHeight - scrollTop.value;
  const seen = y > -rowHeight && y < height;
  return (
    <div role="row" aria-rowindex={place.row + 1}>
      <div
        id={id}
        role="gridcell"
        class="bu-heat-current"
        aria-colindex={place.column + 1}
        aria-selected={isChosen}
        aria-label={`${view.prompts.id[row] ?? ''}: ${cellText(view, row, place.column)}`}
        style={{
          left: `${labels + place.column * cellWidth - 1}px`,
          top: `${AXIS + y - 1}px`,
          width: `${Math.max(4, cellWidth + 2)}px`,
          height: `${Math.max(4, rowHeight + 2)}px`,
          visibility: seen ? 'visible' : 'hidden',
        }}
      />
    </div>
  );
};

/** Prompts × steps: all of them at once, or zoomed to rows with names. Rows are in the order of the table. */
export const HeatMap = ({ view, rows, chosen, onChoose }: PictureProps) => {
  const { box, width, height } = useBox();
  const scroller = useRef<HTMLDivElement | null>(null);
  const scrollTop = useSignal(0);
  const current = useSignal<Place | null>(null);
  const id = useId();
  const columns = view.history.steps.length;
  const narrow = breakpoint.value === 'narrow';
  const geometry = useMemo(
    () => heatGeometry(width, height, rows.length, columns, heatRowHeight.value, narrow),
    [width, height, rows.length, columns, heatRowHeight.value, narrow],
  );
  const range = useMemo(() => heatRange(view.history, columns), [view.history]);
  const paint = useCallback<Paint>(
    (context, size, colours) =>
      paintHeatMap(
        context,
        { view, rows, geometry, range, chosen, scrollTop: scrollTop.value },
        size,
        colours,
      ),
    [view, rows, geometry, range, chosen],
  );
  /** Where the scroll place must be after the next zoom has been drawn. */
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || wanted.current === null) return;
    element.scrollTop = wanted.current;
    scrollTop.value = element.scrollTop;
    wanted.current = null;
  }, [geometry]);
  const at: Place = {
    row: Math.min(rows.length - 1, current.value?.row ?? Math.max(0, chosen)),
    column: Math.min(columns - 1, current.value?.column ?? columns - 1),
  };

  const zoom = (by: number, y: number): void => {
    const { rowHeight, height: inner } = geometry;
    const next = heatGeometry(width, height, rows.length, columns, zoomed(rowHeight, by), narrow);
    if (next.rowHeight === rowHeight) return;
    wanted.current = scrollAbout(scrollTop.peek(), y, rowHeight, next.rowHeight, next.total, inner);
    heatRowHeight.value =
      zoomed(rowHeight, by) <= next.rowHeight && by < 1 && next.total <= inner ? 0 : next.rowHeight;
  };
  const show = (row: number): void => {
    const element = scroller.current;
    if (!element) return;
    const { rowHeight, height: inner } = geometry;
    const top = row * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + inner) element.scrollTop = top + rowHeight - inner;
  };

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    // Not by an attribute: a wheel listener that is to prevent must say so.
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientY - element.getBoundingClientRect().top - AXIS);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [geometry]);

  const keyDown = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const zoomBy = { '+': 2, '=': 2, '-': 0.5 }[event.key];
    if (zoomBy !== undefined) {
      event.preventDefault();
      zoom(zoomBy, at.row * geometry.rowHeight - scrollTop.peek());
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === '0') {
      event.preventDefault();
      wanted.current = 0;
      heatRowHeight.value = 0;
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      current.value = at;
      onChoose(rows[at.row] ?? -1, view.history.steps[at.column]);
      return;
    }
    const page = Math.max(1, Math.floor(geometry.height / geometry.rowHeight) - 1);
    const column = moved(event.key, at.column, columns, 'row');
    const row = /^(Arrow(Up|Down)|Page(Up|Down))$/.test(event.key)
      ? moved(event.key, at.row, rows.length, 'column', false, page)
      : at.row;
    if ((column === null || event.key.startsWith('Page')) && (row === null || row === at.row)) return;
    event.preventDefault();
    const next = {
      row: row ?? at.row,
      column: event.key.startsWith('Page') ? at.column : (column ?? at.column),
    };
    current.value = next;
    show(next.row);
  };

  const pointed = (event: MouseEvent): Place | null => {
    const edges = scroller.current?.getBoundingClientRect();
    return edges
      ? heatCellAt(
          geometry,
          rows.length,
          columns,
          event.clientX - edges.left,
          event.clientY - edges.top,
          scrollTop.peek(),
        )
      : null;
  };
  const label = text('heatLabel', {
    measure: measureText(view.history.measure),
    subject: subjectText(view.subject),
  });
  return (
    <div ref={box} class="bu-heat">
      <Canvas paint={paint} class="bu-picture" aria-hidden="true" />
      <div
        ref={scroller}
        class="bu-heat-scroll rs-scroll"
        role="grid"
        aria-label={label}
        tabIndex={0}
        aria-rowcount={rows.length}
        aria-colcount={columns}
        aria-activedescendant={rows.length > 0 && columns > 0 ? id : undefined}
        onScroll={(event) => {
          scrollTop.value = event.currentTarget.scrollTop;
          hideCard();
        }}
        onKeyDown={keyDown}
        onClick={(event) => {
          const place = pointed(event);
          if (!place) return;
          current.value = place;
          onChoose(rows[place.row] ?? -1, view.history.steps[place.column]);
        }}
        onPointerMove={(event) => {
          const place = pointed(event);
          const row = place ? (rows[place.row] ?? -1) : -1;
          if (!place || row < 0) {
            hideCard();
            return;
          }
          const { clientX: x, clientY: y } = event;
          const mark = { left: x - 4, right: x + 4, top: y - 8, bottom: y + 8 };
          showCard(`cell-${row}-${place.column}`, mark, () => (
            <PromptCard view={view} row={row} column={place.column} />
          ));
        }}
        onPointerLeave={() => hideCard()}
      >
        <div class="bu-heat-space" role="rowgroup" style={{ height: `${geometry.total + AXIS}px` }}>
          {rows.length > 0 && columns > 0 && (
            <div class="bu-heat-marks" role="presentation">
              <Current
                id={id}
                view={view}
                rows={rows}
                place={at}
                geometry={geometry}
                scrollTop={scrollTop}
                isChosen={at.row === chosen}
              />
            </div>
          )}
        </div>
      </div>
    </div>
  );
};
