import type { BudgetsView } from '../../protocol/panels/budgets';
import { count, large } from '../shared/format';
import { Icon } from '../shared/icon';
import { smallTextWidth } from '../shared/textWidth';
import { methodName } from './methodInfo';
import type { ColumnKey } from './columns';
import { measureText } from './heatValues';
import { columnName } from './promptNumbers';
import type { Sort } from './promptOrder';
import { HEAD, type CountColumn, type TableGeometry } from './tableGeometry';
import { text } from './texts';
import { DifferenceHeads } from './whatIfColumns';
import type { Differences } from './whatIfDifferences';

/** Name in the head of a column of counts; the count as run is called by its method. */
export const headText = (view: BudgetsView, column: CountColumn | 'launched'): string =>
  column === 'launched' && view.method !== null ? methodName(view.method) : columnName(column);

interface SortHeadProps {
  readonly by: ColumnKey;
  readonly name: string;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** Sorts by its column; again, the other way round. Counts begin with the greatest. */
const SortHead = ({ by, name, sort, onSort }: SortHeadProps) => {
  const active = sort.by === by;
  return (
    <button
      type="button"
      class={`bu-sort${active ? ' rs-strong' : ''}`}
      title={text('sortBy', { column: name })}
      onClick={() => onSort({ by, descending: active ? !sort.descending : by !== 'prompt' })}
    >
      <span class="rs-cut">{name}</span>
      {active && <Icon name={sort.descending ? 'triangle-down' : 'triangle-up'} small />}
    </button>
  );
};

const ariaSort = (sort: Sort, by: ColumnKey) =>
  sort.by === by ? { 'aria-sort': sort.descending ? ('descending' as const) : ('ascending' as const) } : {};

/** Numbers of steps over the heat map and the changes of method with their names. */
const HeatHead = ({ view, geometry }: { view: BudgetsView; geometry: TableGeometry }) => {
  const { steps, changes } = view.history;
  const { heat, rate } = geometry;
  const shown = steps.slice(-heat.steps);
  const last = shown.at(-1) ?? 0;
  const every = [5, 10, 20, 50, 100].find((n) => n * heat.cell >= 40) ?? 100;
  const room = smallTextWidth(String(last)) + 8;
  const x = (i: number): number => i * heat.cell + (heat.cell - 1) / 2;
  const end = shown.length * heat.cell;
  const marks = changes.flatMap((change) => {
    const i = shown.indexOf(change.step);
    return i < 0 ? [] : [{ ...change, x: i * heat.cell - 0.5 }];
  });
  const newest = marks.at(-1);
  const name = text('byStep', { measure: measureText(view.history.measure) });
  const label = newest && `${newest.step}: ${newest.label}`;
  const width = rate.x - heat.x - 12;
  // The name of the change stands right of its mark if it fits, else the name of the map stands alone.
  const fits =
    newest !== undefined && label !== undefined && newest.x + 8 + smallTextWidth(label) <= width + 8;
  const nameFits = smallTextWidth(name) <= (fits ? newest.x - 8 : width);
  return (
    <svg class="bu-heat-head" width={width} height={HEAD} aria-hidden="true">
      {nameFits && (
        <text x="0" y="16" class="rs-second">
          {name}
        </text>
      )}
      {marks.map((mark) => (
        <g key={mark.step}>
          <title>{`${mark.step}: ${mark.label}`}</title>
          <line x1={mark.x} x2={mark.x} y1="22" y2={HEAD} stroke="var(--rs-text)" stroke-dasharray="2 2" />
          <circle cx={mark.x} cy="22" r="3" fill="var(--rs-text)" />
        </g>
      ))}
      {fits && (
        <text x={newest.x + 8} y="16">
          {label}
        </text>
      )}
      {shown.map((step, i) =>
        step % every === 0 && end - x(i) > room ? (
          <text key={step} x={x(i)} y="36" class="rs-second rs-middle rs-halo">
            {step}
          </text>
        ) : null,
      )}
      {shown.length > 0 && (
        <text x={Math.max(end, smallTextWidth(String(last)))} y="36" class="rs-strong rs-end">
          {last}
        </text>
      )}
    </svg>
  );
};

export const TableHead = ({
  view,
  geometry,
  sort,
  onSort,
  differences,
}: {
  view: BudgetsView;
  geometry: TableGeometry;
  sort: Sort;
  onSort: (sort: Sort) => void;
  differences: Differences;
}) => {
  const { ledger } = view;
  const totals: Readonly<Record<CountColumn, number>> = { ...ledger, tokens: view.tokens.total };
  const right = { sort, onSort };
  return (
    <div class="bu-head rs-small" role="row" aria-rowindex={1}>
      <span
        role="columnheader"
        {...ariaSort(sort, 'prompt')}
        class="bu-head-cell bu-head-low"
        style={{ left: '16px', width: `${geometry.prompt - 24}px` }}
      >
        <SortHead by="prompt" name={text('prompt')} {...right} />
      </span>
      <span
        role="columnheader"
        class="bu-head-cell"
        style={{ left: `${geometry.heat.x}px`, width: `${geometry.rate.x - geometry.heat.x - 12}px` }}
      >
        <span class="rs-hidden">{text('byStep', { measure: measureText(view.history.measure) })}</span>
        <HeatHead view={view} geometry={geometry} />
      </span>
      <span
        role="columnheader"
        {...ariaSort(sort, 'rate')}
        class="bu-head-cell"
        style={{ left: `${geometry.rate.x}px`, width: `${geometry.rate.width + 16}px` }}
      >
        <SortHead by="rate" name={text(view.subject.kind === 'step' ? 'rate' : 'rateIn')} {...right} />
        <span class="bu-axis rs-second" style={{ width: `${geometry.rate.width}px` }} aria-hidden="true">
          <span>0</span>
          <span>1</span>
        </span>
      </span>
      <span
        role="columnheader"
        {...ariaSort(sort, 'launched')}
        class="bu-head-cell"
        style={{ left: `${geometry.run.x}px`, width: `${geometry.run.width}px` }}
      >
        <SortHead by="launched" name={headText(view, 'launched')} {...right} />
        <span class="bu-total">{count(ledger.launched)}</span>
      </span>
      <span role="presentation" class="bu-head-cell bu-counts" style={{ left: `${geometry.counts.x}px` }}>
        {geometry.columns.map((column) => (
          <span
            key={column}
            role="columnheader"
            {...ariaSort(sort, column)}
            class="bu-count-head"
            style={{ width: `${geometry.counts.widths[column]}px` }}
          >
            <SortHead by={column} name={headText(view, column)} {...right} />
            <span class="bu-total">{(column === 'tokens' ? large : count)(totals[column])}</span>
          </span>
        ))}
        <DifferenceHeads differences={differences} />
      </span>
    </div>
  );
};
