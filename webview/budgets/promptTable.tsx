import { useSignal } from '@preact/signals';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { Canvas, type Paint } from '../shared/canvas';
import { count } from '../shared/format';
import { select } from '../shared/host';
import { hideCard, showCard } from '../shared/hoverCard';
import { Legend, ScaleLegend } from '../shared/legend';
import { breakpoint } from '../shared/panelSize';
import { TableBehind } from '../shared/tableBehind';
import { smallTextWidth } from '../shared/textWidth';
import { VirtualRows } from '../shared/virtualRows';
import type { RowWindow } from '../shared/virtualWindow';
import { methodInfo } from './methodInfo';
import { countRange, paintRows, type RowsPicture } from './paintRows';
import { PromptCard } from './promptCard';
import { promptNumbers } from './promptNumbers';
import type { Sort } from './promptOrder';
import { PromptRow } from './promptRow';
import { headText, TableHead } from './tableHead';
import { countColumns, HEAD, ROW, tableGeometry, type TableGeometry } from './tableGeometry';
import { text } from './texts';

const Picture = ({ window, picture }: { window: RowWindow; picture: RowsPicture }) => {
  const paint = useCallback<Paint>(
    (context, _size, colours) => paintRows(context, window, picture, colours),
    [window.first, window.end, picture],
  );
  return <Canvas paint={paint} class="bu-picture" aria-hidden="true" />;
};

/** Dashed lines through all rows where the method changed. */
const Changes = ({ view, geometry }: { view: BudgetsView; geometry: TableGeometry }) => {
  const shown = view.history.steps.slice(-geometry.heat.steps);
  return (
    <>
      {view.history.changes.map(({ step }) => {
        const i = shown.indexOf(step);
        if (i < 0) return null;
        return (
          <span
            key={step}
            class="bu-change"
            style={{ left: `${geometry.heat.x + i * geometry.heat.cell - 1}px` }}
          />
        );
      })}
    </>
  );
};

const Foot = ({ view, range }: { view: BudgetsView; range: RowsPicture['range'] }) => (
  <Legend>
    <ScaleLegend name={text('legend')} from={count(range.least)} to={count(range.most)} />
    <span class="rs-rule" />
    <span class="rs-second">{text('legendBlank')}</span>
    {view.history.changes.length > 0 && (
      <span class="rs-row">
        <svg width="8" height="12" aria-hidden="true">
          <line x1="4" x2="4" y1="0" y2="12" stroke="var(--rs-text)" stroke-dasharray="2 2" />
        </svg>
        {text('legendChange')}
      </span>
    )}
    {view.method !== null && methodInfo(view.method).reconstructed && (
      <span>{text('legendReconstructed')}</span>
    )}
  </Legend>
);

export interface PromptTableProps {
  readonly view: BudgetsView;
  /** Places in the view's columns, in the order shown. */
  readonly rows: readonly number[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  /** Place in `rows`; −1: none. */
  readonly chosen: number;
  readonly moved: number;
  readonly onSortAgain: () => void;
}

/** The table of prompts: heat map, pass rate, count as run with its bar, and the other counts, on the same rows. */
export const PromptTable = ({ view, rows, sort, onSort, chosen, moved, onSortAgain }: PromptTableProps) => {
  const box = useRef<HTMLDivElement | null>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      width.value = element.clientWidth;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const longest = useMemo(
    () => view.prompts.id.reduce((longer, id) => (id.length > longer.length ? id : longer), ''),
    [view.prompts.id],
  );
  const geometry = tableGeometry(
    width.value,
    breakpoint.value,
    smallTextWidth(longest),
    view.history.steps.length,
    (column) => smallTextWidth(headText(view, column)),
  );
  const range = useMemo(() => countRange(view, geometry.heat.steps), [view, geometry.heat.steps]);
  const key = JSON.stringify(geometry);
  const picture = useMemo<RowsPicture>(
    () => ({ view, rows, geometry, chosen, range }),
    [view, rows, key, chosen, range],
  );
  const mark = useRef<DOMRect | null>(null);
  const card = (row: number, column: number | null, at: number): void => {
    if (!mark.current) return;
    const name = `prompt-${view.prompts.id[row] ?? ''}-${column ?? ''}`;
    showCard(name, mark.current, () => <PromptCard view={view} row={row} column={column} />, at);
  };
  return (
    <TableBehind
      class="bu-table"
      label={text('table', { step: view.step })}
      head={
        <>
          <h2 class="rs-strong">{text('table', { step: view.step })}</h2>
          <span class="rs-row rs-grow" role="status">
            {moved > 0 && (
              <>
                <span class="rs-second rs-cut">
                  {moved === 1 ? text('orderChanged1') : text('orderChanged', { n: count(moved) })}
                </span>
                <button type="button" class="rs-link" onClick={onSortAgain}>
                  {text('sortAgain')}
                </button>
              </>
            )}
          </span>
        </>
      }
      table={() => promptNumbers(view, rows)}
    >
      <div ref={box} class="bu-rows-box">
        <VirtualRows
          class="bu-rows"
          label={text('table', { step: view.step })}
          count={rows.length}
          rowHeight={ROW}
          headHeight={HEAD}
          columns={4 + countColumns(breakpoint.value).length}
          minWidth={geometry.width}
          head={<TableHead view={view} geometry={geometry} sort={sort} onSort={onSort} />}
          row={(i) => {
            const row = rows[i];
            return row === undefined ? null : (
              <PromptRow
                view={view}
                row={row}
                geometry={geometry}
                onCell={(at, column, event) => card(at, column, event.clientX)}
              />
            );
          }}
          rowKey={(i) => view.prompts.id[rows[i] ?? -1] ?? String(i)}
          chosen={chosen}
          onChoose={(i) => {
            const row = rows[i] ?? -1;
            const prompt = view.prompts.id[row];
            if (prompt === undefined) return;
            select({
              step: view.step,
              prompt,
              group: view.prompts.group[row] ?? null,
              rollout: null,
              node: null,
            });
          }}
          onHover={(i, boundary, at) => {
            mark.current = boundary;
            const row = rows[i];
            if (row === undefined || !boundary) hideCard();
            else card(row, null, at);
          }}
          overlay={(window) => (
            <>
              <Picture window={window} picture={picture} />
              <Changes view={view} geometry={geometry} />
            </>
          )}
        />
      </div>
      <Foot view={view} range={range} />
    </TableBehind>
  );
};
