import { count, plainValue, smallFactor } from '../shared/format';
import { smallTextWidth } from '../shared/textWidth';
import type { GainCurve } from './gainCurve';
import { useBox } from './pictureProps';
import { text } from './texts';

const HEIGHT = 104;
const LEFT = 32;
const FOOT = 18;

/** Bars: given filled, the last one in foreground, not given outlined; the price of the step dashed. */
export const GainChart = ({ curve }: { curve: GainCurve }) => {
  const { box, width: measured } = useBox();
  const width = Math.max(120, measured);
  const { first, gains, given, price } = curve;
  const top = Math.max(price, gains[0] ?? 0);
  const { factor, head } = smallFactor(top);
  const bar = Math.min(16, (width - LEFT) / gains.length);
  const base = HEIGHT - FOOT;
  const y = (gain: number): number => base - (gain / top) * (base - 12);
  // A price far below the first gain still shows its digits.
  const figure = (gain: number, digits = 3): string =>
    plainValue(Number((gain * factor).toPrecision(digits)));
  const priceText = text('price', { price: figure(price) });
  const last = first + gains.length - 1;
  const ticks = [
    first,
    given,
    ...[10, 20, 30, 40, 50, 60, 80, 100, 120].filter((n) => n > first && n < last),
  ];
  const shown = ticks.filter(
    (n, i) =>
      n === given ||
      (n !== given && Math.abs(n - given) * bar > 24 && (i === 0 || Math.abs(n - first) * bar > 24)),
  );
  const at = given - first;
  const label = text('gainLabel', {
    given: count(given),
    last: figure(gains[at] ?? 0),
    next: figure(gains[at + 1] ?? 0),
    price: `${figure(price)} ${head}`.trim(),
  });
  return (
    <>
      <div class="rs-row rs-small bu-gain-head">
        <span class="rs-strong">{text('gain')}</span>
        <span class="rs-second rs-cut">
          {text('gainBy', { factor: head === '' ? '' : `${head},` }).trim()}
        </span>
      </div>
      <div ref={box}>
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          {gains.map((gain, i) => {
            const n = first + i;
            const isGiven = n <= given;
            return (
              <rect
                key={n}
                x={LEFT + i * bar + (isGiven ? 0 : 0.5)}
                y={y(gain) + (isGiven ? 0 : 0.5)}
                width={Math.max(1, bar - (isGiven ? 2 : 3))}
                height={Math.max(0.5, base - y(gain) - (isGiven ? 0 : 0.5))}
                fill={isGiven ? (n === given ? 'var(--rs-text)' : 'var(--rs-second)') : 'none'}
                stroke={isGiven ? 'none' : 'var(--rs-second)'}
              />
            );
          })}
          <line
            x1={LEFT}
            x2={width}
            y1={Math.round(y(price)) + 0.5}
            y2={Math.round(y(price)) + 0.5}
            stroke="var(--rs-text)"
            stroke-dasharray="3 2"
          />
          <text x={width} y={Math.max(11, y(price) - 5)} class="rs-end rs-halo">
            {priceText}
          </text>
          <line x1={LEFT} x2={width} y1={base + 0.5} y2={base + 0.5} stroke="var(--rs-strip)" />
          <text x={LEFT - 6} y={base + 1} class="rs-second rs-end">
            0
          </text>
          {smallTextWidth(figure(top, 2)) < LEFT && (
            <text x={LEFT - 6} y={y(top) + 8} class="rs-second rs-end">
              {figure(top, 2)}
            </text>
          )}
          {shown.map((n) => (
            <text
              key={n}
              x={LEFT + (n - first) * bar + (bar - 2) / 2}
              y={HEIGHT - 4}
              class={`rs-middle ${n === given ? 'rs-strong' : 'rs-second'}`}
            >
              {n}
            </text>
          ))}
        </svg>
      </div>
    </>
  );
};
