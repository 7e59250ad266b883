import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { screenshot } from './harness/appearance';
import { choose, runCommand } from './harness/commands';
import { panelErrors, panelFrame } from './harness/panels';
import { ROLLOUTSCOPE_VSIX } from './harness/places';
import {
  PATIENCE,
  eventsSoFar,
  modalText,
  openPanel,
  press,
  statusReads,
  withRun,
} from './harness/rolloutscope';
import { useWorkbench } from './harness/session';

interface Group {
  readonly step: number;
  readonly planned: number;
}

/** The method of the newest step, as the decision on record names it. */
const whyMethod = (panel: Frame): Promise<string> => panel.locator('.bu-why').innerText();

describe('budgets, end to end', () => {
  const session = useWorkbench(
    () => ({
      vsix: [ROLLOUTSCOPE_VSIX],
      settings: { 'rolloutscope.author': 'Ada Lovelace', 'workbench.colorTheme': 'Default Dark Modern' },
    }),
    { width: 1760, height: 1000 },
  );

  /** Groups of the steps after `step`, as the job itself has them. */
  const groupsAfter = (step: number): Promise<Group[]> =>
    withRun(session().workbench, async (client) =>
      (await eventsSoFar(client))
        .filter(({ kind, fields }) => kind === 'groupOpened' && Number(fields['step']) > step)
        .map(({ fields }) => ({ step: Number(fields['step']), planned: Number(fields['planned']) })),
    );
  const newestStep = async (): Promise<number> =>
    Math.max(0, ...(await groupsAfter(-1)).map(({ step }) => step));

  const changeMethod = async (title: string): Promise<void> => {
    const { page } = session();
    await runCommand(page, 'Rolloutscope: Change Method…');
    await choose(page, title, title);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Use these' }).click();
    expect(await modalText(page)).toContain(`Change the allocation method to ${title}?`);
    await press(page, /^Apply from Step \d+$/);
  };

  it('starts the sample run', async () => {
    const { page } = session();
    await runCommand(page, 'Rolloutscope: Start Sample Run');
    await statusReads(page, /Sample run · step \d+ · live/);
  });

  it('answers why a prompt got its rollouts, by the recorded decision, under three methods', async () => {
    const { page } = session();
    const panel = await openPanel(page, 'budgets');
    for (const [title, pattern] of [
      ['Uniform (GRPO)', /Every prompt gets \d+ rollouts/],
      ['DARS', /First stage: \d+ rollouts of every prompt|Accuracy/],
      ['VIGOR', /Round \d+: /],
    ] as const) {
      await changeMethod(title);
      await expect.poll(() => whyMethod(panel), PATIENCE).toMatch(pattern);
      expect(await panel.locator('.bu-why h2').innerText()).toMatch(/^Why \d+\?$/);
      expect(await panel.locator('.bu-why').innerText()).toContain(title);
    }
  });

  it('applies a what-if, sees the run follow it from the next step on, and takes it back', async () => {
    const { page } = session();
    const panel = await panelFrame(page, 'budgets');
    const pane = panel.getByRole('region', { name: 'What if' });
    const uniform = pane.locator('tr[data-method="uniform"]');
    await expect.poll(() => uniform.first().getAttribute('data-state'), PATIENCE).toBe('done');
    const form = pane.locator('.wi-form');
    if (!(await form.isVisible())) await uniform.getByRole('button', { name: /^Parameters of/ }).click();
    await form.locator('vscode-text-field').first().locator('input').fill('3');
    await expect.poll(() => uniform.first().innerText(), PATIENCE).toMatch(/groupSize 3/);
    await expect.poll(() => uniform.first().getAttribute('data-state'), PATIENCE).toBe('done');
    await screenshot(page, 'budgets, what if');

    const before = await newestStep();
    await pane.locator('vscode-button', { hasText: 'Apply Uniform' }).click();
    expect(await modalText(page)).toMatch(
      /Change the allocation method to Uniform \(GRPO\)\?[^]*Rollouts \d+ → \d+/,
    );
    await press(page, /^Apply from Step \d+$/);
    const planned = async (after: number): Promise<number[]> =>
      [...new Set((await groupsAfter(after)).map((group) => group.planned))].sort();
    await expect.poll(() => planned(before + 1), PATIENCE).toEqual([3]);
    await expect
      .poll(() => panel.locator('.rs-rows [role="row"][aria-selected]').first().innerText(), PATIENCE)
      .toMatch(/\b3\b/);

    const followed = await newestStep();
    await runCommand(page, 'Rolloutscope: Undo Steering');
    await page
      .locator('.quick-input-list .monaco-list-row', {
        hasText: /^From step \d+ on allocation is by Uniform/,
      })
      .first()
      .click();
    expect(await modalText(page)).toMatch(/Undo “/);
    await press(page, /^(Undo|Apply from Step \d+)$/);
    // VIGOR begins a step with two rollouts a prompt.
    await expect
      .poll(async () => (await groupsAfter(followed + 1)).some((group) => group.planned !== 3), PATIENCE)
      .toBe(true);
    expect(await panelErrors(page)).toEqual([]);
  });
});
