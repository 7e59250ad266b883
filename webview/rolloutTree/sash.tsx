import { text } from './texts';
import { pictureShare } from './treeState';

const LEAST = 0.2;
const MOST = 0.8;
const set = (share: number): void => {
  pictureShare.value = Math.min(MOST, Math.max(LEAST, share));
};

/** Between picture and text in narrow panels: dragged, or moved with the arrow keys. */
export const Sash = () => (
  <div
    class="tree-sash"
    role="separator"
    aria-orientation="horizontal"
    aria-label={text('sash')}
    aria-valuemin={LEAST * 100}
    aria-valuemax={MOST * 100}
    aria-valuenow={Math.round(pictureShare.value * 100)}
    tabIndex={0}
    onKeyDown={(event) => {
      if (event.key === 'ArrowUp') set(pictureShare.value - 0.04);
      else if (event.key === 'ArrowDown') set(pictureShare.value + 0.04);
      else return;
      event.preventDefault();
    }}
    onPointerDown={(event) => {
      const element = event.currentTarget;
      const area = element.parentElement?.getBoundingClientRect();
      if (!area || event.button !== 0) return;
      const move = (next: PointerEvent): void => set((next.clientY - area.top) / Math.max(1, area.height));
      element.setPointerCapture(event.pointerId);
      element.addEventListener('pointermove', move);
      element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', move), {
        once: true,
      });
    }}
  />
);
