import { count, pointsValue } from '../shared/format';
import { breakpoint } from '../shared/panelSize';
import { betweenAreas, linePath, type Point } from './chartPaths';
import { cutText } from './cutText';
import { valueAt, type DrawnView } from './drawnView';
import { promptsOf } from './readoutText';
import { text } from './texts';
import { useWidth } from './useWidth';

/** Least width of a small picture; below `NAMED` its change does not name its k. */
const LEAST = 136;
const NAMED = 165;

const Multiple = ({
  view,
  bucket,
  width,
  height,
  first,
}: {
  view: DrawnView;
  bucket: DrawnView['buckets'][number];
  width: number;
  height: number;
  first: boolean;
}) => {
  const left = 20;
  const right = width - 16;
  const top = 40;
  const bottom = height - 20;
  const from = Math.log2(view.k[0] ?? 1);
  const span = Math.max(1e-9, Math.log2(view.k[view.k.length - 1] ?? 2) - from);
  const x = (k: number): number => left + ((Math.log2(k) - from) / span) * (right - left);
  const y = (p: number): number => top + (1 - p) * (bottom - top);
  const line = (values: readonly number[]): readonly Point[] =>
    view.k.map((k, i) => ({ x: x(k), y: y(values[i] ?? NaN) }));
  const two = view.shown !== view.against;
  const change =
    100 * (valueAt(view, bucket.shown, view.largestK) - valueAt(view, bucket.against, view.largestK));
  const note =
    two && Number.isFinite(change)
      ? text('changeAt', { value: pointsValue(change), k: count(view.largestK) })
      : '';
  const shortNote = note !== '' && width < NAMED ? pointsValue(change) : note;
  const last = view.k.length - 1;
  const ticks = [...new Set([0, Math.floor(last / 2), last])];
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`${bucket.name}, ${promptsOf(bucket.prompts)}${note === '' ? '' : `, ${note}`}`}
    >
      <text x="0" y="12" class="rs-strong">
        {cutText(bucket.name, width - 16)}
      </text>
      <text x="0" y="28" class="rs-second">
        {promptsOf(bucket.prompts)}
      </text>
      <text x={right} y="28" class="rs-end">
        {shortNote}
      </text>
      {[0, 0.5, 1].map((p) => (
        <g key={p}>
          <line x1={left} x2={right} y1={y(p) + 0.5} y2={y(p) + 0.5} stroke="var(--rs-grid)" />
          {first && (
            <text x={left - 6} y={y(p) + 4} class="rs-second rs-end">
              {p === 0.5 ? '.5' : p}
            </text>
          )}
        </g>
      ))}
      {ticks.map((i) => (
        <text key={i} x={x(view.k[i] ?? 1)} y={height - 6} class="rs-second rs-middle">
          {count(view.k[i] ?? 1)}
        </text>
      ))}
      {two &&
        betweenAreas(line(bucket.against), line(bucket.shown)).map(({ gain, path }) => (
          <path key={path} class={gain ? 'pk-gain' : 'pk-loss'} d={path} />
        ))}
      {two && (
        <path d={linePath(line(bucket.against))} fill="none" stroke="var(--rs-second)" stroke-width="1.5" />
      )}
      <path d={linePath(line(bucket.shown))} fill="none" stroke="var(--rs-text)" stroke-width="2" />
    </svg>
  );
};

/** Small multiples by difficulty, all on one y scale. */
export const Multiples = ({ view, height }: { view: DrawnView; height: number }) => {
  const { box, width } = useWidth();
  const narrow = breakpoint.value === 'narrow';
  const { buckets } = view;
  // The box may be up to half a pixel narrower than its whole number of pixels.
  const room = width.value - 17;
  const inRow = Math.max(1, Math.min(buckets.length, Math.floor(room / LEAST)));
  const each = Math.min(320, Math.floor(room / inRow));
  return (
    <section class="pk-multiples" aria-label={text('difficulty')}>
      <div class="rs-row rs-small pk-multiples-head">
        <h2 class="rs-strong">{text('difficulty')}</h2>
        <span class="rs-second rs-cut rs-grow">
          {buckets.length === 0 ? text('noDifficulty') : text('difficultyNote')}
        </span>
        {!narrow && buckets.length > 0 && (
          <span class="rs-second">
            {text('multiplesAxes', {
              from: count(view.k[0] ?? 1),
              to: count(view.k[view.k.length - 1] ?? 1),
            })}
          </span>
        )}
      </div>
      <div ref={box} class="pk-multiples-row">
        {width.value > 0 &&
          buckets.map((bucket, i) => (
            <Multiple
              key={bucket.name}
              view={view}
              bucket={bucket}
              width={each}
              height={height}
              first={i % inRow === 0}
            />
          ))}
      </div>
    </section>
  );
};
