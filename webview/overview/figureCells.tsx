import type { OverviewView } from '../../protocol/panels/overview';
import { Icon } from '../shared/icon';
import { mostBehind } from './clockScale';
import { figureText, seriesOf, seriesText } from './figureText';
import { Sparkline } from './sparkline';
import { text } from './texts';

/** The six figures: name, value with unit, comparison, the last steps as a line. */
export const FigureCells = ({ view }: { view: OverviewView }) => {
  const { ninety, now } = view.clock;
  const around = {
    ended: view.ledger.launched - view.ledger.running,
    stillRunning: view.ledger.running,
    tailSeconds: ninety === null ? null : Math.max(0, now - ninety),
    mostBehind: mostBehind(view.slowest),
  };
  return (
    <dl class="ov-cells" aria-label={text('figures', { step: view.step ?? 0 })}>
      {view.figures.map((figure) => {
        const { label, value, unit, second, word } = figureText(figure, around);
        return (
          <div key={figure.id} class="ov-cell" title={seriesText(figure)}>
            <dt class="rs-small rs-second rs-cut">
              {figure.finding !== null && <Icon name="warning" small label={text('finding')} />}
              {label}
            </dt>
            <dd>
              <span class={`ov-value${word ? ' rs-second' : ' rs-large'}`}>{value}</span>
              <span class="rs-second rs-cut rs-grow">{unit}</span>
              <Sparkline series={seriesOf(figure)} median={figure.median} label={seriesText(figure)} />
            </dd>
            <dd class="rs-small rs-cut ov-second" title={second}>
              {second}
            </dd>
          </div>
        );
      })}
    </dl>
  );
};
