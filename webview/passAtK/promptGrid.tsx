import { computed, useSignal } from '@preact/signals';
import type { PasskRows } from '../../protocol/panels/passAtK';
import { count, passAt, pointsValue, rate } from '../shared/format';
import { select, selection } from '../shared/host';
import { Icon } from '../shared/icon';
import { breakpoint } from '../shared/panelSize';
import { VirtualRows } from '../shared/virtualRows';
import { AdviceBar, AdviceLine } from './advice';
import { linePath } from './chartPaths';
import type { DrawnView } from './drawnView';
import { orderRows, rowChange, rowPassAt, type Sort, type SortKey } from './promptOrder';
import { text } from './texts';

const CELL = { width: 96, height: 16 };

/** pass@k of one prompt over k, without axes: 0 at the foot, 1 at the head, the reference thin behind it. */
const CurveCell = ({ view, rows, row }: { view: DrawnView; rows: PasskRows; row: number }) => {
  const last = Math.max(1, view.k.length - 1);
  const points = (of: (k: number) => number) =>
    view.k.map((k, i) => ({ x: 1 + (i / last) * (CELL.width - 2), y: 1 + (1 - of(k)) * (CELL.height - 2) }));
  const reference = { ...rows, n: rows.againstN, c: rows.againstC };
  return (
    <svg width={CELL.width} height={CELL.height} aria-hidden="true">
      <line x1="0" x2={CELL.width} y1={CELL.height - 0.5} y2={CELL.height - 0.5} stroke="var(--rs-grid)" />
      {view.shown !== view.against && (
        <path
          d={linePath(points((k) => rowPassAt(reference, row, k)))}
          fill="none"
          stroke="var(--rs-second)"
          stroke-width="1"
          opacity=".7"
        />
      )}
      <path
        d={linePath(points((k) => rowPassAt(rows, row, k)))}
        fill="none"
        stroke="var(--rs-text)"
        stroke-width="1.5"
      />
    </svg>
  );
};

interface Column {
  readonly key: SortKey;
  readonly name: string;
  readonly title: string;
  readonly width: number;
  readonly cell: (row: number) => string;
}

const needText = (rollouts: number): string =>
  Number.isFinite(rollouts) ? count(rollouts) : text('overMost');

const columnsOf = (view: DrawnView, rows: PasskRows): readonly Column[] => {
  const k = view.largestK;
  const p = (value: number): string => (Number.isFinite(value) ? passAt(value) : text('shortUndefined'));
  const noSamples = (row: number): boolean => rows.n[row] === 0;
  const all: readonly Column[] = [
    { key: 'n', name: 'n', title: text('nTitle'), width: 48, cell: (row) => count(rows.n[row] ?? 0) },
    { key: 'c', name: 'c', title: text('cTitle'), width: 48, cell: (row) => count(rows.c[row] ?? 0) },
    {
      key: 'one',
      name: text('passAt', { k: 1 }),
      title: text('oneTitle'),
      width: 64,
      cell: (row) => (noSamples(row) ? text('notMeasured') : p(rowPassAt(rows, row, 1))),
    },
    {
      key: 'many',
      name: text('passAt', { k }),
      title: text('manyTitle', { k }),
      width: 72,
      cell: (row) => (noSamples(row) ? text('notMeasured') : p(rowPassAt(rows, row, k))),
    },
    ...(view.shown === view.against
      ? []
      : [
          {
            key: 'change' as const,
            name: text('colChange'),
            title: text('changeTitle'),
            width: 64,
            cell: (row: number) =>
              Number.isFinite(rowChange(rows, row)) ? pointsValue(rowChange(rows, row)) : text('none'),
          },
        ]),
    {
      key: 'half',
      name: text('colHalf'),
      title: text('halfTitle'),
      width: 64,
      cell: (row) => needText(rows.needHalf[row] ?? NaN),
    },
    {
      key: 'nine',
      name: text('colNine'),
      title: text('nineTitle'),
      width: 72,
      cell: (row) => needText(rows.needNine[row] ?? NaN),
    },
    {
      key: 'mixed',
      name: text('colMixed'),
      title: text('mixedTitle', { rollouts: rows.adviceRollouts }),
      width: 72,
      cell: (row) => rate(rows.mixed[row] ?? NaN),
    },
  ];
  return breakpoint.value === 'narrow' ? all.filter(({ key }) => key !== 'change' && key !== 'c') : all;
};

