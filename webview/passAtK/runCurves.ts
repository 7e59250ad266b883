import { crossings, pairedDifference } from '../../methods/estimators/comparison';
import { fitBetaBinomial } from '../../methods/estimators/betaBinomial';
import { extrapolatedCurve } from '../../methods/estimators/extrapolatedCurve';
import { meanCurve } from '../../methods/estimators/meanCurve';
import { PassAtKTable, powersOfTwo } from '../../methods/estimators/passAtKTable';
import type { Curve, Difference, PassAtKView, PasskNote, PasskRows } from '../../protocol/panels/passAtK';
import type { DrawnView } from './drawnView';

/** A run with the counts of the measurement it shows. */
export interface RunView {
  readonly key: string;
  readonly name: string;
  readonly view: PassAtKView;
}

interface Counted {
  readonly run: RunView;
  readonly n: Int32Array;
  readonly c: Int32Array;
}

const EXTRAPOLATED = 3;

/** n and c of a run by a row that all runs share: prompts of one id are the same prompt. */
const counted = (run: RunView, rows: ReadonlyMap<string, number>): Counted => {
  const n = new Int32Array(rows.size);
  const c = new Int32Array(rows.size);
  const { rows: own } = run.view;
  own?.prompt.forEach((id, i) => {
    const row = rows.get(id);
    if (row === undefined) return;
    n[row] = own.n[i]!;
    c[row] = own.c[i]!;
  });
  return { run, n, c };
};

const prompts = (runs: readonly Counted[], least: number): number[] => {
  const [first] = runs;
  const found: number[] = [];
  first?.n.forEach((_, row) => {
    if (runs.every(({ n }) => n[row]! >= least)) found.push(row);
  });
  return found;
};

