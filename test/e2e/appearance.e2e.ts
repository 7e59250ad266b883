import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './harness/accessibility';
import { screenshot, setTheme } from './harness/appearance';
import { answer, choose, runCommand } from './harness/commands';
import { panelFrame, type PanelName } from './harness/panels';
import { ROLLOUTSCOPE_VSIX, ROOT } from './harness/places';
import { PATIENCE, openPanel, openViews, press, statusReads, viewRows } from './harness/rolloutscope';
import { useWorkbench } from './harness/session';

const PANELS: readonly PanelName[] = ['overview', 'rolloutTree', 'budgets', 'passAtK'];
/** Written for the README when asked for: UPDATE_PICTURES=1. */
const UPDATE = process.env['UPDATE_PICTURES'] === '1';
/** Steps before the pictures are taken: curves of two evaluations; for the README also budgets that differ. */
const STEPS = UPDATE ? 18 : 6;
const STEPS_MS = STEPS * 25_000;
const PICTURES = {
  overview: 'overview',
  rolloutTree: 'tree',
  budgets: 'budgets',
  passAtK: 'passAtK',
} as const;
const MOST_BYTES = 300 * 1024;

/** Shows something worth a look: a rollout's text in the tree, a prompt's decision in the budgets. */
async function prepare(page: Page, name: PanelName, panel: Frame): Promise<void> {
  if (name === 'rolloutTree') {
    await panel.locator('[data-rollout]').first().waitFor();
    // The one that forked most.
    const parents = await panel
      .locator('[data-rollout][data-from-node]')
      .evaluateAll((rows) =>
        rows.map((row) => row.getAttribute('data-from-node') ?? '').filter((node) => node !== ''),
      );
    const parent = (parents[0] ?? '').replace(/\.n(\d+)$/, '.r$1');
    const row = panel.locator(`[data-rollout="${parent}"]`);
    await ((await row.count()) > 0 ? row : panel.locator('[data-rollout]'))
      .first()
      .click({ position: { x: 60, y: 8 } });
    await panel.locator('.tree-token').nth(3).click();
  }
  if (name === 'budgets') await panel.locator('.bu-id').first().click();
  if (name === 'passAtK') {
    await expect.poll(() => panel.locator('[data-row-step]').count(), PATIENCE).toBeGreaterThan(0);
  }
  await page.mouse.move(5, 5);
}

/** Something for the record of the README's pictures: more rollouts for a prompt, and a condition to pause on. */
async function steer(page: Page): Promise<void> {
  await viewRows(page, 'Prompts').first().click();
  await runCommand(page, 'Rolloutscope: Re-allocate…');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: /^prompt / }).click();
  await choose(page, 'Give more');
  await answer(page, '8');
  await choose(page, 'Extra');
  await press(page, 'Give a Reason…');
  await answer(page, 'hard, but solved now and then');
  await press(page, /^Apply/);
  await runCommand(page, 'Rolloutscope: Break When…');
  await choose(page, 'the share of groups without gradient');
  await choose(page, 'is above');
  await answer(page, '.6');
  await press(page, 'Add Break');
  await runCommand(page, 'Rolloutscope: Open Overview');
  const overview = await panelFrame(page, 'overview');
  // Back to the newest step, which choosing a prompt had pinned.
  const follow = overview.getByRole('button', { name: 'Follow' });
  if ((await follow.count()) > 0) await follow.click();
}

describe('how it looks', () => {
  const session = useWorkbench(
    () => ({
      vsix: [ROLLOUTSCOPE_VSIX],
      settings: { 'rolloutscope.author': 'Ada Lovelace', 'workbench.colorTheme': 'Default Dark Modern' },
    }),
    { width: 1760, height: 1000 },
  );

  it(
    'has a live run with some steps behind it',
    async () => {
      const { page } = session();
      await runCommand(page, 'Rolloutscope: Start Sample Run');
      await statusReads(page, /Sample run · step \d+ · live/);
      await openViews(page);
      if (UPDATE) await steer(page);
      await expect
        .poll(
          async () => Number(/step (\d+)/.exec(await viewRows(page, 'Runs').nth(1).innerText())?.[1] ?? 0),
          {
            timeout: STEPS_MS,
            interval: 500,
          },
        )
        .toBeGreaterThanOrEqual(STEPS);
    },
    STEPS_MS + 60_000,
  );

  it.each(['Default Dark Modern', 'Default Light Modern', 'Default High Contrast'] as const)(
    'is drawn for people in %s, and for those who cannot see it',
    async (theme) => {
      const { page } = session();
      await setTheme(page, theme);
      for (const name of PANELS) {
        const panel = await openPanel(page, name);
        await prepare(page, name, panel);
        await screenshot(page, `${PICTURES[name]}, ${theme}`);
        expect(await violations(panel), `${name} in ${theme}`).toEqual([]);
      }
    },
  );

  it.runIf(UPDATE)('gives the pictures of the README', async () => {
    const { page } = session();
    await setTheme(page, 'Default Dark Modern');
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 1400 + 60, height: 900 });
    const folder = path.join(ROOT, 'docs', 'pictures');
    mkdirSync(folder, { recursive: true });
    for (const name of PANELS) {
      const panel = await openPanel(page, name);
      await prepare(page, name, panel);
      const box = await (await panel.frameElement()).boundingBox();
      if (!box) throw new Error(`${name} has no place on the page.`);
      const file = path.join(folder, `${PICTURES[name]}.png`);
      await page.screenshot({ path: file, clip: box, animations: 'disabled', caret: 'hide' });
      expect(statSync(file).size).toBeLessThan(MOST_BYTES);
    }
  });
});
