import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { violations } from './accessibility';
import { screenshot, setTheme } from './appearance';
import { policyViolations } from './artefacts';
import { activeTab, editor, openFile, runCommand } from './commands';
import { panelErrors, panelFrame } from './panels';
import { useWorkbench } from './session';
import { packTinyExtension } from './tinyExtension';

describe('the harness', () => {
  const temp = mkdtempSync(path.join(os.tmpdir(), 'rs-smoke-'));
  const folder = path.join(temp, 'folder');
  afterAll(() => rmSync(temp, { recursive: true, force: true }));

  const session = useWorkbench(() => {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'grpo.yaml'), 'beta: 0.0\n');
    return {
      vsix: [packTinyExtension(path.join(temp, 'tiny'))],
      folder,
      settings: { 'tiny.setting': 'given', 'workbench.colorTheme': 'Default Dark Modern' },
      env: { TINY: 'the host' },
    };
  });

  it('opens a file of the folder', async () => {
    const { page } = session();
    await openFile(page, 'grpo.yaml');
    await editor(page, 'grpo.yaml').locator('.view-line', { hasText: 'beta' }).waitFor();
  });

  it('finds each of two open panels, and they talk to the extension host with its settings and variables', async () => {
    const { page } = session();
    await runCommand(page, 'Tiny: Open Overview');
    await runCommand(page, 'Tiny: Open Budgets');
    for (const name of ['budgets', 'overview'] as const) {
      const frame = await panelFrame(page, name);
      await frame.locator('#ask').click();
      await frame.locator('#answer', { hasText: `answer 1 to ${name} in the host, setting given` }).waitFor();
    }
    expect(policyViolations(page)).toEqual([]);
  });

  it('says which panel is missing, and which are shown', async () => {
    await expect(panelFrame(session().page, 'passAtK', 500)).rejects.toThrow(
      /No panel "passAtK" is shown; shown are: (overview, budgets|budgets, overview)/,
    );
  });

  it('runs commands while a panel has the focus', async () => {
    const { page } = session();
    await (await panelFrame(page, 'overview')).locator('#ask').click();
    await activeTab(page, 'overview').waitFor();
    await runCommand(page, 'View: Close Editor');
    await expect.poll(() => page.locator('.tab', { hasText: 'overview' }).count()).toBe(0);
    await runCommand(page, 'Tiny: Open Overview');
    await panelFrame(page, 'overview');
  });

  it('changes the theme', async () => {
    const { page } = session();
    const background = async (): Promise<string> =>
      (await panelFrame(page, 'overview')).evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background'),
      );
    for (const [theme, colour] of [
      ['Default Light Modern', '#ffffff'],
      ['Default High Contrast', '#000000'],
      ['Default Dark Modern', '#1f1f1f'],
    ] as const) {
      await setTheme(page, theme);
      await expect.poll(background).toBe(colour);
    }
  });

  it('takes pictures', async () => {
    expect(statSync(await screenshot(session().page, 'harness: two panels')).size).toBeGreaterThan(10_000);
  });

  it('collects the errors of panels', async () => {
    const { page } = session();
    expect(await panelErrors(page)).toEqual([]);
    await (await panelFrame(page, 'budgets')).locator('#fail').click();
    await expect.poll(() => panelErrors(page)).toEqual([expect.stringMatching(/^budgets: .*on purpose/)]);
  });

  it('finds what a person without a mouse or without sight would miss', async () => {
    const frame = await panelFrame(session().page, 'overview');
    const before = (await violations(frame)).map((each) => each.rule);
    await frame.evaluate(() => document.querySelector('#ask')?.replaceChildren());
    const after = (await violations(frame)).map((each) => each.rule);
    expect(after.filter((rule) => !before.includes(rule))).toEqual(['button-name']);
  });

  it('has log files of the extension host to keep', () => {
    const files = readdirSync(session().workbench.logs, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => path.basename(name) === 'remoteexthost.log')).toHaveLength(1);
  });
});
