import { count, passAt, pointsValue, withUnit } from '../shared/format';
import { command } from '../shared/host';
import { curveAt, differenceAt, isCompared, shortName, signOf, type DrawnView } from './drawnView';
import { kindHead } from './passkTable';
import { rangeText } from './readoutText';
import { text } from './texts';

const Value = ({ curve, k, value }: { curve: string; k: number; value: number }) =>
  Number.isFinite(value) ? (
    <td data-step={curve} data-k={k} title={String(value)}>
      {passAt(value)}
    </td>
  ) : (
    <td data-step={curve} data-k={k} title={text('undefinedN')} class="rs-second">
      {text('shortUndefined')}
    </td>
  );

const Differences = ({ view }: { view: DrawnView }) => {
  if (!isCompared(view) || !differenceAt(view, 1)) return null;
  const over = differenceAt(view, 1)?.prompts ?? 0;
  return (
    <>
      <tr>
        <th scope="row" class="rs-second pk-name">
          {text('differenceRow', {
            shown: shortName(view, view.shown ?? ''),
            against: shortName(view, view.against ?? ''),
          })}
        </th>
        {view.k.map((k) => {
          const difference = differenceAt(view, k);
          return difference ? (
            <td
              key={k}
              data-difference-k={k}
              title={String(difference.value)}
              class={signOf(difference) === 0 ? undefined : 'rs-strong'}
            >
              {pointsValue(difference.value)}
            </td>
          ) : (
            <td key={k} class="rs-second" title={text('undefinedN')}>
              {text('shortUndefined')}
            </td>
          );
        })}
        <td>{count(over)}</td>
      </tr>
      <tr class="rs-second">
        <th scope="row">{withUnit('95', '%')}</th>
        {view.k.map((k) => {
          const half = differenceAt(view, k)?.halfWidth ?? NaN;
          return (
            <td key={k} data-half-k={k} title={Number.isFinite(half) ? String(half) : text('noInterval')}>
              {Number.isFinite(half) ? `±${half.toFixed(1)}` : text('none')}
            </td>
          );
        })}
        <td />
      </tr>
    </>
  );
};

/** pass@k of every curve at every k, then the difference of the two that are compared. */
export const ValuesTable = ({ view }: { view: DrawnView }) => {
  const shown = curveAt(view, view.paired ? view.shown : null) ?? view.curves[0];
  return (
    <section class="pk-values" aria-label={text('values')}>
      <div class="rs-row pk-values-head">
        <h2 class="rs-strong">{text('values')}</h2>
        <span class="rs-second rs-small rs-cut rs-grow">
          {shown ? text('estimate', { n: rangeText(shown) }) : ''}
        </span>
        <button
          type="button"
          class="rs-link rs-small"
          onClick={() => void command({ id: 'openDocs', page: 'pass-at-k' })}
        >
          {text('howComputed')}
        </button>
      </div>
      <div
        class="pk-table-box rs-scroll rs-inside"
        tabIndex={0}
        role="region"
        aria-label={text('tableCaption')}
      >
        <table class="pk-table rs-small">
          <caption class="rs-hidden">{text('tableCaption')}</caption>
          <thead>
            <tr class="rs-second">
              <th scope="col">{kindHead(view)}</th>
              {view.k.map((k) => (
                <th key={k} scope="col">
                  {count(k)}
                </th>
              ))}
              <th scope="col">{text('colPrompts')}</th>
            </tr>
          </thead>
          <tbody>
            {view.curves.map((curve) => (
              <tr
                key={curve.key}
                class={view.paired && curve.key === view.shown ? 'pk-shown' : undefined}
                data-row-step={curve.key}
              >
                <th
                  scope="row"
                  class={`pk-name${view.paired && curve.key === view.against ? ' rs-strong' : ''}`}
                  title={shortName(view, curve.key)}
                >
                  {shortName(view, curve.key)}
                </th>
                {view.k.map((k, i) => (
                  <Value key={k} curve={curve.key} k={k} value={curve.value[i] ?? NaN} />
                ))}
                <td>{count(curve.prompts)}</td>
              </tr>
            ))}
            <Differences view={view} />
          </tbody>
        </table>
      </div>
    </section>
  );
};
