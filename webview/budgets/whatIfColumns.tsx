import { Icon } from '../shared/icon';
import { methodName } from './methodInfo';
import { DIFFERENCE_WIDTH, sortedBy, type Differences } from './whatIfDifferences';
import { meanCount, signedCount } from './whatIfText';
import { wi } from './whatIfTexts';

/** Room for a number at either end of a bar. */
const NUMBER = 28;
const HALF = DIFFERENCE_WIDTH / 2;

/** Names and totals of the methods; a press sorts by the difference, the prompts that gain most first. */
export const DifferenceHeads = ({ differences }: { differences: Differences }) => (
  <>
    {differences.columns.map(({ place, method, total }) => {
      const sorted = sortedBy.value?.place === place ? sortedBy.value : null;
      return (
        <span
          key={place}
          role="columnheader"
          {...(sorted
            ? { 'aria-sort': sorted.descending ? ('descending' as const) : ('ascending' as const) }
            : {})}
          class="wi-column"
          style={{ width: `${DIFFERENCE_WIDTH}px` }}
        >
          <button
            type="button"
            class={`bu-sort${sorted ? ' rs-strong' : ''}`}
            title={wi('columnTitle', { method: methodName(method) })}
            onClick={() => (sortedBy.value = { place, descending: sorted ? !sorted.descending : true })}
          >
            <span class="rs-cut">{methodName(method)}</span>
            {sorted && <Icon name={sorted.descending ? 'triangle-down' : 'triangle-up'} small />}
          </button>
          <span class="bu-total">{meanCount(total)}</span>
        </span>
      );
    })}
  </>
);

/** A bar from the zero line to the right for more rollouts than the run gave, to the left for fewer, and the number. */
const Bar = ({ value, scale }: { value: number; scale: number }) => {
  const width = Math.round((Math.abs(value) / scale) * (HALF - NUMBER));
  const more = value > 0;
  return (
    <>
      <span class="wi-zero" style={{ left: `${HALF}px` }} />
      {width > 0 && (
        <span
          class={`wi-bar ${more ? 'wi-more' : 'wi-fewer'}`}
          style={
            more ? { left: `${HALF}px`, width: `${width}px` } : { right: `${HALF}px`, width: `${width}px` }
          }
        />
      )}
      <span
        class="wi-number"
        style={value >= 0 ? { left: `${HALF + width + 4}px` } : { right: `${HALF + width + 4}px` }}
      >
        {signedCount(value)}
      </span>
    </>
  );
};

export const DifferenceCells = ({ differences, row }: { differences: Differences; row: number }) => (
  <>
    {differences.columns.map(({ place, method, values }) => {
      const value = values[row] ?? Number.NaN;
      return (
        <span
          key={place}
          role="gridcell"
          class="wi-diff"
          style={{ width: `${DIFFERENCE_WIDTH}px` }}
          title={Number.isNaN(value) ? wi('differenceNone', { method: methodName(method) }) : undefined}
        >
          {!Number.isNaN(value) && <Bar value={value} scale={differences.scale} />}
        </span>
      );
    })}
  </>
);

/** What the bars mean, for the legend below the table. */
export const DifferenceLegend = () => (
  <>
    <span class="rs-row">
      <span class="wi-swatch wi-more" aria-hidden="true" />
      {wi('legendMore')}
    </span>
    <span class="rs-row">
      <span class="wi-swatch wi-fewer" aria-hidden="true" />
      {wi('legendFewer')}
    </span>
  </>
);
