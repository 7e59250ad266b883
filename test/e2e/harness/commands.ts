import type { Locator, Page } from 'playwright-core';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The quick input's row with exactly this label. */
const row = (page: Page, label: string): Locator =>
  page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${escaped(label)}$`) }) })
    .first();

const quickInput = (page: Page): Locator => page.locator('.quick-input-widget input.input');

/** @throws when no row has that label, naming the rows there are */
async function pick(page: Page, label: string, clickMs: number): Promise<void> {
  try {
    await row(page, label).waitFor({ timeout: 10_000 });
  } catch (cause) {
    const there = await page.locator('.quick-input-list .label-name').allInnerTexts();
    throw new Error(
      `No row "${label}" in the quick input; it has: ${there.slice(0, 8).join(' | ') || 'none'}`,
      {
        cause,
      },
    );
  }
  await row(page, label).click({ timeout: clickMs });
}

/**
 * Opens the quick input by a key, types and picks. Tried again as long as nothing was picked: a busy workbench may swallow
 * the key, and a panel that opens meanwhile takes the focus, which closes the quick input.
 */
async function openAndPick(page: Page, key: string, text: string, label: string): Promise<void> {
  for (let left = 3; ; left -= 1) {
    try {
      await quickInput(page).waitFor({ state: 'hidden', timeout: 5000 });
      await page.keyboard.press(key);
      await quickInput(page).waitFor({ timeout: 5000 });
      await quickInput(page).fill(text, { timeout: 3000 });
      await pick(page, label, 3000);
      return;
    } catch (error) {
      if (left === 1) throw error;
      if (await quickInput(page).isVisible()) await page.keyboard.press('Escape');
    }
  }
}

/** Runs a command of the palette by its full title, category included: "Rolloutscope: Pause". */
export async function runCommand(page: Page, title: string): Promise<void> {
  await openAndPick(page, 'F1', `>${title}`, title);
}

/** Chooses a row of the quick pick that is open now; `filter` is typed first when given. */
export async function choose(page: Page, label: string, filter?: string): Promise<void> {
  const input = quickInput(page);
  await input.waitFor({ state: 'visible' });
  if (filter !== undefined) await input.fill(filter);
  await pick(page, label, 20_000);
}

/** Types into the input box that is open now and accepts it. */
export async function answer(page: Page, text: string): Promise<void> {
  const input = quickInput(page);
  await input.waitFor({ state: 'visible' });
  await input.fill(text);
  await page.keyboard.press('Enter');
}

/** Opens a file of the folder by its name, in the active editor group. */
export async function openFile(page: Page, name: string): Promise<void> {
  await openAndPick(page, 'Control+P', name, name);
  await page.locator('.tab.active', { hasText: name }).waitFor();
}

/** The tab that has the focus, if its title contains the text. Editor commands act on it, a moment after the focus moved. */
export const activeTab = (page: Page, title: string): Locator =>
  page.locator('.editor-group-container.active .tab.active', { hasText: title });

/** The text editor of a file, whichever group it is in. */
export const editor = (page: Page, name: string): Locator =>
  page.locator(`.monaco-editor[data-uri$="/${name}"]`);
