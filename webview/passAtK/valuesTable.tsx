import type { PassAtKView } from '../../protocol/panels/passAtK';
import { count, passAt, pointsValue, withUnit } from '../shared/format';
import { command } from '../shared/host';
import { rangeText } from './curveCard';
import { curveAt, differenceAt, signOf } from './headline';
import { text } from './texts';

const Value = ({ step, k, value }: { step: number; k: number; value: number }) =>
  Number.isFinite(value) ? (
    <td data-step={step} data-k={k} title={String(value)}>
      {passAt(value)}
    </td>
  ) : (
    <td data-step={step} data-k={k} title={text('undefinedN')} class="rs-second">
      {text('shortUndefined')}
    </td>
  );

const Differences = ({ view }: { view: PassAtKView }) => {
  if (view.shown === null || view.shown === view.against || !differenceAt(view, 1)) return null;
  return (
    <>
      <tr>
        <th scope="row" class="rs-second">
          {text('differenceRow', { shown: view.shown, against: view.against ?? 0 })}
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
        <td />
      </tr>
      <tr class="rs-second">
        <th scope="row">{withUnit('95', '%')}</th>
        {view.k.map((k) => {
          const difference = differenceAt(view, k);
          return (
            <td key={k} title={difference ? String(difference.halfWidth) : text('undefinedN')}>
              {difference ? `±${Math.abs(difference.halfWidth).toFixed(1)}` : text('shortUndefined')}
            </td>
          );
        })}
        <td />
      </tr>
    </>
  );
};

/** pass@k of every evaluated step at every k, then the difference of the two that are compared. */
export const ValuesTable = ({ view }: { view: PassAtKView }) => {
  const shown = curveAt(view, view.shown);
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
              <th scope="col">{text('colStep')}</th>
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
                key={curve.step}
                class={curve.step === view.shown ? 'pk-shown' : undefined}
                data-row-step={curve.step}
              >
                <th scope="row" class={curve.step === view.against ? 'rs-strong' : undefined}>
                  {count(curve.step)}
                </th>
                {view.k.map((k, i) => (
                  <Value key={k} step={curve.step} k={k} value={curve.value[i] ?? NaN} />
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
