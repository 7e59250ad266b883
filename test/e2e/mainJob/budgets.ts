import { expect, it } from 'vitest';
import { screenshot } from '../harness/appearance';
import { budgetsTable, isSorted } from '../harness/budgetsTable';
import { panelFrame } from '../harness/panels';
import { openPanel, PATIENCE, withRun } from '../harness/rolloutscope';
import { AUTHOR, type Story } from './story';

/** The budgets of the next step, why they are so, and their order. */
export function seesTheBudgets(story: Story): void {
  it('sees the next step’s budget follow, with the recorded decision', async () => {
    const { page } = story.session();
    const panel = await openPanel(page, 'budgets');
    await expect
      .poll(async () => (await budgetsTable(panel)).get(story.prompt)?.['planned'], PATIENCE)
      .toBe(11);
    const why = panel.locator('.bu-why');
    await expect.poll(() => why.innerText(), PATIENCE).toContain(`set by ${AUTHOR}`);
    await screenshot(page, 'main job, budgets after re-allocation');
  });

  it('explains a budget that the method gave by the numbers it was made from', async () => {
    const { page, workbench } = story.session();
    const panel = await panelFrame(page, 'budgets');
    // The method needs results of the prompt; a person's pin has none.
    const other = async () =>
      [...(await budgetsTable(panel)).keys()].find((prompt) => prompt !== story.prompt) ?? '';
    const prompt = await other();
    await panel.locator(`.bu-id[title="${prompt}"]`).click();
    const why = panel.locator('.bu-why');
    await expect.poll(() => why.innerText(), PATIENCE).toMatch(/Knapsack-RL/);
    const recorded = await withRun(workbench, async (client) => {
      await client.initialize('read');
      const subject = { type: 'prompt', id: prompt } as const;
      return (await client.read('decisions', { subject, limit: 8 })).decisions;
    });
    const shown = await why.innerText();
    expect(recorded.filter(({ sentence }) => shown.includes(sentence)).map(({ kind }) => kind)).toContain(
      'allocate',
    );
    expect(await why.locator('.bu-pair').count()).toBeGreaterThan(2);
  });

  it('sorts the prompts by a column, both ways', async () => {
    const { page } = story.session();
    const panel = await panelFrame(page, 'budgets');
    const planned = async () => [...(await budgetsTable(panel)).values()].map((row) => row['planned'] ?? NaN);
    const head = panel.locator('.bu-count-head .bu-sort', { hasText: 'planned' });
    await head.click();
    await expect.poll(async () => isSorted(await planned(), -1), PATIENCE).toBe(true);
    await head.click();
    await expect.poll(async () => isSorted(await planned(), 1), PATIENCE).toBe(true);
  });
}
