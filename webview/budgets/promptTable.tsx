import type { VNode } from 'preact';
import { useCallback, useMemo, useRef } from 'preact/hooks';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { Canvas, type Paint } from '../shared/canvas';
import { count } from '../shared/format';
import { hideCard, showCard } from '../shared/hoverCard';
import { breakpoint } from '../shared/panelSize';
import { smallTextWidth } from '../shared/textWidth';
import { VirtualRows } from '../shared/virtualRows';
import type { RowWindow } from '../shared/virtualWindow';
import { heatRange } from './heatValues';
import { paintRows, type RowsPicture } from './paintRows';
import { useBox, type PictureProps } from './pictureProps';
import { PromptCard } from './promptCard';
import type { Sort } from './promptOrder';
import { PromptRow } from './promptRow';
import { subjectText } from './subjectText';
import { headText, TableHead } from './tableHead';
import { HEAD, ROW, tableGeometry, type TableGeometry } from './tableGeometry';
import { text } from './texts';
import { DIFFERENCE_WIDTH, differencesFor } from './whatIfDifferences';

const Picture = ({ window, picture }: { window: RowWindow; picture: RowsPicture }) => {
  const paint = useCallback<Paint>(
    (context, size, colours) => paintRows(context, window, picture, size, colours),
    [window.first, window.end, picture],
  );
  // Only as wide as what is drawn: a canvas is copied whole at every change.
  const width = `${picture.geometry.counts.x}px`;
  return <Canvas paint={paint} class="bu-picture" style={{ width }} aria-hidden="true" />;
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

const greatest = (column: ArrayLike<number>): number => {
  let most = 0;
  for (let i = 0; i < column.length; i++) if (column[i]! > most) most = column[i]!;
  return most;
};

/** Rows whose cells are kept; many times those in view. */
const CELLS_KEPT = 512;

/** The table of prompts: heat map, pass rate, count as run with its bar, and the other counts, on the same rows. */
export const PromptTable = ({
  view,
  rows,
  chosen,
  onChoose,
  sort,
  onSort,
}: PictureProps & { readonly sort: Sort; readonly onSort: (sort: Sort) => void }) => {
  const { box, width } = useBox();
  const { id, launched } = view.prompts;
  const longest = useMemo(
    () => id.reduce((longer, each) => (each.length > longer.length ? each : longer), ''),
    [id],
  );
  const mostLaunched = useMemo(() => greatest(launched), [launched]);
  const differences = differencesFor(view.prompts, breakpoint.value === 'narrow');
  const geometry = tableGeometry(
    width,
    breakpoint.value,
    smallTextWidth(longest.slice(0, 64)),
    view.history.steps.length,
    (column) => smallTextWidth(headText(view, column)),
    smallTextWidth(count(mostLaunched)),
    differences.columns.length * DIFFERENCE_WIDTH,
  );
  const range = useMemo(() => heatRange(view.history, geometry.heat.steps), [view, geometry.heat.steps]);
  const key = JSON.stringify(geometry);
  const picture = useMemo<RowsPicture>(
    () => ({ view, rows, geometry, chosen, range, mostLaunched }),
    [view, rows, key, chosen, range],
  );
  // What a row holds does not change while rows scroll by: the same cells are handed out again, and not compared.
  const cells = useMemo(() => new Map<number, VNode>(), [view, key, differences]);
  const mark = useRef<DOMRect | null>(null);
  const card = (row: number, column: number | null, at: number): void => {
    if (!mark.current) return;
    const name = `prompt-${id[row] ?? ''}-${column ?? ''}`;
    showCard(name, mark.current, () => <PromptCard view={view} row={row} column={column} />, at);
  };
  return (
    <div ref={box} class="bu-rows-box">
      <VirtualRows
        class="bu-rows"
        label={text('table', { subject: subjectText(view.subject) })}
        count={rows.length}
        rowHeight={ROW}
        headHeight={HEAD}
        columns={4 + geometry.columns.length + differences.columns.length}
        minWidth={geometry.width}
        head={
          <TableHead view={view} geometry={geometry} sort={sort} onSort={onSort} differences={differences} />
        }
        row={(i) => {
          const row = rows[i];
          if (row === undefined) return null;
          const known = cells.get(row);
          if (known) return known;
          if (cells.size > CELLS_KEPT) cells.clear();
          const made = (
            <PromptRow
              view={view}
              row={row}
              geometry={geometry}
              differences={differences}
              onCell={(at, column, event) => card(at, column, event.clientX)}
            />
          );
          cells.set(row, made);
          return made;
        }}
        rowKey={(i, slots) => String(i % slots)}
        chosen={chosen}
        onChoose={(i) => onChoose(rows[i] ?? -1)}
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
  );
};
