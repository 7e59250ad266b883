import { MARKS, pieShapes, type MarkInk, type MarkName, type MarkShape } from './markShapes';

const VARIABLE: Readonly<Record<MarkInk, string>> = {
  text: 'currentColor',
  ground: 'var(--rs-ground)',
  blue: 'var(--rs-blue)',
  orange: 'var(--rs-orange)',
  red: 'var(--rs-red)',
  purple: 'var(--rs-purple)',
};

const ink = (name: MarkInk | undefined): string => (name === undefined ? 'none' : VARIABLE[name]);

/** A mark inside another picture, its centre at `x`, `y`. Ink of role `text` takes the surrounding colour. */
export const MarkAt = ({
  name,
  x,
  y,
  shapes = MARKS[name],
}: {
  name: MarkName;
  x: number;
  y: number;
  shapes?: readonly MarkShape[];
}) => (
  <g transform={`translate(${x} ${y})`} aria-hidden="true">
    {shapes.map((shape) => (
      <path
        key={shape.d}
        d={shape.d}
        fill={ink(shape.fill)}
        stroke={ink(shape.stroke)}
        stroke-width={shape.width ?? 0}
        class={shape.breathes === true ? 'rs-breathes' : undefined}
      />
    ))}
  </g>
);

/** A mark beside text. `label` is read aloud; without it the mark is decoration. */
export const Mark = ({ name, label, share }: { name: MarkName; label?: string; share?: number }) => (
  <svg
    width="12"
    height="12"
    viewBox="-6 -6 12 12"
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
  >
    <MarkAt name={name} x={0} y={0} {...(share === undefined ? {} : { shapes: pieShapes(share) })} />
  </svg>
);
