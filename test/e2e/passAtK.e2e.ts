import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { screenshot } from './harness/appearance';
import { policyViolations } from './harness/artefacts';
import { panelErrors } from './harness/panels';
import { ROLLOUTSCOPE_VSIX, ROOT } from './harness/places';
import { openRecorded } from './harness/recordedRun';
import { openPanel, PATIENCE, statusReads } from './harness/rolloutscope';
import { useWorkbench } from './harness/session';

/** What the journal's generator knows: the success rate of every problem at every step. */
interface Truth {
  readonly p: Readonly<Record<string, readonly number[]>>;
}
interface Counts {
  readonly name: string;
  readonly step: number;
  readonly n: readonly number[];
  readonly c: readonly number[];
}

/** A copy, for the folder of the repository is not a person's to open. */
const runs = mkdtempSync(path.join(os.tmpdir(), 'rs-coverage-'));
cpSync(path.join(ROOT, 'test/golden/coverage-v1'), runs, { recursive: true });
afterAll(() => rmSync(runs, { recursive: true, force: true }));

const lines = (run: string): Record<string, unknown>[] =>
  readFileSync(path.join(runs, run, 'incarnation-0001/segment-000001.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    // The first line is the segment's head.
    .slice(1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Evaluations of a journal, read here and not by the product. */
function evaluationsOf(run: string): Counts[] {
  const strings: string[] = [];
  const found: Counts[] = [];
  for (const line of lines(run)) {
    const { strings: added, events } = line as {
      strings?: { values?: string[] };
      events?: { evaluation?: { name: number[]; step: number[]; problems: { n: number[]; c: number[] }[] } };
    };
    strings.push(...(added?.values ?? []));
    events?.evaluation?.problems.forEach(({ n, c }, i) => {
      const { name, step } = events.evaluation ?? { name: [], step: [] };
      found.push({ name: strings[name[i] ?? -1] ?? '', step: step[i] ?? NaN, n, c });
    });
  }
  return found;
}

/** C(n, k) with whole numbers, apart from the product's own estimator. */
function combinations(n: bigint, k: bigint): bigint {
  let value = 1n;
  for (let i = 1n; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
}
function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  const miss = (combinations(BigInt(n - c), BigInt(k)) * 10n ** 15n) / combinations(BigInt(n), BigInt(k));
  return 1 - Number(miss) / 1e15;
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const K = [1, 2, 4, 8, 16, 32, 64] as const;
const curveOf = ({ n, c }: Counts, least = 64): number[] =>
  K.filter((k) => k <= least).map((k) =>
    mean(n.flatMap((each, i) => (each >= least ? [passAtK(each, c[i] ?? NaN, k)] : []))),
  );

/** Where two curves cross, linear in log k between the points. */
function crossingOf(shown: readonly number[], against: readonly number[]): number {
  for (let i = 1; i < shown.length; i++) {
    const before = (shown[i - 1] ?? 0) - (against[i - 1] ?? 0);
    const after = (shown[i] ?? 0) - (against[i] ?? 0);
    if (before > 0 && after < 0) return 2 ** (i - 1 + before / (before - after));
  }
  return NaN;
}

/** The numbers of the page: curve → k → exact value. */
async function valuesOf(panel: Frame): Promise<Map<string, Map<number, number>>> {
  const cells = await panel.locator('td[data-k]').evaluateAll((elements) =>
    elements.map((cell) => ({
      curve: cell.getAttribute('data-step') ?? '',
      k: Number(cell.getAttribute('data-k')),
      value: Number(cell.getAttribute('title')),
    })),
  );
  const values = new Map<string, Map<number, number>>();
  for (const { curve, k, value } of cells) {
    values.set(curve, (values.get(curve) ?? new Map<number, number>()).set(k, value));
  }
  return values;
}

const row = (values: ReadonlyMap<string, ReadonlyMap<number, number>>, curve: string | number): number[] => [
  ...(values.get(String(curve)) ?? new Map<number, number>()).values(),
];
const expectClose = (actual: readonly number[], expected: readonly number[], digits = 9): void => {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => expect(value).toBeCloseTo(expected[i] ?? NaN, digits));
};

const choose = async (panel: Frame, label: string, option: string): Promise<void> => {
  const dropdown = panel.locator(`vscode-dropdown[aria-label="${label}"]`);
  await dropdown.click();
  await dropdown.locator('vscode-option', { hasText: option }).first().click();
};

describe('coverage of a recorded run with known truth', () => {
  const session = useWorkbench(
    () => ({ vsix: [ROLLOUTSCOPE_VSIX], settings: { 'workbench.colorTheme': 'Default Dark Modern' } }),
    { width: 1760, height: 1000 },
  );
  const evaluations = evaluationsOf('sharpened');
  const heldOut = evaluations.filter(({ name }) => name === 'held-out');

  it('has the numbers of the binomial formula, near the truth that the set was drawn from', async () => {
    const { page } = session();
    await openRecorded(page, path.join(runs, 'sharpened'), 'incarnation-0001');
    await statusReads(page, /coverage sharpened · recorded/);
    const panel = await openPanel(page, 'passAtK');
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBe(heldOut.length);
    const values = await valuesOf(panel);
    const truth = JSON.parse(readFileSync(path.join(runs, 'sharpened/truth.json'), 'utf8')) as Truth;
    for (const evaluation of heldOut) {
      expectClose(row(values, evaluation.step), curveOf(evaluation));
      const rates = truth.p[evaluation.step] ?? [];
      K.forEach((k, i) => {
        const exact = rates.map((p) => 1 - (1 - p) ** k);
        // The estimate of a prompt varies no more than one draw of whether k samples hold a right one.
        const error = Math.sqrt(exact.reduce((sum, q) => sum + q * (1 - q), 0)) / exact.length;
        const estimate = row(values, evaluation.step)[i] ?? NaN;
        expect(Math.abs(estimate - mean(exact))).toBeLessThan(4 * error);
      });
    }
  });

  it('says that coverage is traded for accuracy, where the curves cross, and since when', async () => {
    const { page } = session();
    const panel = await openPanel(page, 'passAtK');
    expect(await panel.locator('.pk-headline h2').innerText()).toBe('Accuracy rises, coverage shrinks');
    const [first, ...later] = heldOut;
    const newest = later.at(-1);
    if (!first || !newest) throw new Error('The journal has too few evaluations.');
    const crossing = crossingOf(curveOf(newest), curveOf(first));
    expect(await panel.locator('svg.pk-chart').textContent()).toContain(
      `the curves cross at k ≈ ${Math.round(crossing)}`,
    );
    const crossed = later.filter((each) => !Number.isNaN(crossingOf(curveOf(each), curveOf(first))));
    const marks = await panel
      .locator('[data-crossing-step]')
      .evaluateAll((all) => all.map((mark) => Number(mark.getAttribute('data-crossing-step'))));
    expect(marks).toEqual(crossed.map(({ step }) => step));
    // Traded: both paired intervals leave 0, accuracy upwards and coverage downwards.
    const difference = (each: Counts, k: number) => {
      const all = each.n.map((n, i) => {
        const before = passAtK(first.n[i] ?? NaN, first.c[i] ?? NaN, k);
        return passAtK(n, each.c[i] ?? NaN, k) - before;
      });
      const centre = mean(all);
      const squares = all.reduce((sum, x) => sum + (x - centre) ** 2, 0);
      return { centre, half: 1.959964 * Math.sqrt(squares / (all.length - 1) / all.length) };
    };
    const traded = later.filter((each) => {
      const [one, many] = [difference(each, 1), difference(each, 64)];
      return one.centre > one.half && many.centre < -many.half;
    });
    expect(traded.length).toBeGreaterThan(0);
    const lasting = traded.length === later.length - later.indexOf(traded[0] ?? newest);
    const since = traded[0]?.step ?? NaN;
    expect(await panel.locator('.pk-trade').innerText()).toContain(
      lasting
        ? `From step ${since} on pass@1 is higher and pass@64 lower than at step 0`
        : `At ${traded.length} of ${later.length} steps, first at step ${since}, pass@1 is higher and pass@64 lower`,
    );
    const shown = difference(newest, 64);
    const cell = panel.locator('td[data-difference-k="64"]');
    expect(Number(await cell.getAttribute('title'))).toBeCloseTo(100 * shown.centre, 6);
    expect(await cell.getAttribute('class')).toContain('rs-strong');
    const half = await panel.locator('td[data-half-k="64"]').getAttribute('title');
    expect(Number(half)).toBeCloseTo(100 * shown.half, 4);
    await screenshot(page, 'coverage, shrinks while accuracy grows');
  });

  it('stands on one set of prompts where n is unequal, and extrapolates only what it marks so', async () => {
    const { page } = session();
    const panel = await openPanel(page, 'passAtK');
    await choose(panel, 'Set of problems', 'ragged');
    await panel
      .locator('svg.pk-chart', { hasText: '80 of 120 prompts, the same at every k to 32' })
      .waitFor();
    const [ragged] = evaluations.filter(({ name }) => name === 'ragged');
    if (!ragged) throw new Error('The journal has no ragged set.');
    expectClose(row(await valuesOf(panel), 0), curveOf(ragged, 32));
    await choose(panel, 'Prompts under the curves', '40 prompts with n ≥ 64');
    await panel
      .locator('svg.pk-chart', { hasText: '40 of 120 prompts, the same at every k to 64' })
      .waitFor();
    expectClose(row(await valuesOf(panel), 0), curveOf(ragged, 64));
    expect(await panel.locator('[data-note="unequalN"]').innerText()).toContain(
      '80 of 120 prompts have fewer than 64 samples',
    );
    const ground = panel.locator('svg.pk-chart > g[data-extrapolated]');
    expect(await ground.textContent()).toBe('extrapolated');
    await panel.locator('vscode-checkbox', { hasText: 'Extrapolate' }).click();
    await expect.poll(() => panel.locator('[data-extrapolated]').count(), PATIENCE).toBe(0);
    await choose(panel, 'Set of problems', 'held-out');
  });

  it('counts the leaves of forks where the conditions allow it, and names the fallback where not', async () => {
    const { page } = session();
    const panel = await openPanel(page, 'passAtK');
    await panel.getByRole('radio', { name: 'Training groups' }).click();
    await choose(panel, 'One curve a …', 'Curve a prompt');
    // The forks' prompts have four trees each, fewer than k = 8.
    await choose(panel, 'Prompts under the curves', '8 prompts with n ≥ 4');
    await panel.getByRole('radio', { name: 'Prompts', exact: true }).click();
    for (const prompt of ['fork-online', 'fork-after-outcome', 't-2']) {
      await panel.locator(`[data-prompt="${prompt}"]`).click();
      await panel.locator(`[data-advice="${prompt}"] vscode-button`, { hasText: 'Show Curve' }).click();
      await panel.locator(`[data-line="${prompt}"]`).waitFor();
      await panel.getByRole('radio', { name: 'Prompts', exact: true }).click();
    }
    await panel.getByRole('radio', { name: 'Curves', exact: true }).click();
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBe(3);
    const values = await valuesOf(panel);
    // Trees: mean over children, so (1 + 1 + 0) / 3, (0 + 1) / 2, 0 and 1; pass@k by their subsets.
    const misses = [1 / 3, 1 / 2, 1, 0];
    const pairs = misses.flatMap((x, i) => misses.slice(i + 1).map((y) => x * y));
    expectClose(row(values, 'fork-online'), [1 - mean(misses), 1 - mean(pairs), 1]);
    expectClose(
      row(values, 'fork-after-outcome'),
      [1, 2, 4].map((k) => passAtK(4, 2, k)),
    );
    expectClose(
      row(values, 't-2'),
      [1, 2, 4].map((k) => passAtK(8, 2, k)),
    );
    await panel.locator('.pk-notes button').click();
    const notes = (await panel.locator('.pk-notes').innerText()).replaceAll('\n', ' ');
    expect(notes).toContain('in 1 of 8 groups the leaves of all forks count');
    expect(notes).toContain('a fork’s place was chosen after the tokens that follow it');
    await choose(panel, 'One curve a …', 'Curve a step');
    await panel.getByRole('radio', { name: 'Held-out' }).click();
  });

  it('puts two recorded runs side by side over the prompts that both have', async () => {
    const { page } = session();
    await openRecorded(page, path.join(runs, 'even'), 'incarnation-0001');
    await statusReads(page, /coverage even · recorded/);
    const panel = await openPanel(page, 'passAtK');
    await choose(panel, 'One curve a …', 'Curve a run');
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBe(2);
    const values = [...(await valuesOf(panel))];
    const newest = (run: string): Counts => {
      const last = evaluationsOf(run).at(-1);
      if (!last) throw new Error(`${run} has no evaluation.`);
      return last;
    };
    expectClose([...(values[0]?.[1].values() ?? [])], curveOf(newest('even')));
    expectClose([...(values[1]?.[1].values() ?? [])], curveOf(newest('sharpened')));
    expect(await panel.locator('.pk-headline h2').innerText()).toBe(
      'coverage even has lower accuracy, higher coverage',
    );
    await screenshot(page, 'coverage, two runs');
  });

  it('is clean: no error in a panel, no refusal by a content policy', async () => {
    const { page } = session();
    expect(await panelErrors(page)).toEqual([]);
    expect(policyViolations(page)).toEqual([]);
  });
});
