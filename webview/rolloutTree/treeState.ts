import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { selection } from '../shared/host';
import { readNumber, readOneOf, readText, uiState } from '../shared/uiState';
import { OVERLAYS, type OverlayName } from './overlay';
import type { TreeModel } from './treeModel';

/** CSS pixels. */
export const ROW = 20;
export const MINIMAP = 48;
export const PAD = 16;

/** What a person chose; kept over hiding and reloading. */
export const colour = uiState<OverlayName>('treeColour', 1, 'entropy', readOneOf(OVERLAYS));
export const creditRule = uiState<string>('treeRule', 1, '', readText);
/** Share of the height that the picture has in narrow panels. */
export const pictureShare = uiState<number>('treeShare', 1, 0.58, (value) => {
  const share = readNumber(value);
  return share !== undefined && share > 0.1 && share < 0.9 ? share : undefined;
});

export const search = signal('');

/** The window of tokens that is shown; null: all of the axis. */
export const zoom = signal<{ readonly from: number; readonly to: number } | null>(null);
export const scrollTop = signal(0);
export const viewHeight = signal(0);
export const hoverRow = signal(-1);
/** The keyboard's row, by the id of its rollout; null: the chosen one. */
export const currentRollout = signal<string | null>(null);

/** The chosen token: a position on the path of this rollout. */
export interface Caret {
  readonly rollout: string;
  readonly position: number;
}
const caretSignal = signal<Caret | null>(null);
/** The chosen token; null when another rollout is chosen than the one it belongs to. */
export const caret: ReadonlySignal<Caret | null> = computed(() =>
  caretSignal.value?.rollout === selection.value.rollout ? caretSignal.value : null,
);
export const setCaret = (next: Caret | null): void => {
  caretSignal.value = next;
};

/** Positions of the path whose text is shown, for the profile's window. */
export const shownText = signal<{ readonly from: number; readonly to: number } | null>(null);

/** Chosen rollout, a place in the view; −1: none. */
export const chosenOf = ({ view }: TreeModel): number => {
  const { rollout, group } = selection.value;
  if (rollout === null || (group !== null && group !== view.group)) return -1;
  return view.rollouts.id.indexOf(rollout);
};

/** Linear scale of the token axis, CSS pixels. */
export interface TokenScale {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  readonly perPixel: number;
  readonly x: (position: number) => number;
  readonly at: (x: number) => number;
}

export const tokenScale = (from: number, to: number, left: number, right: number): TokenScale => {
  const width = Math.max(1, right - left);
  const perPixel = Math.max(1e-9, to - from) / width;
  return {
    from,
    to,
    left,
    right,
    perPixel,
    x: (position) => left + (position - from) / perPixel,
    at: (x) => from + (x - left) * perPixel,
  };
};

/** Ticks at multiples of a power of two, about every 120 px. */
export const tokenTicks = (scale: TokenScale, apart = 120): readonly number[] => {
  let step = 1;
  while (step / scale.perPixel < apart) step *= 2;
  const ticks: number[] = [];
  for (let t = Math.ceil(scale.from / step) * step; t <= scale.to; t += step) ticks.push(t);
  return ticks;
};

const LEAST_WINDOW = 16;

/** The window after a zoom by `factor` (below 1: closer) about a position that keeps its place on the screen. */
export const zoomed = (
  window: { readonly from: number; readonly to: number },
  about: number,
  factor: number,
  end: number,
): { readonly from: number; readonly to: number } | null => {
  const width = Math.min(end, Math.max(LEAST_WINDOW, (window.to - window.from) * factor));
  if (width >= end) return null;
  const share = (about - window.from) / Math.max(1e-9, window.to - window.from);
  const from = Math.min(end - width, Math.max(0, about - share * width));
  return { from, to: from + width };
};