/** The greatest power of two for which half of the prompts have samples in all of the runs. */
const largestOf = (runs: readonly Counted[], rows: readonly number[]): number => {
  const least = rows
    .map((row) => Math.min(...runs.map(({ n }) => n[row]!).filter((n) => n > 0)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return powersOfTwo(least[(least.length - 1) >> 1] ?? 0).at(-1) ?? 0;
};

const tableOf = ({ n, c }: Counted, k: readonly number[]): PassAtKTable => {
  const table = new PassAtKTable(k);
  n.forEach((samples, row) => {
    if (samples > 0) table.set(row, samples, c[row]!);
  });
  return table;
};

const curveOf = (
  { run, n, c }: Counted,
  table: PassAtKTable,
  rows: readonly number[],
  k: readonly number[],
  beyond: readonly number[],
): Omit<Curve, 'crossing'> => {
  const only = rows[0] ?? 0;
  const { value, low, high, band } = meanCurve(table, rows, k.length, {
    seed: run.key,
    single: { samples: n[only]!, correct: c[only]! },
  });
  const samples = rows.map((row) => n[row]!);
  const fit = fitBetaBinomial(rows.map((row) => ({ samples: n[row]!, correct: c[row]! })));
  return {
    key: run.key,
    step: run.view.shown === null ? null : Number(run.view.shown),
    policyVersion: null,
    pooled: 1,
    value,
    low,
    high,
    extrapolated:
      'none' in fit ? beyond.map(() => NaN) : extrapolatedCurve(fit, samples, beyond).map(({ mean }) => mean),
    nMin: samples.reduce((least, each) => Math.min(least, each), Infinity),
    nMax: samples.reduce((most, each) => Math.max(most, each), 0),
    samples: samples.reduce((sum, each) => sum + each, 0),
    correct: rows.reduce((sum, row) => sum + c[row]!, 0),
    prompts: rows.length,
    interval: band,
  };
};

/** The shown run and the reference by the difficulty that one of the runs declares, the hardest first. */
const bucketsOf = (
  all: readonly RunView[],
  rows: ReadonlyMap<string, number>,
  fixed: readonly number[],
  shown: PassAtKTable,
  against: PassAtKTable,
  length: number,
): DrawnView['buckets'] => {
  const wanted = new Set(fixed);
  const placed = new Set<number>();
  const byName = new Map<string, number[]>();
  for (const { view } of all) {
    view.rows?.prompt.forEach((id, i) => {
      const row = rows.get(id) ?? -1;
      const name = view.rows?.difficulty[i] ?? null;
      if (name === null || !wanted.has(row) || placed.has(row)) return;
      placed.add(row);
      const known = byName.get(name);
      if (known) known.push(row);
      else byName.set(name, [row]);
    });
  }
  const values = (table: PassAtKTable, members: readonly number[]): readonly number[] =>
    table.curveOver(members, length).map(({ mean }) => mean);
  return [...byName]
    .map(([name, members]) => ({
      name,
      prompts: members.length,
      shown: values(shown, members),
      against: values(against, members),
    }))
    .sort((a, b) => a.against[0]! - b.against[0]!);
};

/**
 * Runs side by side, each at the measurement that its own view shows, over the prompts that all of them have; where
 * there is none, each stands over its own prompts and that is said. The shown run is the first, the reference the
 * second.
 */
export const runCurves = (all: readonly RunView[], shownRows: PasskRows | null): DrawnView | null => {
  const [main, other] = all;
  if (!main) return null;
  const rows = new Map<string, number>();
  for (const { view } of all)
    for (const id of view.rows?.prompt ?? []) if (!rows.has(id)) rows.set(id, rows.size);
  const runs = all.map((run) => counted(run, rows));
  const shared = prompts(runs, 1);
  const common = shared.length > 0;
  const largestK = common
    ? largestOf(runs, shared)
    : Math.min(...runs.map((run) => largestOf([run], prompts([run], 1))).filter((k) => k > 0), 16_384);
  const k = powersOfTwo(largestK);
  if (k.length === 0) return null;
  const beyond = Array.from({ length: EXTRAPOLATED }, (_, i) => largestK * 2 ** i);
  const fixed = common ? prompts(runs, largestK) : [];
  const tables = runs.map((run) => tableOf(run, k));
  const curves = runs.flatMap((run, i) => {
    const own = common ? fixed : prompts([run], largestK);
    return own.length === 0 ? [] : [curveOf(run, tables[i]!, own, k, beyond)];
  });
  const against = other ?? main;
  const againstTable = tables[all.indexOf(against)]!;
  const difference = tables.flatMap((table, i) =>
    all[i] === against
      ? []
      : pairedDifference(table, againstTable, k.length).map((each): Difference => ({
          key: all[i]!.key,
          k: each.k,
          value: 100 * each.mean,
          halfWidth: each.halfWidth === undefined ? NaN : 100 * each.halfWidth,
          prompts: each.prompts,
        })),
  );
  const crossingOf = (key: string): number | null => {
    const values = difference.filter((each) => each.key === key).map(({ value }) => value);
    return (
      crossings(
        k.slice(0, values.length),
        values,
        values.map(() => 0),
      )[0]?.k ?? null
    );
  };
  const notes: PasskNote[] = [];
  if (!common && all.length > 1) {
    notes.push({ code: 'differentPrompts', values: { shown: main.name, against: against.name } });
  }
  const measured = prompts([runs[0]!], 1).length;
  if (common && fixed.length < measured) {
    notes.push({
      code: 'fewerPrompts',
      values: { fixed: fixed.length, all: measured, curves: against.name },
    });
  }
  return {
    ...main.view,
    by: 'run',
    names: Object.fromEntries(all.map((run) => [run.key, run.name])),
    k,
    extrapolatedK: beyond,
    curves: curves.map((curve) => ({ ...curve, crossing: crossingOf(curve.key) })),
    keys: all.map(({ key }) => key),
    shown: main.key,
    against: against.key,
    paired: true,
    fixedPrompts: common ? fixed.length : (curves[0]?.prompts ?? 0),
    allPrompts: measured,
    largestK,
    ranges: [],
    interval: curves[0]?.interval ?? 'none',
    difference,
    buckets: common ? bucketsOf(all, rows, fixed, tables[0]!, againstTable, k.length) : [],
    notes: [
      ...notes,
      ...main.view.notes.filter(({ code }) => code === 'stopsOnSuccess' || code === 'nonBinary'),
    ],
    rows: shownRows,
  };
};
