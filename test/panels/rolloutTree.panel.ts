import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { treeView } from './fixtures/treeViews';
import { accessibilityProblems, PageHost, type OpenOptions } from './pageHost';

let host: PageHost;
beforeAll(async () => {
  host = await PageHost.start(['rolloutTree']);
});
afterAll(() => host.close());

const opened: Page[] = [];
const open = async (scenario: string, options: OpenOptions = {}): Promise<Page> => {
  const page = await host.open(scenario, options);
  opened.push(page);
  return page;
};
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

const tree = '[role="tree"]';
const commands = (page: Page) => page.evaluate(() => window.fakeHost?.commands ?? []);
const selections = (page: Page) => page.evaluate(() => window.fakeHost?.selections ?? []);
const row = (page: Page, rollout: string) => page.locator(`[role="treeitem"][data-rollout="${rollout}"]`);
const focusTree = (page: Page) => page.locator(tree).focus();
const current = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const id = document.querySelector('[role="tree"]')?.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.getAttribute('data-rollout') ?? null;
  });
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('rollout tree', () => {
  it('tells each row’s place, origin and end', async () => {
    const page = await open('tree-unchosen', { height: 1200 });
    const pruned = row(page, 'c1.f2.b3');
    expect(await pruned.getAttribute('data-ending')).toBe('pruned');
    expect(await pruned.getAttribute('data-from-node')).toBe('c1/n0');
    expect(await pruned.getAttribute('data-use')).toBe('train');
    expect(await pruned.getAttribute('aria-level')).toBe('2');
    expect(await pruned.getAttribute('aria-posinset')).toBe('6');
    expect(await pruned.getAttribute('aria-setsize')).toBe('9');
    expect(await pruned.locator('.rs-hidden').textContent()).toMatch(
      /^c1\.f2\.b3, pruned, 598 tokens, forked at token \d+ of c1$/,
    );
    expect(await row(page, 'p1').getAttribute('data-use')).toBe('probe');
    expect(await row(page, 'p1').getAttribute('aria-level')).toBe('3');
    expect(await row(page, 'c0.f1.b3').getAttribute('data-ending')).toBe('discarded');
    expect(await row(page, 'c3.f1.b2').getAttribute('data-ending')).toBe('running');
  });

  it('moves with the keys and chooses with Enter', async () => {
    const page = await open('tree-unchosen', { height: 1200 });
    await focusTree(page);
    expect(await current(page)).toBe('c0');
    await press(page, 'ArrowRight');
    expect(await current(page)).toBe('c0.f3.b1');
    await press(page, 'Alt+ArrowDown', 'Alt+ArrowDown');
    expect(await current(page)).toBe('c0.f3.b3');
    await press(page, 'ArrowDown');
    expect(await current(page)).toBe('c0.f2.b1');
    await press(page, 'ArrowLeft', 'Alt+ArrowDown');
    expect(await current(page)).toBe('c1');
    await press(page, 'End');
    expect(await current(page)).toBe('c3.f1.b3');
    await press(page, 'Home', 'Enter');
    await page.waitForFunction(() => (window.fakeHost?.selections.length ?? 0) > 0);
    await expect
      .poll(async () => (await selections(page)).at(-1))
      .toEqual({
        prompt: 'lcm-0417',
        group: '37',
        rollout: 'c0',
        node: 'c0/n0',
      });
    await press(page, 'Escape');
    await page.waitForFunction(() => (window.fakeHost?.selections.length ?? 0) > 1);
    await expect.poll(async () => (await selections(page)).at(-1)).toEqual({ rollout: null, node: null });
  });

  it('forks before the chosen token, by its place in the node', async () => {
    const page = await open('tree-live');
    const fork = page.locator('vscode-button', { hasText: 'Fork here…' });
    expect(await fork.getAttribute('aria-disabled')).toBe('true');
    expect(await fork.getAttribute('title')).toBe(
      'Choose the token in the text of p1 before which it is to fork.',
    );
    await page.locator('[data-at="140"]').click();
    await page.waitForFunction(() => document.querySelector('.tree-caret') !== null);
    expect(await fork.getAttribute('title')).toBe('Fork p1 before token 140');
    expect(await page.locator('.tree-readout').textContent()).toContain('token 140, v412');
    await fork.click();
    // The branch begins at token 136 of the path.
    await expect.poll(() => commands(page)).toEqual([{ id: 'fork', node: 'c2.f1.b2/n0', at: 4 }]);
    await page.locator('.tree-text').focus();
    await press(page, 'ArrowRight');
    await expect.poll(() => fork.getAttribute('title')).toBe('Fork p1 before token 141');
    await press(page, 'f');
    await expect
      .poll(async () => (await commands(page)).at(-1))
      .toEqual({ id: 'fork', node: 'c2.f1.b2/n0', at: 5 });
    await press(page, 'Control+ArrowRight');
    expect(await page.locator('.tree-caret').locator('..').getAttribute('data-at')).toBe('352');
  });

  it('stops what runs, and says why it cannot stop what has ended', async () => {
    const page = await open('tree-unchosen', { height: 1200 });
    const stop = page.locator('vscode-button', { hasText: 'Stop branch' });
    await row(page, 'c3.f2.b2').click();
    await expect.poll(() => stop.getAttribute('title')).toBe('Stop c3.f2.b2: 1 running');
    await expect.poll(() => stop.getAttribute('aria-disabled')).not.toBe('true');
    await stop.click();
    await expect
      .poll(() => commands(page))
      .toEqual([{ id: 'stop', subject: { type: 'rollout', id: 'c3.f2.b2' } }]);
    await row(page, 'c0.f1.b1').click();
    await expect.poll(() => stop.getAttribute('title')).toBe('c0.f1.b1 has ended: nothing is left to stop.');
    await focusTree(page);
    await press(page, 'p');
    await expect
      .poll(async () => (await commands(page)).at(-1))
      .toEqual({ id: 'pause', target: 'prompt', subject: 'lcm-0417' });
  });

  it('keeps the row under the eye while the tree grows above it', async () => {
    const page = await open('tree-live', { height: 500 });
    await row(page, 'p1').waitFor();
    const before = (await row(page, 'p1').boundingBox())?.y;
    const grown = treeView(64, 12);
    await page.evaluate((data) => window.fakeHost?.send(() => data), grown);
    await page.waitForFunction(() => document.querySelector('[data-rollout="p1"]') !== null);
    await page.waitForFunction(() => Number(document.querySelector('.tree-space')?.clientHeight) === 56 * 20);
    expect((await row(page, 'p1').boundingBox())?.y).toBe(before);
  });

  it('shows model text as text only', async () => {
    const page = await open('tree-hostile');
    const shown = page.locator('.tree-text');
    await page.locator('[data-at="0"]').waitFor();
    const text = (await shown.textContent()) ?? '';
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('U+202E');
    expect(text).toContain('U+0007');
    expect(text).not.toMatch(/[\u202e\u200b]/u);
    expect(await shown.locator('img, script, a').count()).toBe(0);
    expect(await page.title()).toBe('rolloutTree');
    await expect.poll(() => commands(page)).toEqual([]);
  });

  it('reads a long text in windows', async () => {
    const page = await open('tree-long');
    await page.locator('[data-at="0"]').waitFor();
    expect(await page.locator('.tree-token').count()).toBeLessThanOrEqual(2000);
    const later = page.locator('.tree-text button', { hasText: 'Later' });
    await later.scrollIntoViewIfNeeded();
    await later.click();
    await page.locator('[data-at="1500"]').first().waitFor();
    expect(await page.locator('.tree-window').first().textContent()).toContain('Tokens 1,501 to 3,500 of');
    expect(await page.locator('.tree-token').count()).toBeLessThanOrEqual(2000);
  });

  it('finds rollouts by status and reason', async () => {
    const page = await open('tree-unchosen');
    const field = page.locator('vscode-text-field input');
    await field.fill('pruned');
    await page.locator('.tree-search [role="status"]').waitFor();
    expect(await page.locator('.tree-search [role="status"]').textContent()).toBe('2 of 44');
    await field.press('Enter');
    expect(await current(page)).toBe('c1.f2.b3');
    await field.press('Enter');
    expect(await current(page)).toBe('c3.f3.b1');
    await field.fill('runaway');
    expect(await page.locator('.tree-search [role="status"]').textContent()).toBe('1 of 44');
  });

  it('shows the card of a fork, and Escape closes it', async () => {
    const page = await open('tree-unchosen', { height: 1200 });
    const box = await page.locator('.tree-rows').boundingBox();
    const place = await page.evaluate(() => {
      const width = (document.querySelector('.tree-rows')?.clientWidth ?? 0) - 228 - 24;
      return width;
    });
    const fork = treeView().forks[0];
    // Axis from 0 to 1,024 tokens between 16 px and the leaf columns.
    const x = 16 + ((fork?.at ?? 0) / 1024) * (place - 16);
    await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + 10);
    const card = page.locator('[role="tooltip"]');
    await card.waitFor();
    expect(await card.textContent()).toContain('Fork 1 of 3 in c0');
    expect(await card.textContent()).toContain('The rule takes the 3 highest.');
    await page.waitForFunction(
      () => document.querySelector('[role="tooltip"]')?.textContent.includes('branches = 3') === true,
    );
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  it('scrolls 100,000 rollouts with few rows in the page', async () => {
    const page = await open('tree-large');
    await row(page, 'r-000000000000-00000').waitFor();
    await focusTree(page);
    await press(page, 'End');
    await row(page, 'r-000000000000-99999').waitFor();
    expect(await page.locator('[role="treeitem"]').count()).toBeLessThan(80);
    expect(await row(page, 'r-000000000000-99999').getAttribute('aria-setsize')).toBe('100000');
  });

  it('shows the table behind the picture', async () => {
    const page = await open('tree-unchosen');
    await focusTree(page);
    await press(page, 't');
    const grid = page.locator('[role="grid"]');
    await grid.waitFor();
    expect(await grid.locator('[role="row"]').nth(1).textContent()).toContain('c0');
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, 't');
    await page.locator(tree).waitFor();
  });

  it.each(['tree-lost', 'tree-recorded', 'tree-flat', 'tree-empty', 'tree-pending'])(
    'has words for %s',
    async (scenario) => {
      const page = await open(scenario);
      await page.locator('.tree-toolbar').waitFor();
      const text = (await page.locator('#app').textContent()) ?? '';
      if (scenario === 'tree-recorded') expect(await page.locator('vscode-button').count()).toBe(0);
      if (scenario === 'tree-lost') expect(text).toContain('last seen');
      if (scenario === 'tree-empty') expect(text).toContain('No rollout of group 37 has been launched yet.');
      if (scenario === 'tree-flat') expect(text).toContain('different branches unknown');
      if (scenario === 'tree-pending') {
        expect(await row(page, 'c3.f1.b1').locator('.rs-turns').count()).toBe(1);
      }
    },
  );
});
