import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { policyViolations } from './harness/artefacts';
import { answer, runCommand } from './harness/commands';
import { panelErrors, panelFrame } from './harness/panels';
import { ROLLOUTSCOPE_VSIX } from './harness/places';
import { notified, PATIENCE, statusReads } from './harness/rolloutscope';
import { useWorkbench } from './harness/session';

const folder = mkdtempSync(path.join(os.tmpdir(), 'rs-results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Opens a file by command, as a person does. */
async function openResults(page: Page, file: string): Promise<void> {
  await runCommand(page, 'Rolloutscope: Open Evaluation Results…');
  // The dialog looks the file up while one types, and takes no answer meanwhile.
  const dialog = page.locator('.quick-input-widget', { hasText: 'Open Evaluation Results' });
  const input = dialog.locator('input.input');
  await input.waitFor();
  await expect
    .poll(async () => {
      if (!(await dialog.isVisible())) return false;
      // When it opens it writes the folder that it starts in, over what was typed before that.
      if ((await input.inputValue()) !== file) await input.fill(file);
      const listed = dialog.locator('.quick-input-list', { hasText: path.basename(file) });
      await listed.waitFor({ timeout: 5000 }).catch(() => undefined);
      const accept = dialog.getByRole('button', { name: 'Open Evaluation Results' });
      if ((await input.inputValue().catch(() => '')) === file && (await accept.isVisible())) {
        await accept.click({ timeout: 2000 }).catch(() => undefined);
      }
      return dialog.isVisible();
    }, PATIENCE)
    .toBe(false);
}

/** pass@1 and pass@2 of the only curve, as the page has them. */
async function firstValues(page: Page): Promise<number[]> {
  const panel = await panelFrame(page, 'passAtK');
  const cells = panel.locator('td[data-k="1"], td[data-k="2"]');
  await expect.poll(() => cells.count(), PATIENCE).toBe(2);
  const titles = await cells.evaluateAll((all) => all.map((cell) => Number(cell.getAttribute('title'))));
  return titles;
}

describe('files of results', () => {
  const session = useWorkbench(
    () => ({ vsix: [ROLLOUTSCOPE_VSIX], settings: { 'workbench.colorTheme': 'Default Dark Modern' } }),
    { width: 1760, height: 1000 },
  );

  it('are drawn as a recorded run; what could not be used is said', async () => {
    const { page } = session();
    await openResults(page, write('counts.csv', 'prompt,n,c\na,2,1\nb,2,0\nc,two,1\n'));
    expect(await notified(page, /samples were read/)).toBe(
      '4 samples were read (table of prompt, n and c). 1 of 3 rows could not be used.',
    );
    await statusReads(page, /counts\.csv · recorded/);
    const [one, two] = await firstValues(page);
    expect(one).toBeCloseTo(0.25, 9);
    expect(two).toBeCloseTo(0.5, 9);
  });

  it('with partial rewards are counted by the threshold that a person gives', async () => {
    const { page } = session();
    const rewards = [0, 0.4, 0.9, 1].map((reward) => `{"prompt": "p", "reward": ${reward}}\n`);
    await openResults(page, write('partial.jsonl', rewards.join('')));
    await page.locator('.quick-input-widget', { hasText: 'From which reward on' }).waitFor();
    await answer(page, '0.9');
    expect(await notified(page, /samples were read/)).toBe('4 samples were read (table of samples).');
    await statusReads(page, /partial\.jsonl · recorded/);
    const panel = await panelFrame(page, 'passAtK');
    const cell = panel.locator('td[data-k="1"]');
    await expect
      .poll(async () => Number(await cell.first().getAttribute('title')), PATIENCE)
      .toBeCloseTo(0.5, 9);
  });

  it('that are none are refused with what was found and what was expected', async () => {
    const { page } = session();
    await openResults(page, write('notes.jsonl', '{"level": "info"}\n{"level": "warn"}\n'));
    expect(await notified(page, /cannot be read/)).toMatch(
      /The results in notes\.jsonl cannot be read\. .*fields level .*Expected: a table/,
    );
  });

  it('is clean: no error in a panel, no refusal by a content policy', async () => {
    const { page } = session();
    expect(await panelErrors(page)).toEqual([]);
    expect(policyViolations(page)).toEqual([]);
  });
});
