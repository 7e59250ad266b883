import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { Discovery } from '../../../protocol/wire/handshake';
import { check } from '../../../protocol/wire/rpc';
import { WireClient } from '../../conformance/wireClient';
import { runCommand } from './commands';
import { panelFrame, type PanelName } from './panels';
import type { Workbench } from './workbench';

/** A busy machine may take long; a test never waits longer than it must. */
export const PATIENCE = { timeout: 60_000, interval: 250 } as const;

const COMMANDS: Readonly<Record<PanelName, string>> = {
  overview: 'Rolloutscope: Open Overview',
  rolloutTree: 'Rolloutscope: Open Rollout Tree',
  budgets: 'Rolloutscope: Open Budgets',
  passAtK: 'Rolloutscope: Open pass@k',
};

/** Opens a panel, or brings it to the front, by its command. */
export async function openPanel(page: Page, panel: PanelName): Promise<Frame> {
  await runCommand(page, COMMANDS[panel]);
  return panelFrame(page, panel);
}

/** The item of the shown run in the status bar. */
export const statusItem = (page: Page): Locator =>
  page.locator('[id="rolloutscope.rolloutscope.rolloutscope.run"]');

/** Waits until the status bar item reads so. */
export async function statusReads(page: Page, pattern: RegExp): Promise<void> {
  await expect.poll(() => statusItem(page).innerText(), PATIENCE).toMatch(pattern);
}

/** Shows our views beside the editors. */
export async function openViews(page: Page): Promise<void> {
  await runCommand(page, 'View: Show Rolloutscope');
  await viewRows(page, 'Runs').first().waitFor();
}

/** Rows of one of our native views. */
export const viewRows = (page: Page, view: 'Runs' | 'Prompts' | 'Steering Record'): Locator =>
  page
    .locator('.pane')
    .filter({ has: page.locator(`.pane-header[aria-label^="${view}"]`) })
    .locator('.monaco-list-row');

/** VS Code's modal question. */
export const modal = (page: Page): Locator => page.locator('.monaco-dialog-box');

/** @returns the modal's words, buttons left out. */
export async function modalText(page: Page): Promise<string> {
  await modal(page).waitFor();
  return modal(page).locator('.dialog-message-container').innerText();
}

/** Presses a button of the modal by its whole label. */
export async function press(page: Page, label: string | RegExp): Promise<void> {
  const button = modal(page).locator('.monaco-button');
  await button.filter({ hasText: label instanceof RegExp ? label : new RegExp(`^${label}$`) }).click();
}

/** The texts of the notifications that stand now. */
export const notifications = (page: Page): Promise<string[]> =>
  page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();

/** Waits for a notification and puts all of them away. */
export async function notified(page: Page, pattern: RegExp): Promise<string> {
  let found = '';
  await expect
    .poll(
      async () => (found = (await notifications(page)).find((text) => pattern.test(text)) ?? ''),
      PATIENCE,
    )
    .toMatch(pattern);
  await runCommand(page, 'Notifications: Clear All Notifications');
  return found;
}

/** What a run that the workbench's extension host started says of itself; null while there is none. */
export function announced({ runtimeDir }: Workbench): Discovery | null {
  const folder = path.join(runtimeDir, 'rolloutscope');
  try {
    const [name] = readdirSync(folder).filter((one) => one.endsWith('.json'));
    if (name === undefined) return null;
    return check(Discovery, JSON.parse(readFileSync(path.join(folder, name), 'utf8')), 'discovery');
  } catch {
    return null;
  }
}

/** Asks the run itself, past the extension: a reader of its own on the wire, with everything of this start. */
export async function withRun<T>(workbench: Workbench, ask: (client: WireClient) => Promise<T>): Promise<T> {
  const found = announced(workbench);
  if (!found) throw new Error('No run announces itself.');
  const client = await WireClient.connect(found.address, { token: found.tokens.read });
  try {
    return await ask(client);
  } finally {
    client.close();
  }
}

/** Everything that the run has streamed in this start. */
export async function eventsSoFar(client: WireClient): Promise<WireClient['events']> {
  const { headSeq } = await client.initialize('read');
  await client.read('subscribe', { afterSeq: 0, strings: 0 });
  await client.until(
    () => ((client.batches.at(-1)?.to ?? 0) >= headSeq ? true : undefined),
    'the stream so far',
  );
  return client.events;
}
