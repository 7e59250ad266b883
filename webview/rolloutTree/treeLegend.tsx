import { decimal, rate, signed, withUnit } from '../shared/format';
import { cardFor } from '../shared/hoverCard';
import { Legend, MarkLegend, ScaleLegend } from '../shared/legend';
import type { MarkName } from '../shared/markShapes';
import { originMark } from '../shared/markShapes';
import { isStill } from '../shared/steering';
import { smallTextWidth } from '../shared/textWidth';
import { ORIGINS } from '../../protocol/wire/words';
import type { Overlay } from './overlay';
import { markOf } from './status';
import { text } from './texts';
import type { TreeModel } from './treeModel';
import { colour } from './treeState';

const ENDS = {
  right: 'rightMark',
  between: 'betweenMark',
  wrong: 'wrongMark',
  running: 'running',
  truncated: 'truncated',
  pruned: 'pruned',
  stopped: 'stopped',
  aborted: 'aborted',
  failed: 'failed',
  carriedOver: 'carriedOver',
  discarded: 'discarded',
} as const;
type EndMark = keyof typeof ENDS;
const END_ORDER = Object.keys(ENDS) as readonly EndMark[];
const FORK_ORDER = ['forkByRule', 'forkByPerson'] as const;
const FORKS = { forkByRule: 'forkMark', forkByPerson: 'forkByPerson' } as const;
const ORIGIN_MARKS = ['resumed', 'replayed', 'external', 'hinted', 'edited', 'duplicate'] as const;

/** Marks that are in the picture now, in the order of the visual system. */
export const marksInView = (model: TreeModel): ReadonlySet<MarkName> => {
  const { view } = model;
  const found = new Set<MarkName>();
  for (let r = 0; r < view.rollouts.id.length; r++) found.add(markOf(view, r));
  for (const fork of view.forks) found.add(fork.by === 'person' ? 'forkByPerson' : 'forkByRule');
  const origins = new Set(view.nodes.origin);
  for (const origin of origins) {
    const mark = originMark(ORIGINS[origin] ?? '');
    if (mark !== null) found.add(mark);
  }
  return found;
};

const scaleEnds = (overlay: Overlay): readonly [string, string] => {
  switch (overlay.name) {
    case 'entropy':
      return ['0', withUnit(decimal(overlay.max, 1), 'nats')];
    case 'logProb':
      return [decimal(overlay.min), decimal(overlay.max)];
    case 'advantage':
      return [signed(overlay.min), signed(overlay.max)];
    case 'reward':
      return [rate(overlay.min), rate(overlay.max)];
  }
};

interface Item {
  readonly mark: MarkName;
  readonly name: string;
}

/** Mark, text and the gap after them, CSS pixels. */
const itemWidth = ({ name }: Item): number => smallTextWidth(name) + 16 + 16;

const itemsIn = (marks: ReadonlySet<MarkName>, lost: boolean): readonly Item[] =>
  [
    ...END_ORDER.map((mark) => ({
      mark,
      name: text(mark === 'running' && lost ? 'lastSeen' : ENDS[mark]),
    })),
    ...FORK_ORDER.map((mark) => ({ mark, name: text(FORKS[mark]) })),
    ...ORIGIN_MARKS.map((mark) => ({ mark, name: text(mark) })),
  ].filter(({ mark }) => marks.has(mark));

/** Marks that everybody meets; the others go behind `All marks` first where there is no room. */
const COMMON: ReadonlySet<MarkName> = new Set(['right', 'wrong', 'running', 'forkByRule', 'forkByPerson']);

/** The items that fit, in their order: the common ones first, then the rarer ones. */
const fitting = (items: readonly Item[], room: number): readonly Item[] => {
  const wanted = [...items].sort((a, b) => Number(COMMON.has(b.mark)) - Number(COMMON.has(a.mark)));
  const chosen = new Set<Item>();
  let left = room;
  for (const item of wanted) {
    left -= itemWidth(item);
    if (left < 0) break;
    chosen.add(item);
  }
  return items.filter((item) => chosen.has(item));
};

/**
 * The scale, then only the marks that are in the picture.
 *
 * @param width of the legend, CSS pixels.
 */
export const TreeLegend = ({
  marks,
  overlay,
  width,
}: {
  marks: ReadonlySet<MarkName>;
  overlay: Overlay | null;
  width: number;
}) => {
  const [from, to] = overlay ? scaleEnds(overlay) : ['', ''];
  const name = overlay ? text(overlay.name) : text('noNumbers');
  const missing =
    overlay !== null && overlay.name !== colour.value
      ? text('notRecorded', { name: text(colour.value) })
      : '';
  const items = itemsIn(marks, isStill());
  const scaleWidth = smallTextWidth(name + from + to + missing) + (overlay ? 7 * 12 + 24 : 0);
  const room = width - 32 - scaleWidth - 17;
  const whole = items.reduce((sum, item) => sum + itemWidth(item), 0);
  const shown = whole <= room + 16 ? items : fitting(items, room - smallTextWidth(text('allMarks')) - 16);
  const hidden = items.filter((item) => !shown.includes(item));
  return (
    <Legend>
      {overlay === null ? (
        <span class="rs-second">{name}</span>
      ) : (
        <ScaleLegend name={name} from={from} to={to} scale={overlay.scale} />
      )}
      {missing !== '' && <span class="rs-second">{missing}</span>}
      {shown.length > 0 && <span class="rs-rule" />}
      {shown.map((item) => (
        <MarkLegend key={item.mark} mark={item.mark} text={item.name} />
      ))}
      {hidden.length > 0 && (
        <button
          type="button"
          class="rs-link"
          {...cardFor('all marks', () => (
            <div class="tree-marks">
              {items.map((item) => (
                <MarkLegend key={item.mark} mark={item.mark} text={item.name} />
              ))}
            </div>
          ))}
        >
          {text('allMarks')}
        </button>
      )}
    </Legend>
  );
};
