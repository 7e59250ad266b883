import { expect, it } from 'vitest';
import { screenshot } from '../harness/appearance';
import { runCommand } from '../harness/commands';
import { openRecorded } from '../harness/recordedRun';
import { openPanel, PATIENCE, statusReads, viewRows } from '../harness/rolloutscope';
import type { Story } from './story';

/** The run is stopped and its journal opened. */
export function opensWhatWasRecorded(story: Story): void {
  it('opens what the run recorded once it is stopped: the same panels, without steering and with the reason', async () => {
    const { page } = story.session();
    await runCommand(page, 'Rolloutscope: Stop Sample Run');
    await statusReads(page, /lost|ended/);
    await openRecorded(page, story.journal, 'incarnation-0002');
    await statusReads(page, /recorded · step \d+/);
    for (const [panel, holds] of [
      ['overview', '.ov-cell'],
      ['rolloutTree', '[data-rollout]'],
      ['budgets', '.rs-rows [role="row"][aria-selected]'],
      ['passAtK', '[data-row-step]'],
    ] as const) {
      const frame = await openPanel(page, panel);
      await expect.poll(() => frame.locator(holds).count(), PATIENCE).toBeGreaterThan(0);
      expect(await frame.locator('.rs-state').innerText()).toMatch(/Recorded/);
      expect(await frame.locator('.rs-banner').innerText()).toMatch(
        /Read from its journal\.[^]*steering needs a live run\./,
      );
      expect(await frame.getByRole('button', { name: /^(Pause|Fork|Stop|Give|Re-allocate)/ }).count()).toBe(
        0,
      );
    }
    // The last step was cut by the stop: the one before it is whole.
    const tree = await openPanel(page, 'rolloutTree');
    await tree.getByRole('button', { name: 'Previous step' }).click();
    await tree.locator('[data-ending="finished"]').first().waitFor();
    await tree
      .locator('[data-ending="finished"]')
      .first()
      .click({ position: { x: 60, y: 8 } });
    const text = tree.locator('.tree-piece .tree-tokens');
    await expect
      .poll(async () => (await text.allInnerTexts()).join(''), PATIENCE)
      .toMatch(/Units: .*Answer: /);
    await screenshot(page, 'main job, recorded run');
    expect(await viewRows(page, 'Steering Record').count()).toBe(5);
  });
}
