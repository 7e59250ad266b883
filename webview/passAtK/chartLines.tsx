import type { Curve } from '../../protocol/panels/passAtK';
import { rate } from '../shared/format';
import { extrapolatedOf, pointsOf, type Frame } from './chartFrame';
import { bandPath, linePath, spread } from './chartPaths';
import { cutName } from './cutText';
import { curveName, type DrawnView } from './drawnView';

/** Labels of the lines between, beside those of the two that are compared. */
const MOST_BETWEEN = 4;
const LABEL_GAP = 14;
const NAME_ROOM = 66;

export type LineKind = 'shown' | 'against' | 'between' | 'part';

/** Parts are told apart by their names at the right, and by dashes where lines cross. */
const DASHES = ['', '8 3', '4 2', '8 3 2 3'] as const;
const dashOf = (place: number): string => DASHES[place % DASHES.length] ?? '';

/** What a curve is in the picture. */
export const kindOf = (view: DrawnView, { key }: Curve): LineKind => {
  if (!view.paired) return 'part';
  if (key === view.shown) return 'shown';
  return key === view.against ? 'against' : 'between';
};

/** So many parts have their bands at once; of more only the one that is pointed at. */
const MOST_BANDS = 4;

/** A curve: the two that are compared with band and points, parts with their bands, the others thin. */
export const Line = ({
  frame,
  curve,
  current,
}: {
  frame: Frame;
  curve: Curve;
  /** Pointed at, or chosen by the arrow keys. */
  current: boolean;
}) => {
  const { view } = frame;
  const kind = kindOf(view, curve);
  const points = pointsOf(frame, curve.value);
  const strong = kind === 'shown' || kind === 'part';
  const edge = kind === 'shown' || kind === 'against';
  const banded = edge || current || (kind === 'part' && view.curves.length <= MOST_BANDS);
  const stroke = strong ? 'var(--rs-text)' : 'var(--rs-second)';
  const width = edge || current ? 2 : kind === 'part' ? 1.5 : 1;
  const faint = kind === 'between' && !current ? { opacity: '.55' } : {};
  const dash = kind === 'part' ? dashOf(view.curves.indexOf(curve)) : '';
  return (
    <g data-line={curve.key}>
      {banded && (
        <path
          d={bandPath(pointsOf(frame, curve.low), pointsOf(frame, curve.high))}
          fill={stroke}
          fill-opacity={kind === 'part' && !current ? '.06' : '.1'}
        />
      )}
      <path
        d={linePath(points)}
        fill="none"
        stroke={stroke}
        stroke-width={width}
        {...(dash === '' ? {} : { 'stroke-dasharray': dash })}
        {...faint}
      />
      {frame.extrapolate && (
        <path
          data-extrapolated=""
          d={linePath(extrapolatedOf(frame, curve.extrapolated))}
          fill="none"
          stroke={stroke}
          stroke-width={width}
          stroke-dasharray="2 3"
          {...faint}
        />
      )}
      {kind !== 'between' &&
        points
          .filter(({ y }) => Number.isFinite(y))
          .map(({ x, y }) =>
            strong ? (
              <circle key={x} cx={x} cy={y} r={kind === 'shown' ? 3 : 2} fill="var(--rs-text)" />
            ) : (
              <rect
                key={x}
                x={x - 3}
                y={y - 3}
                width="6"
                height="6"
                fill="var(--rs-ground)"
                stroke="var(--rs-second)"
                stroke-width="1.5"
              />
            ),
          )}
    </g>
  );
};

const lastKnown = (values: readonly number[]): number => values.findLast((p) => Number.isFinite(p)) ?? NaN;

/** The value at the right end of the line: the modelled one where the chart goes on beyond the counted. */
const endOf = ({ extrapolate }: Frame, curve: Curve): number => {
  const modelled = lastKnown(curve.extrapolated);
  return extrapolate && Number.isFinite(modelled) ? modelled : lastKnown(curve.value);
};

/** Names and values at the right ends; of many lines between, a few. */
export const EndLabels = ({ frame, current }: { frame: Frame; current: string | null }) => {
  const { view, right, top, bottom, y } = frame;
  const named = (curve: Curve): boolean => kindOf(view, curve) !== 'between' || curve.key === current;
  const between = view.curves.filter((curve) => !named(curve));
  const every = Math.max(1, Math.ceil(between.length / MOST_BETWEEN));
  const known = view.curves.filter(
    (curve) =>
      Number.isFinite(endOf(frame, curve)) &&
      (named(curve) || between.indexOf(curve) % every === Math.floor(every / 2)),
  );
  const places = spread(
    known.map((curve) => y(endOf(frame, curve)) + 4),
    LABEL_GAP,
    top + 4,
    bottom,
  );
  return (
    <>
      {known.map((curve, i) => {
        const kind = kindOf(view, curve);
        const strong = kind === 'shown' || kind === 'against' || curve.key === current;
        const quiet = kind === 'between' && !strong;
        const name = curveName(view, curve.key);
        return (
          <g key={curve.key}>
            <text
              x={right + 8}
              y={places[i]}
              class={strong ? 'rs-strong' : quiet ? 'rs-second' : ''}
              aria-label={name}
            >
              {cutName(name, NAME_ROOM)}
            </text>
            <text x={right + 100} y={places[i]} class={`rs-end${quiet ? ' rs-second' : ''}`}>
              {rate(endOf(frame, curve))}
            </text>
          </g>
        );
      })}
    </>
  );
};
