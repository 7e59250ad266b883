import { expect, it } from 'vitest';
import { runCommand } from '../harness/commands';
import {
  eventsSoFar,
  modalText,
  openPanel,
  PATIENCE,
  press,
  viewRows,
  withRun,
} from '../harness/rolloutscope';
import { exactPassAtK } from './exactPassAtK';
import { AUTHOR, type Story } from './story';

interface Evaluation {
  readonly step: number;
  readonly problems: { readonly n: readonly number[]; readonly c: readonly number[] };
}

/** The steering record, and what evaluations say. */
export function readsTheRecord(story: Story): void {
  it('has all of it in the steering record, with author and reason, and takes one back', async () => {
    const { page } = story.session();
    const record = viewRows(page, 'Steering Record');
    const labels = await record.evaluateAll((elements) =>
      elements.map((one) => one.getAttribute('aria-label') ?? ''),
    );
    expect(labels).toHaveLength(4);
    expect(labels.every((label) => label.includes(`By ${AUTHOR}`))).toBe(true);
    expect(labels.join('\n')).toMatch(/Reason: too few to learn from[^]*Reason: to look at the forks/);
    await runCommand(page, 'Rolloutscope: Undo Steering');
    const set = page.locator('.quick-input-list .monaco-list-row', { hasText: `${story.prompt}: set 11` });
    await set.click();
    expect(await modalText(page)).toMatch(/Undo “/);
    await press(page, /^(Undo|Apply from Step \d+)$/);
    const undone = record.filter({ hasText: `Taken back: From step` });
    await expect
      .poll(() => undone.allInnerTexts().then((all) => all.join('')), PATIENCE)
      .toContain(story.prompt);
    await expect.poll(() => record.count(), PATIENCE).toBe(5);
  });

  it('has the pass@k that the evaluation’s own counts give, and none beyond n', async () => {
    const { page, workbench } = story.session();
    const panel = await openPanel(page, 'passAtK');
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBeGreaterThan(0);
    const evaluations = await withRun(workbench, async (client) =>
      (await eventsSoFar(client))
        .filter(({ kind }) => kind === 'evaluation')
        .map(({ fields }) => fields as unknown as Evaluation),
    );
    expect(evaluations.length).toBeGreaterThan(0);
    const table = await panel.locator('td[data-k]').evaluateAll((cells) =>
      cells.map((cell) => ({
        step: Number(cell.getAttribute('data-step')),
        k: Number(cell.getAttribute('data-k')),
        title: cell.getAttribute('title') ?? '',
      })),
    );
    for (const { step, k, title } of table) {
      const problems = evaluations.find((one) => one.step === step)?.problems;
      if (!problems) throw new Error(`The run has no evaluation of step ${step}.`);
      const { n, c } = problems;
      expect(Math.min(...n)).toBeGreaterThanOrEqual(k);
      const mean = n.reduce((sum, each, i) => sum + exactPassAtK(each, c[i] ?? NaN, k), 0) / n.length;
      expect(Number(title), `pass@${k} of step ${step}`).toBeCloseTo(mean, 6);
    }
    // Of 64 samples nothing is said about 128: the table ends at n.
    expect(Math.max(...table.map(({ k }) => k))).toBe(64);
  });
}
