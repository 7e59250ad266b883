import type { TreeView } from '../../protocol/panels/tree';
import { divergingStep, entropyStep, ENTROPY_TOP, sequentialStep } from '../shared/scales';

export const OVERLAYS = ['entropy', 'logProb', 'advantage', 'reward'] as const;
export type OverlayName = (typeof OVERLAYS)[number];

/** How strips are painted: by which number, on which scale, between which ends. */
export interface Overlay {
  readonly name: OverlayName;
  readonly scale: 'seq' | 'div';
  readonly min: number;
  readonly max: number;
}

const ends = (values: ArrayLike<number>): { min: number; max: number } | null => {
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (x < min) min = x;
    if (x > max) max = x;
  }
  return min <= max && Number.isFinite(min) && Number.isFinite(max) ? { min, max } : null;
};

const anyNumber = (values: ArrayLike<number>): boolean => {
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) return true;
  return false;
};

/** Overlays for which the view has numbers, in their fixed order. */
export const overlaysOf = ({ series, nodes, rollouts }: TreeView): readonly Overlay[] => {
  const found: Overlay[] = [];
  if (anyNumber(series) || anyNumber(nodes.entropy)) {
    found.push({ name: 'entropy', scale: 'seq', min: 0, max: ENTROPY_TOP });
  }
  const logProb = ends(nodes.logProb);
  if (logProb) found.push({ name: 'logProb', scale: 'seq', ...logProb });
  const advantage = ends(rollouts.advantage);
  if (advantage) {
    const reach = Math.max(Math.abs(advantage.min), Math.abs(advantage.max));
    found.push({ name: 'advantage', scale: 'div', min: -reach, max: reach });
  }
  const reward = ends(rollouts.reward);
  if (reward) found.push({ name: 'reward', scale: 'seq', ...reward });
  return found;
};

/** Step of the scale (0 to 6) of a whole node, −1: it has no number. */
export const nodeStep = (view: TreeView, overlay: Overlay, node: number): number => {
  const rollout = view.nodes.rollout[node] ?? -1;
  switch (overlay.name) {
    case 'entropy':
      return entropyStep(view.nodes.entropy[node] ?? NaN);
    case 'logProb':
      return sequentialStep(view.nodes.logProb[node] ?? NaN, overlay.min, overlay.max);
    case 'advantage': {
      const x = view.rollouts.advantage[rollout] ?? NaN;
      return Number.isFinite(x) ? divergingStep(x, overlay.max) + 3 : -1;
    }
    case 'reward':
      return sequentialStep(view.rollouts.reward[rollout] ?? NaN, overlay.min, overlay.max);
  }
};

/** A stretch of one step of the scale, positions relative to the node's first unit. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/**
 * Calls `paint` with the runs of equal steps of a node. Only the entropy has bins; where a bin is narrower than
 * a pixel the greatest of the pixel's bins counts, so that no peak is lost.
 *
 * @param perPixel units a pixel.
 */
export const eachRun = (
  view: TreeView,
  overlay: Overlay,
  node: number,
  perPixel: number,
  paint: (from: number, to: number, step: number) => void,
): void => {
  const length = view.nodes.length[node] ?? 0;
  const count = view.nodes.seriesCount[node] ?? 0;
  if (overlay.name !== 'entropy' || count === 0) {
    paint(0, length, nodeStep(view, overlay, node));
    return;
  }
  const first = view.nodes.seriesFrom[node] ?? 0;
  const group = Math.max(1, Math.floor(perPixel / view.bin));
  let from = 0;
  let current = -2;
  for (let i = 0; i < count; i += group) {
    let top = NaN;
    for (let j = i; j < Math.min(count, i + group); j++) {
      const x = view.series[first + j] ?? NaN;
      if (!(x <= top)) top = x;
    }
    const step = entropyStep(top);
    if (step === current) continue;
    if (current > -2) paint(from, Math.min(length, i * view.bin), current);
    from = i * view.bin;
    current = step;
  }
  // What has no bin yet (the node grows) is painted as the last one.
  if (from < length) paint(from, length, current);
};
