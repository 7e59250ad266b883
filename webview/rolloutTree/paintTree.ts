import type { CanvasSize } from '../shared/canvas';
import type { Palette } from '../shared/palette';
import { originMark } from '../shared/markShapes';
import { paintMark } from '../shared/paintMark';
import { eachRun, type Overlay } from './overlay';
import { markAtEnd, markOf, originOf, pieOf } from './status';
import { endOf, forkPosition, itemsOf, type PathPart, type TreeModel } from './treeModel';
import { ROW, tokenTicks, type TokenScale } from './treeState';

type Context = CanvasRenderingContext2D;

export interface Scene {
  readonly model: TreeModel;
  readonly overlay: Overlay | null;
  readonly scale: TokenScale;
  readonly scrollTop: number;
  readonly path: readonly PathPart[];
  /** Dotted leaders end here, CSS pixels. */
  readonly leadersTo: number;
  readonly narrow: boolean;
}

const STRIP = 8;
const PATH_STRIP = 12;

interface Pen extends Scene {
  readonly context: Context;
  readonly size: CanvasSize;
  readonly colours: Palette;
  readonly first: number;
  readonly last: number;
  readonly y: (row: number) => number;
}

const dashed = ({ context }: Pen, pattern: readonly number[], run: () => void): void => {
  context.setLineDash([...pattern]);
  run();
  context.setLineDash([]);
};

const horizontal = ({ context, colours }: Pen, from: number, to: number, y: number): void => {
  context.strokeStyle = colours.strip;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(from, y);
  context.lineTo(to, y);
  context.stroke();
};

/** Between two trees, but not between rollouts that stand alone: those would be ruled like a sheet. */
const partsTrees = ({ layout }: TreeModel, row: number): boolean => {
  const rollout = layout.rolloutAt[row] ?? -1;
  if (row === 0 || (layout.parent[rollout] ?? -1) >= 0) return false;
  return (layout.end[rollout] ?? 0) > row + 1 || (layout.level[layout.rolloutAt[row - 1] ?? -1] ?? 1) > 1;
};

const ground = (pen: Pen): void => {
  const { context, colours, size, scale, model, first, last, y } = pen;
  context.fillStyle = colours.grid;
  for (const tick of tokenTicks(scale)) context.fillRect(Math.round(scale.x(tick)), 0, 1, size.height);
  for (let row = first; row <= last; row++) {
    if (partsTrees(model, row)) {
      dashed(pen, [1, 3], () => horizontal(pen, 0, size.width, Math.round(y(row) - ROW / 2) + 0.5));
    }
  }
};

/** Vertical lines of one parent: to the last child of each fork, each pixel column once. */
const connectorsOf = (pen: Pen, rollout: number): void => {
  const { context, model, scale, first, last, y, size } = pen;
  const { layout } = model;
  const top = layout.rowOf[rollout] ?? -1;
  const end = layout.end[rollout] ?? top;
  let row = top + 1;
  let column = NaN;
  let deepest = -1;
  const flush = (): void => {
    if (deepest < first || Number.isNaN(column) || column < -1 || column > size.width) return;
    const from = Math.max(-ROW, y(top));
    context.fillRect(column, from, 1, Math.min(size.height + ROW, y(deepest)) - from);
  };
  while (row < end) {
    const child = layout.rolloutAt[row] ?? -1;
    const x = Math.round(scale.x(layout.start[child] ?? 0));
    if (x !== column) {
      flush();
      column = x;
      deepest = -1;
    }
    if (row <= last || deepest <= last) deepest = Math.max(deepest, row);
    row = Math.max(row + 1, layout.end[child] ?? row + 1);
  }
  flush();
};

const connectors = (pen: Pen): void => {
  const { context, colours, model, first, last } = pen;
  context.fillStyle = colours.strip;
  for (let row = first; row <= last; row++) connectorsOf(pen, model.layout.rolloutAt[row] ?? -1);
  // A line that passes through the whole view belongs to an ancestor of its first row.
  let above = model.layout.parent[model.layout.rolloutAt[first] ?? -1] ?? -1;
  while (above >= 0) {
    connectorsOf(pen, above);
    above = model.layout.parent[above] ?? -1;
  }
};

