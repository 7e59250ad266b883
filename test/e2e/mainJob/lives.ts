import { expect, it } from 'vitest';
import { screenshot } from '../harness/appearance';
import { policyViolations } from '../harness/artefacts';
import { budgetsTable } from '../harness/budgetsTable';
import { runCommand } from '../harness/commands';
import { panelErrors, panelFrame } from '../harness/panels';
import { announced, openPanel, openViews, PATIENCE, statusReads, viewRows } from '../harness/rolloutscope';
import type { Story } from './story';

/** The process is killed and started again, the window reloaded. */
export function outlivesTheProcess(story: Story): void {
  it('says that the run is lost when its process is killed, and keeps what it showed', async () => {
    const { page, workbench } = story.session();
    const panel = await panelFrame(page, 'passAtK');
    const before = await panel.locator('[data-row-step]').count();
    const { pid = 0 } = announced(workbench) ?? {};
    process.kill(pid, 'SIGKILL');
    await statusReads(page, /lost/);
    await expect.poll(() => panel.locator('.rs-banner').innerText(), PATIENCE).toMatch(/Connection lost at/);
    // The process ran on this machine: what has become of it is known.
    await expect
      .poll(() => panel.locator('.rs-banner').innerText(), PATIENCE)
      .toContain(`The job’s process has ended (pid ${pid}).`);
    expect(await panel.locator('[data-row-step]').count()).toBe(before);
    await viewRows(page, 'Runs')
      .filter({ hasText: /Sample run.*lost/ })
      .waitFor();
    await screenshot(page, 'main job, lost');
  });

  it('comes back as the same run in its 2nd start', async () => {
    const { page, workbench } = story.session();
    const first = announced(workbench)?.run;
    await runCommand(page, 'Rolloutscope: Start Sample Run');
    await statusReads(page, /Sample run · step \d+ · live/);
    const panel = await panelFrame(page, 'passAtK');
    await expect.poll(() => panel.locator('.rs-header').innerText(), PATIENCE).toMatch(/2nd start/);
    await expect.poll(() => announced(workbench)?.incarnation, PATIENCE).toBe(2);
    expect(announced(workbench)?.run).toBe(first);
    const runs = viewRows(page, 'Runs').filter({ hasText: /Sample run/ });
    await expect.poll(() => runs.count(), PATIENCE).toBe(1);
  });

  it('goes on after the window is reloaded, with its panels', async () => {
    const { page } = story.session();
    // Not the page's own reload: this one lets the workbench write down first what is open.
    await Promise.all([page.waitForEvent('load'), runCommand(page, 'Developer: Reload Window')]);
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
    await statusReads(page, /Sample run · step \d+ · live/);
    const panel = await panelFrame(page, 'passAtK', 60_000);
    await expect.poll(() => panel.locator('.rs-state').innerText(), PATIENCE).toMatch(/Live/);
    // The window has heard nothing of the first start: it was read from the run's journal.
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBeGreaterThan(0);
    await openViews(page);
    await expect.poll(() => viewRows(page, 'Steering Record').count(), PATIENCE).toBe(5);
    // One that was hidden before sleeps until it is looked at; then it is there once.
    const table = await openPanel(page, 'budgets');
    await expect.poll(async () => (await budgetsTable(table)).size, PATIENCE).toBeGreaterThan(0);
    const ours = page.locator('.tab', { hasText: /Overview|Tree|Budgets|pass@k/ });
    await expect.poll(() => ours.count(), PATIENCE).toBe(4);
  });

  it('is clean: no error in a panel, no refusal by a content policy', async () => {
    const { page } = story.session();
    for (const panel of ['overview', 'rolloutTree', 'budgets', 'passAtK'] as const) {
      await openPanel(page, panel);
      expect(await panelErrors(page)).toEqual([]);
    }
    expect(policyViolations(page)).toEqual([]);
  });
}
