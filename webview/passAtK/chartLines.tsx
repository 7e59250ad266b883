import type { Curve } from '../../protocol/panels/passAtK';
import { rate } from '../shared/format';
import { pointsOf, type Frame } from './chartFrame';
import { bandPath, linePath, spread } from './chartPaths';
import { text } from './texts';

/** Labels of the lines between, beside those of the two that are compared. */
const MOST_BETWEEN = 4;
const LABEL_GAP = 14;

/** A curve: the two that are compared with band and points, the others thin. */
export const Line = ({
  frame,
  curve,
  kind,
}: {
  frame: Frame;
  curve: Curve;
  kind: 'shown' | 'against' | 'between';
}) => {
  const points = pointsOf(frame, curve.value);
  const edge = kind !== 'between';
  return (
    <g data-line={curve.step}>
      {edge && (
        <path
          d={bandPath(pointsOf(frame, curve.low), pointsOf(frame, curve.high))}
          fill={kind === 'shown' ? 'var(--rs-text)' : 'var(--rs-second)'}
          fill-opacity=".1"
        />
      )}
      <path
        d={linePath(points)}
        fill="none"
        stroke={kind === 'shown' ? 'var(--rs-text)' : 'var(--rs-second)'}
        stroke-width={edge ? 2 : 1}
        {...(edge ? {} : { opacity: '.55' })}
      />
      {edge &&
        points
          .filter(({ y }) => Number.isFinite(y))
          .map(({ x, y }) =>
            kind === 'shown' ? (
              <circle key={x} cx={x} cy={y} r="3" fill="var(--rs-text)" />
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

/** Names and values at the right ends; of many lines between, a few. */
export const EndLabels = ({ frame }: { frame: Frame }) => {
  const { view, right, top, bottom, y } = frame;
  const edge = (curve: Curve): boolean => curve.step === view.shown || curve.step === view.against;
  const between = view.curves.filter((curve) => !edge(curve));
  const every = Math.max(1, Math.ceil(between.length / MOST_BETWEEN));
  const labelled = view.curves.filter(
    (curve) => edge(curve) || between.indexOf(curve) % every === Math.floor(every / 2),
  );
  const known = labelled.filter((curve) => Number.isFinite(lastKnown(curve.value)));
  const places = spread(
    known.map((curve) => y(lastKnown(curve.value)) + 4),
    LABEL_GAP,
    top + 4,
    bottom,
  );
  return (
    <>
      {known.map((curve, i) => (
        <g key={curve.step}>
          <text x={right + 8} y={places[i]} class={edge(curve) ? 'rs-strong' : 'rs-second'}>
            {text('stepLabel', { step: curve.step })}
          </text>
          <text x={right + 96} y={places[i]} class={`rs-end${edge(curve) ? '' : ' rs-second'}`}>
            {rate(lastKnown(curve.value))}
          </text>
        </g>
      ))}
    </>
  );
};
