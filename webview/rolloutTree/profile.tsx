import { useCallback, useMemo } from 'preact/hooks';
import { Canvas, type Paint } from '../shared/canvas';
import { count, nats } from '../shared/format';
import { paintMark } from '../shared/paintMark';
import { ENTROPY_TOP, entropyStep } from '../shared/scales';
import { text } from './texts';
import { forkPosition, itemsOf, type PathPart, type TreeModel } from './treeModel';
import { caret, shownText } from './treeState';

const BARS = 32;
const MARKS = 8;

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly entropy: number;
}

/** Bins of the entropy along a path, the parts after each other; a node without bins is one bin of its mean. */
export const pathBins = ({ view }: TreeModel, path: readonly PathPart[]): readonly Bin[] => {
  const { nodes, series, bin } = view;
  return path.flatMap(({ node, from, to }) => {
    const count = nodes.seriesCount[node] ?? 0;
    const first = nodes.seriesFrom[node] ?? 0;
    if (count === 0) return to > from ? [{ from, to, entropy: nodes.entropy[node] ?? NaN }] : [];
    const bins: Bin[] = [];
    for (let i = 0; i < count && from + i * bin < to; i++) {
      bins.push({
        from: from + i * bin,
        to: Math.min(to, from + (i + 1) * bin),
        entropy: series[first + i] ?? NaN,
      });
    }
    return bins;
  });
};

const meanOf = (bins: readonly Bin[]): number => {
  let sum = 0;
  let tokens = 0;
  for (const { from, to, entropy } of bins) {
    if (!Number.isFinite(entropy)) continue;
    sum += entropy * (to - from);
    tokens += to - from;
  }
  return tokens === 0 ? NaN : sum / tokens;
};

/** Entropy of the whole path in 48 px, the window of the text and the forks on it. */
export const Profile = ({
  model,
  path,
  onPick,
}: {
  model: TreeModel;
  path: readonly PathPart[];
  onPick: (position: number) => void;
}) => {
  const bins = useMemo(() => pathBins(model, path), [model, path]);
  const mean = useMemo(() => meanOf(bins), [bins]);
  const length = path[path.length - 1]?.to ?? 0;
  const forks = useMemo(
    () =>
      path.flatMap(({ node, from, to }) =>
        [...itemsOf(model.forks, model.view.nodes.rollout[node] ?? -1)].flatMap((fork) => {
          const entry = model.view.forks[fork];
          if (entry?.node !== node) return [];
          const at = forkPosition(model.view, entry);
          return at >= from && at <= to ? [{ at, by: entry.by }] : [];
        }),
      ),
    [model, path],
  );
  const paint = useCallback<Paint>(
    (context, { width }, colours) => {
      if (length === 0) return;
      const x = (position: number): number => (position / length) * (width - 1);
      // A pixel column shows the greatest of its bins.
      let column = -1;
      let top = 0;
      for (const { from, to, entropy } of bins) {
        if (!Number.isFinite(entropy)) continue;
        const left = Math.floor(x(from));
        if (left === column && entropy <= top) continue;
        if (left !== column) top = 0;
        column = left;
        top = Math.max(top, entropy);
        const high = Math.min(1, entropy / ENTROPY_TOP) * BARS;
        context.fillStyle = colours.sequential[Math.max(3, entropyStep(entropy))] ?? colours.text;
        context.fillRect(left, BARS - high, Math.max(1, Math.floor(x(to)) - left - 1), high);
      }
      context.fillStyle = colours.strip;
      context.fillRect(0, BARS, width, 1);
      for (const { at, by } of forks) {
        paintMark(context, by === 'person' ? 'forkByPerson' : 'forkByRule', x(at), BARS + MARKS, colours);
      }
      const shown = shownText.value;
      context.lineWidth = 1;
      if (shown !== null) {
        context.strokeStyle = colours.second;
        const from = x(shown.from);
        context.strokeRect(from + 0.5, 0.5, Math.max(2, x(Math.min(length, shown.to)) - from - 1), BARS);
      }
      const at = caret.value?.position;
      if (at !== undefined) {
        context.fillStyle = colours.text;
        context.fillRect(Math.round(x(at)), 0, 1.5, BARS);
      }
    },
    [bins, forks, length],
  );
  return (
    <div class="tree-profile rs-small">
      <div class="rs-row">
        <span class="rs-strong rs-grow">{text('profile')}</span>
        <span class="rs-second">
          {Number.isFinite(mean) ? text('mean', { value: nats(mean) }) : text('profileNone')}
        </span>
      </div>
      <div
        class="tree-profile-box"
        aria-hidden="true"
        onClick={(event) => {
          const area = event.currentTarget.getBoundingClientRect();
          onPick(Math.floor(((event.clientX - area.left) / Math.max(1, area.width)) * length));
        }}
      >
        <Canvas paint={paint} />
        <span class="tree-profile-ends rs-second">
          <span>0</span>
          <span>{text('tokens', { count: count(length) })}</span>
        </span>
      </div>
    </div>
  );
};
