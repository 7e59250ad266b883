import type { PromptColumns } from '../../protocol/panels/budgets';

/**
 * The columns of the prompts, declared once: what can be sorted and filtered by, and what the table behind the
 * pictures shows. A number that is negative or NaN is missing, save where `signed`.
 */
export type Values = ArrayLike<number>;

export type NumberKey =
  | 'launched'
  | 'planned'
  | 'running'
  | 'finished'
  | 'used'
  | 'discarded'
  | 'killed'
  | 'carriedOver'
  | 'tokens'
  | 'rate'
  | 'rateLow'
  | 'rateHigh'
  | 'before'
  | 'rightBefore'
  | 'results'
  | 'right'
  | 'spread'
  | 'groups'
  | 'zeroGradientGroups'
  | 'gradientShare'
  | 'lastStep';
export type WordKey = 'prompt' | 'difficulty' | 'domain' | 'status' | 'pin';
export type ColumnKey = NumberKey | WordKey;

export interface NumberColumn {
  readonly key: NumberKey;
  /** As people write it in a filter, in small letters; the first one is the name in messages. */
  readonly names: readonly string[];
  readonly kind: 'count' | 'share' | 'amount';
  readonly of: (prompts: PromptColumns) => Values;
}

const shares = new WeakMap<PromptColumns, Float32Array>();

/** Share of the judged groups that gave a gradient; NaN where none is judged. */
const gradientShare = (prompts: PromptColumns): Float32Array => {
  let found = shares.get(prompts);
  if (!found) {
    found = Float32Array.from(prompts.gradientGroups, (gradient, i) => {
      const judged = gradient + (prompts.zeroGradientGroups[i] ?? 0);
      return judged > 0 ? gradient / judged : Number.NaN;
    });
    shares.set(prompts, found);
  }
  return found;
};

export const NUMBER_COLUMNS: readonly NumberColumn[] = [
  { key: 'launched', names: ['n', 'launched', 'rollouts'], kind: 'count', of: (p) => p.launched },
  { key: 'planned', names: ['planned'], kind: 'count', of: (p) => p.planned },
  { key: 'running', names: ['running'], kind: 'count', of: (p) => p.running },
  { key: 'finished', names: ['finished'], kind: 'count', of: (p) => p.finished },
  { key: 'used', names: ['used'], kind: 'count', of: (p) => p.used },
  { key: 'discarded', names: ['discarded'], kind: 'count', of: (p) => p.discarded },
  { key: 'killed', names: ['killed'], kind: 'count', of: (p) => p.killed },
  { key: 'carriedOver', names: ['carried over', 'carried'], kind: 'count', of: (p) => p.carriedOver },
  { key: 'tokens', names: ['tokens'], kind: 'amount', of: (p) => p.tokens },
  { key: 'rate', names: ['rate', 'pass rate'], kind: 'share', of: (p) => p.rate },
  { key: 'rateLow', names: ['low'], kind: 'share', of: (p) => p.rateLow },
  { key: 'rateHigh', names: ['high'], kind: 'share', of: (p) => p.rateHigh },
  { key: 'before', names: ['before'], kind: 'count', of: (p) => p.n },
  { key: 'rightBefore', names: ['right before'], kind: 'count', of: (p) => p.c },
  { key: 'results', names: ['results'], kind: 'count', of: (p) => p.stepN },
  { key: 'right', names: ['right'], kind: 'count', of: (p) => p.stepC },
  { key: 'spread', names: ['spread', 'reward spread'], kind: 'share', of: (p) => p.spread },
  { key: 'groups', names: ['groups'], kind: 'count', of: (p) => p.groups },
  {
    key: 'zeroGradientGroups',
    names: ['zero', 'zero-gradient'],
    kind: 'count',
    of: (p) => p.zeroGradientGroups,
  },
  { key: 'gradientShare', names: ['gradient', 'gradient share'], kind: 'share', of: gradientShare },
  { key: 'lastStep', names: ['step', 'last step'], kind: 'count', of: (p) => p.lastStep },
];

export interface WordColumn {
  readonly key: WordKey;
  readonly names: readonly string[];
  /** All words of a prompt; none: it has no value. */
  readonly of: (prompts: PromptColumns, row: number) => readonly string[];
}

const one = (value: string | null | undefined): readonly string[] => (value == null ? [] : [value]);

export const STATUSES = [
  'gradient',
  'no-gradient',
  'open',
  'unjudged',
  'running',
  'discarded',
  'killed',
  'carried-over',
  'pinned',
  'skipped',
  'absent',
] as const;

/** What is so of a prompt in the subject; several words may hold. */
export const statusesOf = (prompts: PromptColumns, row: number): readonly string[] => {
  const at = (column: Values): number => column[row] ?? 0;
  const pin = prompts.pin[row] ?? null;
  const own = pin === null ? [] : [pin === 'skip' ? 'skipped' : 'pinned'];
  if (at(prompts.planned) < 0) return [...own, 'absent'];
  const judged = at(prompts.gradientGroups) + at(prompts.zeroGradientGroups);
  const facts: readonly (readonly [boolean, string])[] = [
    [at(prompts.gradientGroups) > 0, 'gradient'],
    [at(prompts.gradientGroups) === 0 && judged > 0, 'no-gradient'],
    [at(prompts.openGroups) > 0, 'open'],
    [at(prompts.openGroups) === 0 && judged === 0, 'unjudged'],
    [at(prompts.running) > 0, 'running'],
    [at(prompts.discarded) > 0, 'discarded'],
    [at(prompts.killed) > 0, 'killed'],
    [at(prompts.carriedOver) > 0, 'carried-over'],
  ];
  return [...facts.filter(([holds]) => holds).map(([, word]) => word), ...own];
};

export const WORD_COLUMNS: readonly WordColumn[] = [
  { key: 'prompt', names: ['prompt', 'id'], of: (p, row) => one(p.id[row]) },
  { key: 'difficulty', names: ['difficulty'], of: (p, row) => one(p.difficulty[row]) },
  { key: 'domain', names: ['domain'], of: (p, row) => one(p.domain[row]) },
  { key: 'status', names: ['status'], of: statusesOf },
  { key: 'pin', names: ['pin'], of: (p, row) => one(p.pin[row]) },
];

export const COLUMN_KEYS: readonly ColumnKey[] = [
  'prompt',
  'difficulty',
  'domain',
  'status',
  ...NUMBER_COLUMNS.map(({ key }) => key),
  'pin',
];

export const numberColumn = (key: ColumnKey): NumberColumn | undefined =>
  NUMBER_COLUMNS.find((column) => column.key === key);
export const wordColumn = (key: ColumnKey): WordColumn | undefined =>
  WORD_COLUMNS.find((column) => column.key === key);

export const isMissing = (value: number): boolean => Number.isNaN(value) || value < 0;
