import type { OverviewView } from '../../protocol/panels/overview';
import { Icon } from '../shared/icon';
import type { TableData } from '../shared/tableBehind';
import { figureText } from './figureText';
import { Sparkline } from './sparkline';
import { text } from './texts';

/** The six figures: name, value with unit, comparison, the last steps as a line. */
export const FigureCells = ({ view }: { view: OverviewView }) => (
  <dl class="ov-cells" aria-label={text('figures', { step: view.step ?? 0 })}>
    {view.figures.map((figure) => {
      const { label, value, unit, second } = figureText(figure, view.ledger.running);
      return (
        <div key={figure.id} class="ov-cell">
          <dt class="rs-small rs-second rs-cut">
            {figure.finding !== null && <Icon name="warning" small label={text('finding')} />}
            {label}
          </dt>
          <dd>
            <span class={`ov-value${figure.value === null ? ' rs-second' : ' rs-large'}`}>{value}</span>
            <span class="rs-second rs-cut rs-grow">{unit}</span>
            <Sparkline series={figure.series} median={figure.median} />
          </dd>
          <dd class="rs-small rs-cut ov-second" title={second}>
            {second}
          </dd>
        </div>
      );
    })}
  </dl>
);

export const figuresTable = (view: OverviewView): TableData => {
  const rows = view.figures.map((figure) => figureText(figure, view.ledger.running));
  return {
    caption: text('figures', { step: view.step ?? 0 }),
    columns: [{ name: 'figure' }, { name: 'value', numeric: true }, { name: 'unit' }, { name: 'comparison' }],
    rows: rows.length,
    cell: (i, column) => {
      const row = rows[i];
      return row === undefined ? '' : ([row.label, row.value, row.unit, row.second][column] ?? '');
    },
  };
};
