import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { step } from './keys';
import { mostRows, rowWindow, scrollToShow, type RowWindow } from './virtualWindow';

export interface VirtualRowsProps {
  readonly label: string;
  readonly role?: 'grid' | 'tree' | 'treegrid' | 'listbox';
  readonly count: number;
  /** CSS pixels. */
  readonly rowHeight?: number;
  /** Stays above the rows: a `row` of column heads. */
  readonly head?: ComponentChildren;
  readonly headHeight?: number;
  readonly columns?: number;
  /** Content of a row: cells of the role that belongs to `role`. */
  readonly row: (index: number) => ComponentChildren;
  /** `slots`: rows that are rendered at once are never more, so that `index % slots` reuses elements. */
  readonly rowKey?: (index: number, slots: number) => string;
  /** Name read aloud, and levels of a tree. */
  readonly rowAttributes?: (index: number) => Readonly<Record<string, string | number | boolean>>;
  /** Selected row; −1: none. */
  readonly chosen?: number;
  /** Click or Enter. */
  readonly onChoose?: (index: number) => void;
  /** The keyboard's row. */
  readonly onCurrent?: (index: number) => void;
  /** Row under the pointer, with its box; −1: none. */
  readonly onHover?: (index: number, box: DOMRect | null, clientX: number) => void;
  /** Further keys; true: handled. */
  readonly onKey?: (event: KeyboardEvent, index: number) => boolean;
  /** A picture under the rendered rows, a box as large as they are. */
  readonly underlay?: (window: RowWindow) => ComponentChildren;
  /** The same above the rows and their grounds. */
  readonly overlay?: (window: RowWindow) => ComponentChildren;
  readonly class?: string;
  /** Least width of the rows; narrower, they scroll sideways. */
  readonly minWidth?: number;
}

const roleOfRow = { grid: 'row', tree: 'treeitem', treegrid: 'row', listbox: 'option' } as const;

/**
 * Rows of one height, of which only those in view exist. One tab stop: the list has the focus, arrows move
 * the current row (`aria-activedescendant`), Enter or a click chooses it.
 */
export const VirtualRows = ({
  label,
  role = 'grid',
  count,
  rowHeight = 20,
  head,
  headHeight = 0,
  columns,
  row,
  rowKey,
  rowAttributes,
  chosen = -1,
  onChoose,
  onCurrent,
  onHover,
  onKey,
  underlay,
  overlay,
  class: className = '',
  minWidth,
}: VirtualRowsProps) => {
  const id = useId();
  const list = useRef<HTMLDivElement | null>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const [current, setCurrent] = useState(-1);
  const at = Math.min(current >= 0 ? current : chosen, count - 1);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const measure = (): void => {
      const { scrollTop: top, clientHeight } = element;
      const height = Math.max(0, clientHeight - headHeight);
      setView((old) => (old.top === top && old.height === height ? old : { top, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [headHeight]);

  const show = (index: number): void => {
    const element = list.current;
    if (!element) return;
    const height = element.clientHeight - headHeight;
    element.scrollTop = scrollToShow(index, element.scrollTop, height, rowHeight);
  };
  const rendered = rowWindow(view.top, view.height, rowHeight, count);
  const slots = mostRows(view.height, rowHeight);
  const indices = Array.from({ length: rendered.end - rendered.first }, (_, i) => rendered.first + i);
  const header = head === undefined ? 0 : 1;
  const selectable = onChoose !== undefined;

  const keyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    if (at >= 0 && onKey?.(event, at) === true) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.key === 'Enter' || event.key === ' ') && at >= 0 && selectable) {
      event.preventDefault();
      onChoose(at);
      return;
    }
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const next = step(event.key, at, count, 'column', false, page);
    if (next === null) return;
    event.preventDefault();
    setCurrent(next);
    onCurrent?.(next);
    show(next);
  };

  const line = (index: number) => {
    const kind = `${selectable ? ' rs-pickable' : ''}${index === chosen ? ' rs-chosen' : ''}${index === at ? ' rs-current' : ''}`;
    return (
      <div
        key={rowKey?.(index, slots) ?? index}
        id={`${id}-${index}`}
        role={roleOfRow[role]}
        class={`rs-line${kind}`}
        style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
        {...(role === 'grid' || role === 'treegrid' ? { 'aria-rowindex': index + 1 + header } : {})}
        {...(role === 'listbox' ? { 'aria-posinset': index + 1, 'aria-setsize': count } : {})}
        {...(selectable ? { 'aria-selected': index === chosen } : {})}
        {...rowAttributes?.(index)}
        onClick={() => {
          setCurrent(index);
          onCurrent?.(index);
          onChoose?.(index);
        }}
        onPointerEnter={(event) => {
          onHover?.(index, event.currentTarget.getBoundingClientRect(), event.clientX);
        }}
        onPointerLeave={() => onHover?.(-1, null, 0)}
      >
        {row(index)}
      </div>
    );
  };

  const picture = (content: ComponentChildren) => (
    <div
      class="rs-rows-picture"
      role="presentation"
      style={{
        top: `${rendered.first * rowHeight}px`,
        height: `${(rendered.end - rendered.first) * rowHeight}px`,
      }}
    >
      {content}
    </div>
  );

  return (
    <div
      ref={list}
      class={`rs-rows ${className}`}
      role={role}
      aria-label={label}
      tabIndex={0}
      {...(role === 'grid' || role === 'treegrid'
        ? { 'aria-rowcount': count + header, 'aria-colcount': columns }
        : {})}
      {...(at >= rendered.first && at < rendered.end ? { 'aria-activedescendant': `${id}-${at}` } : {})}
      onKeyDown={keyDown}
      onBlur={() => onHover?.(-1, null, 0)}
    >
      {head !== undefined && (
        <div
          class="rs-rows-head"
          role="rowgroup"
          style={{
            height: `${headHeight}px`,
            minWidth: minWidth === undefined ? undefined : `${minWidth}px`,
          }}
        >
          {head}
        </div>
      )}
      <div
        class="rs-rows-space"
        role={role === 'grid' || role === 'treegrid' ? 'rowgroup' : 'presentation'}
        style={{
          height: `${count * rowHeight}px`,
          minWidth: minWidth === undefined ? undefined : `${minWidth}px`,
        }}
      >
        {underlay !== undefined && picture(underlay(rendered))}
        {indices.map(line)}
        {overlay !== undefined && picture(overlay(rendered))}
      </div>
    </div>
  );
};
