import { count } from '../shared/format';
import { smallTextWidth } from '../shared/textWidth';
import type { Frame } from './chartFrame';
import { powersOfTwo } from './chartPaths';
import { text } from './texts';

/** Both axes, each power of two named, the ground beyond the largest k tinted, the prompts under them. */
export const Axes = ({ frame }: { frame: Frame }) => {
  const { view, left, right, top, bottom, x, y } = frame;
  const last = view.k[view.k.length - 1] ?? 1;
  const cut = x(view.largestK);
  const prompts =
    view.fixedPrompts === view.allPrompts
      ? text('fixed', { fixed: count(view.fixedPrompts), k: count(view.largestK) })
      : text('fixedOf', {
          fixed: count(view.fixedPrompts),
          all: count(view.allPrompts),
          out: count(view.allPrompts - view.fixedPrompts),
          k: count(view.largestK),
        });
  return (
    <>
      {[0, 0.2, 0.4, 0.6, 0.8, 1].map((p) => (
        <g key={p}>
          <line x1={left} x2={right} y1={y(p) + 0.5} y2={y(p) + 0.5} stroke="var(--rs-grid)" />
          <text x={left - 8} y={y(p) + 4} class="rs-second rs-end">
            {p === 0 || p === 1 ? p : `.${Math.round(p * 10)}`}
          </text>
        </g>
      ))}
      {powersOfTwo(view.k[0] ?? 1, last).map((k) => (
        <g key={k}>
          <line x1={x(k) + 0.5} x2={x(k) + 0.5} y1={bottom} y2={bottom + 4} stroke="var(--rs-second)" />
          <text x={x(k)} y={bottom + 16} class="rs-second rs-middle">
            {count(k)}
          </text>
        </g>
      ))}
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} stroke="var(--rs-second)" />
      {view.largestK < last && (
        <g>
          <rect
            x={cut}
            y={top}
            width={right - cut}
            height={bottom - top}
            fill="var(--rs-grid)"
            opacity=".6"
          />
          {right - cut > smallTextWidth(text('noValue')) + 8 && (
            <text x={(cut + right) / 2} y={top + 12} class="rs-second rs-middle">
              {text('noValue')}
            </text>
          )}
        </g>
      )}
      <text x={left} y={bottom + 32} class="rs-second">
        {prompts}
      </text>
      {right - left > smallTextWidth(prompts + text('axisK')) + 24 && (
        <text x={right} y={bottom + 32} class="rs-second rs-end">
          {text('axisK')}
        </text>
      )}
    </>
  );
};
