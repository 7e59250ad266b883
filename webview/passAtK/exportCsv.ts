import type { DrawnView } from './drawnView';

const COLUMNS = [
  'set',
  'source',
  'curve_a',
  'curve',
  'step',
  'policy_version',
  'k',
  'how',
  'pass_at_k',
  'low_95',
  'high_95',
  'interval',
  'n_min',
  'n_max',
  'samples',
  'correct',
  'prompts',
  'points_against',
  'half_width_95',
  'against',
  'crossing_k',
  'caveats',
] as const;

const ROW_COLUMNS = [
  'set',
  'source',
  'prompt',
  'difficulty',
  'n',
  'c',
  'reference_n',
  'reference_c',
  'until_success_half',
  'until_success_nine_tenths',
  'mixed_group_probability',
  'mixed_group_rollouts',
] as const;

type Cell = string | number | null;

/** A cell of RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
const cell = (value: Cell): string => {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'over 65536';
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const file = (columns: readonly string[], lines: readonly (readonly Cell[])[]): string =>
  `${[columns.join(','), ...lines.map((line) => line.map(cell).join(','))].join('\r\n')}\r\n`;

/**
 * Every curve with its intervals, one line a curve and k; empty where there is no value (k > n). Extrapolated values
 * have lines of their own that say so, and every line bears what a reader must know.
 */
export const csvOf = (view: DrawnView, caveats: readonly string[]): string => {
  const beyond = view.extrapolatedK.filter((k) => k > view.largestK);
  const lines = view.curves.flatMap((curve) => {
    const line = (k: number, how: string, value: number, low: number, high: number): readonly Cell[] => {
      const difference =
        how === 'counted'
          ? view.difference.find((each) => each.key === curve.key && each.k === k)
          : undefined;
      return [
        view.set,
        view.source,
        view.by,
        view.names[curve.key] ?? curve.key,
        curve.step,
        curve.policyVersion,
        k,
        how,
        value,
        low,
        high,
        how === 'counted' ? curve.interval : 'none',
        curve.nMin,
        curve.nMax,
        curve.samples,
        curve.correct,
        curve.prompts,
        difference?.value ?? null,
        difference?.halfWidth ?? null,
        difference ? view.against : null,
        curve.crossing,
        caveats.join(' '),
      ];
    };
    return [
      ...view.k.map((k, i) =>
        line(k, 'counted', curve.value[i] ?? NaN, curve.low[i] ?? NaN, curve.high[i] ?? NaN),
      ),
      ...beyond.flatMap((k) => {
        const value = curve.extrapolated[view.extrapolatedK.indexOf(k)] ?? NaN;
        return Number.isFinite(value) ? [line(k, 'extrapolated', value, NaN, NaN)] : [];
      }),
    ];
  });
  return file(COLUMNS, lines);
};

/** The prompts one by one, with what more rollouts would bring. */
export const rowsCsvOf = (view: DrawnView): string => {
  const { rows } = view;
  if (!rows) return file(ROW_COLUMNS, []);
  return file(
    ROW_COLUMNS,
    rows.prompt.map((prompt, i) => [
      view.set,
      view.source,
      prompt,
      rows.difficulty[i] ?? null,
      rows.n[i] ?? NaN,
      rows.c[i] ?? NaN,
      rows.againstN[i] ?? NaN,
      rows.againstC[i] ?? NaN,
      rows.needHalf[i] ?? NaN,
      rows.needNine[i] ?? NaN,
      rows.mixed[i] ?? NaN,
      rows.adviceRollouts,
    ]),
  );
};

/** A file name of letters, digits, points, dashes and underscores. */
export const fileName = (view: DrawnView, ending: string, what = ''): string => {
  const clean = (words: string): string =>
    words
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replaceAll(/^[-._]+|[-._]+$/g, '')
      .slice(0, 60);
  const shown = view.by === 'run' || view.shown === null ? '' : clean(view.shown);
  const parts = [
    'pass-at-k',
    clean(view.set),
    view.by === 'step' || shown === '' ? '' : `by-${view.by}`,
    shown === '' ? '' : view.by === 'checkpoint' || view.by === 'method' ? shown : `step-${shown}`,
    what,
  ];
  return `${parts.filter((part) => part !== '').join('-')}.${ending}`;
};
