import type { BudgetsView } from '../../protocol/panels/budgets';
import { Icon } from '../shared/icon';
import { cellText } from './heatValues';
import { pinText, rateText } from './promptCard';
import { amount, number } from './promptNumbers';
import type { TableGeometry } from './tableGeometry';
import { DifferenceCells } from './whatIfColumns';
import type { Differences } from './whatIfDifferences';

/** Cells of one prompt; the picture of heat map, pass rate and bar lies above them, its words are in them. */
export const PromptRow = ({
  view,
  row,
  geometry,
  differences,
  onCell,
}: {
  view: BudgetsView;
  row: number;
  geometry: TableGeometry;
  differences: Differences;
  onCell: (row: number, column: number | null, event: PointerEvent) => void;
}) => {
  const { prompts, history } = view;
  const { heat, rate, run, counts } = geometry;
  const id = prompts.id[row] ?? '';
  const pin = prompts.pin[row] ?? null;
  const all = history.steps.length;
  return (
    <>
      <span role="gridcell" class="bu-id" style={{ width: `${geometry.prompt}px` }} title={id}>
        <span class="rs-cut">{id}</span>
        {pin !== null && (
          <span title={pinText(pin)}>
            <Icon name={pin === 'skip' ? 'circle-slash' : 'pinned'} small label={pinText(pin)} />
          </span>
        )}
      </span>
      <span
        role="gridcell"
        class="bu-cell"
        style={{ width: `${rate.x - heat.x}px` }}
        onPointerMove={(event) => {
          const i = Math.floor(event.offsetX / heat.cell);
          onCell(row, i >= 0 && i < heat.steps ? Math.max(0, all - heat.steps) + i : null, event);
        }}
      >
        <span class="rs-hidden">{cellText(view, row, all - 1)}</span>
      </span>
      <span
        role="gridcell"
        class="bu-cell"
        style={{ width: `${run.x - rate.x}px` }}
        aria-label={rateText(view, row)}
      />
      <span role="gridcell" class="bu-cell" style={{ width: `${run.width}px` }}>
        <span class="bu-number" style={{ width: `${run.number}px` }}>
          {number(prompts.launched[row] ?? -1)}
        </span>
      </span>
      {geometry.columns.map((column) => (
        <span
          key={column}
          role="gridcell"
          class={`bu-number${(prompts[column][row] ?? 0) > 0 ? '' : ' rs-second'}`}
          style={{ width: `${counts.widths[column]}px` }}
        >
          {(column === 'tokens' ? amount : number)(prompts[column][row] ?? -1)}
        </span>
      ))}
      <DifferenceCells differences={differences} row={row} />
    </>
  );
};
