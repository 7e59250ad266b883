import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { runCommand } from './commands';
import { PATIENCE } from './rolloutscope';

/**
 * Opens the folder of a journal by command, as a person does.
 * @param holds a name inside the folder, by which the dialog is known to have looked it up
 */
export async function openRecorded(page: Page, folder: string, holds: string): Promise<void> {
  await runCommand(page, 'Rolloutscope: Open Recorded Run…');
  // The dialog looks the folder up while one types, and takes no answer meanwhile.
  const dialog = page.locator('.quick-input-widget', { hasText: 'Open Recorded Run' });
  await dialog.locator('input.input').fill(`${folder}${path.sep}`);
  await dialog.locator('.quick-input-list', { hasText: holds }).waitFor();
  await expect
    .poll(async () => {
      const accept = dialog.getByRole('button', { name: 'Open Recorded Run' });
      if (await accept.isVisible()) await accept.click({ timeout: 2000 }).catch(() => undefined);
      return dialog.isVisible();
    }, PATIENCE)
    .toBe(false);
}