const Head = ({
  columns,
  sort,
  onSort,
  template,
}: {
  columns: readonly Column[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  template: string;
}) => {
  const sortable = (key: SortKey, name: string, title: string) => (
    <button
      type="button"
      class={`pk-sort${sort.by === key ? ' rs-strong' : ''}`}
      title={title}
      onClick={() => onSort({ by: key, descending: sort.by === key ? !sort.descending : key !== 'prompt' })}
    >
      {name}
      {sort.by === key && <Icon name={sort.descending ? 'triangle-down' : 'triangle-up'} small />}
    </button>
  );
  const order = (key: SortKey) =>
    sort.by === key
      ? { 'aria-sort': sort.descending ? ('descending' as const) : ('ascending' as const) }
      : {};
  return (
    <div
      class="pk-row rs-second rs-small"
      role="row"
      aria-rowindex={1}
      style={{ gridTemplateColumns: template }}
    >
      <span role="columnheader" {...order('prompt')}>
        {sortable('prompt', text('colPrompt'), text('promptTitle'))}
      </span>
      <span role="columnheader">{text('chart')}</span>
      {columns.map(({ key, name, title }) => (
        <span key={key} role="columnheader" class="pk-number" {...order(key)}>
          {sortable(key, name, title)}
        </span>
      ))}
    </div>
  );
};

/** Every prompt of the shown measurement on its row: its curve, its counts, and what more rollouts would bring. */
export const PromptGrid = ({ view, rows }: { view: DrawnView; rows: PasskRows }) => {
  const sort = useSignal<Sort>({ by: 'mixed', descending: true });
  const chosen = useSignal<string | null>(selection.value.prompt);
  const order = computed(() => orderRows(rows, sort.value, view.largestK)).value;
  const columns = columnsOf(view, rows);
  const template = [
    'minmax(120px, 1fr)',
    `${CELL.width}px`,
    ...columns.map(({ width }) => `${width}px`),
  ].join(' ');
  const place = chosen.value === null ? -1 : order.findIndex((row) => rows.prompt[row] === chosen.value);
  const row = order[place];
  return (
    <section class="pk-prompts" aria-label={text('promptGrid')}>
      <AdviceLine view={view} rows={rows} />
      <VirtualRows
        class="rs-grow rs-small pk-grid"
        label={text('promptGrid')}
        count={order.length}
        columns={columns.length + 2}
        headHeight={24}
        minWidth={columns.reduce((sum, { width }) => sum + width + 8, CELL.width + 8 + 120 + 32)}
        head={
          <Head
            columns={columns}
            sort={sort.value}
            onSort={(next) => (sort.value = next)}
            template={template}
          />
        }
        chosen={place}
        rowKey={(at) => rows.prompt[order[at] ?? 0] ?? ''}
        onChoose={(at) => {
          const id = rows.prompt[order[at] ?? -1] ?? null;
          chosen.value = id;
          if (id !== null) select({ prompt: id });
        }}
        row={(at) => {
          const index = order[at] ?? 0;
          const id = rows.prompt[index] ?? '';
          return (
            <div
              class="pk-row rs-grow"
              role="presentation"
              style={{ gridTemplateColumns: template }}
              data-prompt={id}
            >
              <span role="gridcell" class="rs-cut" title={id}>
                {id}
              </span>
              <span role="gridcell">
                <CurveCell view={view} rows={rows} row={index} />
                <span class="rs-hidden">{columns[3]?.cell(index) ?? ''}</span>
              </span>
              {columns.map(({ key, cell }) => (
                <span key={key} role="gridcell" class="pk-number" data-column={key}>
                  {cell(index)}
                </span>
              ))}
            </div>
          );
        }}
      />
      <AdviceBar view={view} rows={rows} row={row ?? -1} />
    </section>
  );
};
