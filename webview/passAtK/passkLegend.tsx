import { withUnit } from '../shared/format';
import { Legend } from '../shared/legend';
import { breakpoint } from '../shared/panelSize';
import { curveName, isCompared, type DrawnView } from './drawnView';
import { bootstrap, extrapolate } from './passAtKState';
import { text } from './texts';

/** What has no name at its end: the two point marks, the fills, the band. */
export const PasskLegend = ({ view }: { view: DrawnView }) => {
  const narrow = breakpoint.value === 'narrow';
  const modelled = view.curves.some(({ extrapolated }) => extrapolated.some(Number.isFinite));
  return (
    <Legend>
      {view.paired && view.shown !== null && (
        <span class="rs-row">
          <svg width="20" height="10" aria-hidden="true">
            <path d="M0 5h20" stroke="var(--rs-text)" stroke-width="2" />
            <circle cx="10" cy="5" r="3" fill="var(--rs-text)" />
          </svg>
          {curveName(view, view.shown)}
        </span>
      )}
      {view.paired && view.shown !== view.against && (
        <span class="rs-row">
          <svg width="20" height="10" aria-hidden="true">
            <path d="M0 5h20" stroke="var(--rs-second)" stroke-width="2" />
            <rect
              x="7"
              y="2"
              width="6"
              height="6"
              fill="var(--rs-ground)"
              stroke="var(--rs-second)"
              stroke-width="1.5"
            />
          </svg>
          {curveName(view, view.against ?? '')}
        </span>
      )}
      {isCompared(view) && (
        <>
          <span class="rs-row">
            <svg width="16" height="10" aria-hidden="true">
              <rect class="pk-gain" width="16" height="10" />
            </svg>
            {text('gain')}
          </span>
          <span class="rs-row">
            <svg width="16" height="10" aria-hidden="true">
              <rect class="pk-loss" width="16" height="10" />
            </svg>
            {text('loss')}
          </span>
        </>
      )}
      {!narrow && view.interval !== 'none' && (
        <span class="rs-row">
          <svg width="16" height="10" aria-hidden="true">
            <rect width="16" height="10" fill="var(--rs-text)" fill-opacity=".16" />
          </svg>
          {text(view.interval, { level: withUnit('95', '%') })}
          {(view.interval === 'cluster' || bootstrap.value) && (
            <button
              type="button"
              class="rs-link rs-small"
              title={text(bootstrap.value ? 'resampleLessTitle' : 'resampleTitle')}
              onClick={() => {
                bootstrap.value = !bootstrap.value;
              }}
            >
              {text(bootstrap.value ? 'resampleLess' : 'resample')}
            </button>
          )}
        </span>
      )}
      {modelled && extrapolate.value && (
        <span class="rs-row">
          <svg width="20" height="10" aria-hidden="true">
            <path d="M0 5h20" stroke="var(--rs-text)" stroke-width="2" stroke-dasharray="2 3" />
          </svg>
          {text('extrapolatedLegend')}
        </span>
      )}
    </Legend>
  );
};
