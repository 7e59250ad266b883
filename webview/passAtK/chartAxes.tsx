import { count } from '../shared/format';
import { smallTextWidth } from '../shared/textWidth';
import { freeBaseline, type Frame } from './chartFrame';
import { powersOfTwo } from './chartPaths';
import { cutText } from './cutText';
import type { DrawnView } from './drawnView';
import { promptsOf } from './readoutText';
import { text } from './texts';

/** Which prompts the curves stand over, and how many. */
export const promptsText = (view: DrawnView): string => {
  const { fixedPrompts, allPrompts, largestK } = view;
  if (!view.paired) return text('partSets', { k: count(largestK) });
  return fixedPrompts === allPrompts
    ? text('fixed', { fixed: promptsOf(fixedPrompts), k: count(largestK) })
    : text('fixedOf', {
        fixed: count(fixedPrompts),
        all: promptsOf(allPrompts),
        out: count(allPrompts - fixedPrompts),
        k: count(largestK),
      });
};

/** Both axes, each power of two named, the extrapolated ground tinted, the prompts under them. */
export const Axes = ({ frame }: { frame: Frame }) => {
  const { view, left, right, top, bottom, x, y, lastK, extrapolate } = frame;
  const cut = x(view.largestK);
  const room = right - left - smallTextWidth(text('axisK')) - 24;
  const prompts = cutText(promptsText(view), Math.max(right - left, room));
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
      {powersOfTwo(view.k[0] ?? 1, lastK).map((k) => (
        <g key={k}>
          <line x1={x(k) + 0.5} x2={x(k) + 0.5} y1={bottom} y2={bottom + 4} stroke="var(--rs-second)" />
          <text x={x(k)} y={bottom + 16} class="rs-second rs-middle">
            {count(k)}
          </text>
        </g>
      ))}
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} stroke="var(--rs-second)" />
      {extrapolate && (
        <g data-extrapolated="">
          <rect
            x={cut}
            y={top}
            width={right - cut}
            height={bottom - top}
            fill="var(--rs-grid)"
            opacity=".6"
          />
          <line x1={cut + 0.5} x2={cut + 0.5} y1={top} y2={bottom} stroke="var(--rs-strip)" />
          <text x={(cut + right) / 2} y={freeBaseline(frame)} class="rs-second rs-middle rs-halo">
            {cutText(text('extrapolated'), right - cut - 4)}
          </text>
        </g>
      )}
      <text x={left} y={bottom + 32} class="rs-second">
        {prompts}
      </text>
      {smallTextWidth(prompts) <= room && (
        <text x={right} y={bottom + 32} class="rs-second rs-end">
          {text('axisK')}
        </text>
      )}
    </>
  );
};
