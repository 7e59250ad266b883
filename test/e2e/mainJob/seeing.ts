import { expect, it } from 'vitest';
import { screenshot } from '../harness/appearance';
import { runCommand } from '../harness/commands';
import { panelFrame } from '../harness/panels';
import { announced, openPanel, PATIENCE, statusReads } from '../harness/rolloutscope';
import { tokensOf, treeRows } from '../harness/treeRows';
import type { Story } from './story';

/** Starts the sample run, sees its tree grow and reads a text. */
export function seesTheRun(story: Story): void {
  it('starts the sample run by command, attaches to it and shows its overview', async () => {
    const { page, workbench } = story.session();
    await runCommand(page, 'Rolloutscope: Start Sample Run');
    await statusReads(page, /Sample run · step \d+ · live/);
    const overview = await panelFrame(page, 'overview');
    await expect.poll(() => overview.locator('.rs-state').innerText(), PATIENCE).toMatch(/Live/);
    await expect.poll(() => overview.locator('.ov-cell').count()).toBe(6);
    story.journal = announced(workbench)?.journal ?? '';
    expect(story.journal).not.toBe('');
  });

  it('draws the rollout tree while it grows', async () => {
    const { page } = story.session();
    const tree = await openPanel(page, 'rolloutTree');
    await expect.poll(() => treeRows(tree).then((all) => all.length), PATIENCE).toBeGreaterThan(0);
    // A group may be over: then another one is shown as soon as it runs.
    await expect
      .poll(async () => {
        const before = await treeRows(tree);
        await page.waitForTimeout(300);
        const after = await treeRows(tree);
        const same = after.filter(({ rollout }) => before.some((row) => row.rollout === rollout));
        return same.length === before.length && tokensOf(same) > tokensOf(before);
      }, PATIENCE)
      .toBe(true);
  });

  it('shows the text of a rollout with the entropy of each token', async () => {
    const { page } = story.session();
    const tree = await panelFrame(page, 'rolloutTree');
    await tree
      .locator('[data-rollout]')
      .first()
      .click({ position: { x: 60, y: 8 } });
    const piece = tree.locator('.tree-piece').first();
    await expect
      .poll(() => piece.locator('.tree-tokens').innerText(), PATIENCE)
      .toMatch(/Units: .*Answer: \d+/);
    await tree.locator('.tree-token').nth(1).click();
    const readout = tree.locator('.tree-readout');
    await expect.poll(() => readout.innerText()).toMatch(/entropy\s+\d*\.\d\d\s*nats/);
    expect(await readout.innerText()).toMatch(/log-prob\s+[−\d.]+/);
    await readout.locator('.tree-alternative').first().waitFor();
    await screenshot(page, 'main job, text of a rollout');
  });
}
