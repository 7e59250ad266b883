import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { choose, runCommand } from './commands';
import { RESULTS, fileName } from './places';

/** Setting value of a theme → its label in the picker, and the class the workbench then wears. */
const THEMES = {
  'Default Dark Modern': { label: 'Dark Modern', wears: 'vs-dark' },
  'Default Light Modern': { label: 'Light Modern', wears: 'vs' },
  'Default High Contrast': { label: 'Dark High Contrast', wears: 'hc-black' },
} as const;

export type Theme = keyof typeof THEMES;

/** Changes the colour theme as a person does and waits until the workbench wears it. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  const { label, wears } = THEMES[theme];
  await runCommand(page, 'Preferences: Color Theme');
  await choose(page, label, label);
  await page.locator(`.monaco-workbench.${wears}`).waitFor();
}

/** @returns the path of the picture, in test-results/screenshots */
export async function screenshot(page: Page, name: string): Promise<string> {
  const folder = path.join(RESULTS, 'screenshots');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${fileName(name)}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  return file;
}
