import type { BudgetsView } from '../../protocol/panels/budgets';
import { Dropdown } from '../shared/controls';
import { count, rate } from '../shared/format';
import { IconButton } from '../shared/iconButton';
import { Legend, ScaleLegend } from '../shared/legend';
import { TableBehind } from '../shared/tableBehind';
import { COLUMN_KEYS, numberColumn } from './columns';
import { HeatMap } from './heatMap';
import { heatRange, measureText, scaleEnd } from './heatValues';
import { methodInfo } from './methodInfo';
import { layout, sorting, treemapColour } from './panelState';
import type { PictureProps } from './pictureProps';
import { columnName, promptNumbers } from './promptNumbers';
import { PromptTable } from './promptTable';
import { subjectText } from './subjectText';
import { text } from './texts';
import { colourText } from './toolbar';
import { spreadTop, Treemap } from './treemap';
import { DifferenceLegend } from './whatIfColumns';
import { inTable, sortedBy } from './whatIfDifferences';

const Dashes = () => (
  <svg width="8" height="12" aria-hidden="true">
    <line x1="4" x2="4" y1="0" y2="12" stroke="var(--rs-text)" stroke-dasharray="2 2" />
  </svg>
);

const HeatLegend = ({ view }: { view: BudgetsView }) => {
  const { history } = view;
  const range = heatRange(history, history.steps.length);
  return (
    <>
      <ScaleLegend
        name={measureText(history.measure)}
        from={scaleEnd(history.measure, range.least)}
        to={scaleEnd(history.measure, range.most)}
      />
      <span class="rs-rule" />
      <span class="rs-second">{text('legendBlank')}</span>
      {history.changes.length > 0 && (
        <span class="rs-row">
          <Dashes />
          {text('legendChange')}
        </span>
      )}
      {layout.value === 'heat' && <span class="rs-second rs-cut">{text('legendZoom')}</span>}
    </>
  );
};

const TreemapLegend = ({ view }: { view: BudgetsView }) => {
  const colour = treemapColour.value;
  const most = colour === 'spread' ? spreadTop(numberColumn(colour)?.of(view.prompts) ?? []) : 1;
  return (
    <>
      <ScaleLegend name={colourText(colour)} from="0" to={rate(most)} />
      <span class="rs-rule" />
      <span class="rs-second">{text('legendNoValue')}</span>
    </>
  );
};

const Foot = ({ view }: { view: BudgetsView }) => (
  <Legend>
    {layout.value === 'treemap' ? <TreemapLegend view={view} /> : <HeatLegend view={view} />}
    {layout.value === 'table' && inTable.value && <DifferenceLegend />}
    {view.method !== null && methodInfo(view.method).reconstructed && (
      <span>{text('legendReconstructed')}</span>
    )}
  </Legend>
);

/** Any column, also one that the picture does not show. */
const SortBy = () => {
  const { by, descending } = sorting.value;
  return (
    <span class="rs-row bu-sort-by">
      <Dropdown
        label={text('sortLabel')}
        value={by}
        options={COLUMN_KEYS.map((value) => ({ value, label: columnName(value) }))}
        onChange={(value) => (sorting.value = { by: value, descending: numberColumn(value) !== undefined })}
      />
      <IconButton
        icon={descending ? 'triangle-down' : 'triangle-up'}
        label={text(descending ? 'sortDescending' : 'sortAscending')}
        onPress={() => (sorting.value = { by, descending: !descending })}
      />
    </span>
  );
};

export const Pictures = ({
  moved,
  onSortAgain,
  ...picture
}: PictureProps & { readonly moved: number; readonly onSortAgain: () => void }) => {
  const { view, rows } = picture;
  const title = text('table', { subject: subjectText(view.subject) });
  return (
    <TableBehind
      class="bu-table"
      label={title}
      head={
        <>
          <h2 class="rs-strong">{title}</h2>
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
          {layout.value !== 'treemap' && <SortBy />}
        </>
      }
      table={() => promptNumbers(view, rows)}
    >
      {layout.value === 'table' ? (
        <PromptTable
          {...picture}
          sort={sorting.value}
          onSort={(sort) => {
            sortedBy.value = null;
            sorting.value = sort;
          }}
        />
      ) : layout.value === 'heat' ? (
        <HeatMap {...picture} />
      ) : (
        <Treemap {...picture} />
      )}
      <Foot view={view} />
    </TableBehind>
  );
};