const strip = (pen: Pen, node: number, y: number): void => {
  const { context, colours, model, scale, overlay, size } = pen;
  const { nodes } = model.view;
  const start = nodes.start[node] ?? 0;
  const from = scale.x(start);
  const to = scale.x(start + (nodes.length[node] ?? 0));
  if (to < 0 || from > size.width || to <= from) return;
  const ramp = overlay?.scale === 'div' ? colours.diverging : colours.sequential;
  if (overlay !== null && originOf(model.view, node) !== 'duplicate') {
    eachRun(model.view, overlay, node, scale.perPixel, (a, b, step) => {
      const fill = ramp[step];
      if (fill === undefined) return;
      const left = Math.max(-1, scale.x(start + a));
      const right = Math.min(size.width + 1, scale.x(start + b));
      if (right <= left) return;
      context.fillStyle = fill;
      context.fillRect(left, y - STRIP / 2, right - left, STRIP);
    });
  }
  context.strokeStyle = colours.cell;
  context.lineWidth = 0.75;
  context.strokeRect(
    Math.max(-2, from),
    y - STRIP / 2,
    Math.min(size.width + 4, to) - Math.max(-2, from),
    STRIP,
  );
};

const outlinePath = (pen: Pen): void => {
  const { context, colours, model, scale, path, y } = pen;
  const { nodes } = model.view;
  context.strokeStyle = colours.text;
  context.fillStyle = colours.text;
  let before = -1;
  for (let i = 0; i < path.length;) {
    const part = path[i];
    if (!part) break;
    const rollout = nodes.rollout[part.node] ?? -1;
    // The nodes of one rollout are one outline.
    let to = part.to;
    while (i < path.length && nodes.rollout[path[i]?.node ?? -1] === rollout) to = path[i++]?.to ?? to;
    const row = model.layout.rowOf[rollout] ?? -1;
    const x = scale.x(part.from);
    if (before >= 0) context.fillRect(Math.round(x) - 0.5, y(before), 2, y(row) - y(before));
    context.lineWidth = 1.5;
    context.strokeRect(x - 0.5, y(row) - PATH_STRIP / 2, scale.x(to) - x + 1, PATH_STRIP);
    before = row;
  }
};

const marksOf = (pen: Pen, rollout: number, y: number): void => {
  const { context, colours, model, scale, size } = pen;
  const { view } = model;
  for (const node of itemsOf(model.nodes, rollout)) {
    const mark = originMark(originOf(view, node));
    const x = scale.x(view.nodes.start[node] ?? 0) + (mark === 'resumed' ? 0 : 8);
    if (mark !== null && x > -8 && x < size.width + 8) paintMark(context, mark, x, y, colours);
  }
  let lastX = -Infinity;
  const forks = [...itemsOf(model.forks, rollout)].sort((a, b) => position(model, a) - position(model, b));
  for (const fork of forks) {
    const x = scale.x(position(model, fork));
    // Forks on the same pixels are one mark.
    if (x < -8 || x > size.width + 8 || x - lastX < 3) continue;
    lastX = x;
    const byPerson = view.forks[fork]?.by === 'person';
    paintMark(context, byPerson ? 'forkByPerson' : 'forkByRule', x, y, colours);
  }
  const mark = markOf(view, rollout);
  const end = scale.x(endOf(model, rollout));
  if (markAtEnd(mark) && end > -8 && end < size.width + 8) {
    context.fillStyle = colours.ground;
    context.beginPath();
    context.arc(end, y, 7, 0, 2 * Math.PI);
    context.fill();
    const share = pieOf(view, rollout, mark);
    paintMark(context, mark, end, y, colours, share === undefined ? {} : { share });
  }
};

const position = ({ view }: TreeModel, fork: number): number => {
  const entry = view.forks[fork];
  return entry ? forkPosition(view, entry) : 0;
};

/** Paints the rows in view: bands, connectors, strips, the chosen path, forks, endings. */
export const paintTree = (context: Context, size: CanvasSize, colours: Palette, scene: Scene): void => {
  const count = scene.model.layout.count;
  if (count === 0) return;
  const first = Math.max(0, Math.floor(scene.scrollTop / ROW) - 1);
  const last = Math.min(count - 1, Math.ceil((scene.scrollTop + size.height) / ROW) + 1);
  const y = (row: number): number => row * ROW + ROW / 2 - scene.scrollTop;
  const pen: Pen = { ...scene, context, size, colours, first, last, y };
  ground(pen);
  connectors(pen);
  for (let row = first; row <= last; row++) {
    const rollout = scene.model.layout.rolloutAt[row] ?? -1;
    const end = scene.scale.x(endOf(scene.model, rollout)) + 10;
    if (!scene.narrow && end < scene.leadersTo) {
      dashed(pen, [1, 4], () => horizontal(pen, Math.max(0, end), scene.leadersTo, Math.round(y(row)) + 0.5));
    }
    for (const node of itemsOf(scene.model.nodes, rollout)) strip(pen, node, y(row));
  }
  outlinePath(pen);
  for (let row = first; row <= last; row++) marksOf(pen, scene.model.layout.rolloutAt[row] ?? -1, y(row));
};
