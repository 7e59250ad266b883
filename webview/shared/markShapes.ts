/** Colours of marks by role; SVG takes the style sheet's variables, canvases the palette. */
export type MarkInk = 'text' | 'ground' | 'blue' | 'orange' | 'red' | 'purple';

/** One stroke or area, in a 10 px box around 0, 0. */
export interface MarkShape {
  readonly d: string;
  readonly fill?: MarkInk;
  readonly stroke?: MarkInk;
  readonly width?: number;
  readonly breathes?: true;
}

const circle = (r: number): string => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const ring: MarkShape = { d: circle(3.5), fill: 'ground', stroke: 'text', width: 1.25 };
const diamond = (s: number): string => `M0 ${-s}l${s} ${s}l${-s} ${s}l${-s} ${-s}z`;
const line = (d: string, stroke: MarkInk, width: number): MarkShape => ({ d, stroke, width });

/** Endings, origins and forks (section 4 of the visual system), and the two signs of an advantage. */
export const MARKS = {
  right: [{ d: circle(4), fill: 'text' }],
  wrong: [ring],
  between: [ring, { d: 'M0 -3.5a3.5 3.5 0 0 1 0 7z', fill: 'text' }],
  running: [
    { d: circle(4), fill: 'ground', stroke: 'blue', width: 1.5 },
    { d: circle(1.75), fill: 'blue', breathes: true },
  ],
  truncated: [line('M-4 0h5M2 -5v10', 'text', 2)],
  pruned: [line('M-3.5 -3.5l7 7m0 -7l-7 7', 'orange', 2)],
  stopped: [{ d: 'M-4 -4h8v8h-8z', fill: 'red' }],
  aborted: [
    { d: circle(4), fill: 'ground', stroke: 'red', width: 1.5 },
    line('M-2.8 2.8l5.6 -5.6', 'red', 1.5),
  ],
  failed: [
    { d: 'M0 -4.5l4.6 8.2h-9.2z', fill: 'ground', stroke: 'red', width: 1.5 },
    line('M0 -1.6v2.4m0 .9v1.1', 'red', 1.25),
  ],
  carriedOver: [line('M-4 0h7m-3 -3.5l3.5 3.5l-3.5 3.5', 'purple', 1.75)],
  discarded: [line('M-3 -4h6l-6 8h6z', 'orange', 1.5)],
  forkByRule: [{ d: diamond(5), fill: 'text', stroke: 'ground', width: 1 }],
  forkByPerson: [{ d: diamond(4.75), fill: 'ground', stroke: 'text', width: 1.5 }],
  resumed: [line('M-1.75 -5v10m3.5 -10v10', 'text', 1.5)],
  replayed: [line('M3.5 -2a4 4 0 1 0 .5 3.5m-.5 -6v3h-3', 'text', 1.25)],
  external: [line('M-4 0h6m-2.5 -3l3 3l-3 3M4 -4v8', 'text', 1.25)],
  hinted: [{ d: 'M-3 5v-10l7 3l-7 3', fill: 'text', stroke: 'text', width: 1 }],
  edited: [line('M-4 4l1 -3l5.5 -5.5l2 2l-5.5 5.5z', 'text', 1.25)],
  duplicate: [line('M-4 -1.5h8m-8 3h8', 'text', 1.25)],
  up: [{ d: 'M0 -3.5l4 6.5h-8z', fill: 'text' }],
  down: [{ d: 'M0 3.5l4 -6.5h-8z', fill: 'text' }],
} as const satisfies Readonly<Record<string, readonly MarkShape[]>>;

export type MarkName = keyof typeof MARKS;

/** A ring filled to one of five steps, for rewards between 0 and 1 where there is room. `share` of 0 to 1. */
export const pieShapes = (share: number): readonly MarkShape[] => {
  const step = Math.min(4, Math.max(1, Math.round(share * 5)));
  const angle = (step / 5) * 2 * Math.PI;
  const x = (3.5 * Math.sin(angle)).toFixed(2);
  const y = (-3.5 * Math.cos(angle)).toFixed(2);
  const large = step > 2 ? 1 : 0;
  return [ring, { d: `M0 0V-3.5A3.5 3.5 0 ${large} 1 ${x} ${y}z`, fill: 'text' }];
};

/** How a rollout ended, as the ledger counts it: the mark of the leaf column. */
export interface EndingOf {
  /** Word of `ENDINGS`; null: running. */
  readonly ending: string | null;
  readonly reward: number | null;
  readonly success: boolean | null;
  readonly discarded?: boolean;
}

/** Marks of endings that are their own, whatever the reward. */
const OWN: Readonly<Record<string, MarkName>> = {
  truncated: 'truncated',
  pruned: 'pruned',
  stopped: 'stopped',
  aborted: 'aborted',
  failed: 'failed',
  carriedOver: 'carriedOver',
};

export const endingMark = ({ ending, reward, success, discarded = false }: EndingOf): MarkName => {
  if (ending === null) return 'running';
  if (discarded) return 'discarded';
  const own = OWN[ending];
  if (own !== undefined) return own;
  if (reward !== null && Number.isFinite(reward)) {
    if (reward >= 1) return 'right';
    return reward <= 0 ? 'wrong' : 'between';
  }
  return success === true ? 'right' : 'wrong';
};

/** Mark at the start of a strip by the word of `ORIGINS`; null: none. */
export const originMark = (origin: string): MarkName | null => {
  const marks: Readonly<Record<string, MarkName>> = {
    resumed: 'resumed',
    replayed: 'replayed',
    external: 'external',
    hinted: 'hinted',
    edited: 'edited',
    duplicate: 'duplicate',
  };
  return marks[origin] ?? null;
};
