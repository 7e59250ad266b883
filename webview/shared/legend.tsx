import type { ComponentChildren } from 'preact';
import { Mark } from './marks';
import type { MarkName } from './markShapes';
import { STEPS } from './scales';

/** One line of 32 px at the foot of a picture: the scale first, then the marks that are in the picture now. */
export const Legend = ({ children }: { children: ComponentChildren }) => (
  <div class="rs-legend">{children}</div>
);

const Boxes = ({ scale }: { scale: 'seq' | 'div' }) => (
  <svg width={STEPS * 12} height="8" aria-hidden="true">
    {Array.from({ length: STEPS }, (_, i) => (
      <rect
        key={i}
        x={i * 12 + 0.5}
        y=".5"
        width="10"
        height="7"
        fill={`var(--rs-${scale}-${i})`}
        stroke="var(--rs-cell)"
        stroke-width=".5"
      />
    ))}
  </svg>
);

/** Name, least value, seven boxes, greatest value with its unit. */
export const ScaleLegend = ({
  name,
  from,
  to,
  scale = 'seq',
}: {
  name: string;
  from: string;
  to: string;
  scale?: 'seq' | 'div';
}) => (
  <span class="rs-row">
    <span class="rs-strong">{name}</span>
    <span class="rs-second">{from}</span>
    <Boxes scale={scale} />
    <span class="rs-second">{to}</span>
  </span>
);

export const MarkLegend = ({ mark, text }: { mark: MarkName; text: string }) => (
  <span class="rs-row rs-legend-mark">
    <Mark name={mark} />
    {text}
  </span>
);
