import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { screenshot } from './harness/appearance';
import { editor, openFile, runCommand } from './harness/commands';
import { ROLLOUTSCOPE_VSIX } from './harness/places';
import { PATIENCE } from './harness/rolloutscope';
import { useWorkbench } from './harness/session';

const NAME = 'grpo.yaml';
const CONFIG = `# rolloutscope: framework=trl version=1.13 processes=7
model_name_or_path: Qwen/Qwen3-0.6B
reward_funcs:
  - accuracy_reward
per_device_train_batch_size: 1
gradient_accumulation_steps: 1
num_generations: 8
max_completion_lenght: 512
`;
const ARITHMETIC =
  /per_device_train_batch_size 1 × gradient_accumulation_steps 1 × 7 processes = 7 rollouts is not divisible by num_generations 8/;

describe('an experiment config of TRL', () => {
  const temp = mkdtempSync(path.join(os.tmpdir(), 'rs-configs-'));
  const file = path.join(temp, NAME);
  afterAll(() => rmSync(temp, { recursive: true, force: true }));
  const session = useWorkbench(() => {
    mkdirSync(temp, { recursive: true });
    writeFileSync(file, CONFIG);
    return {
      vsix: [ROLLOUTSCOPE_VSIX],
      folder: temp,
      settings: { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'afterDelay' },
    };
  });
  const line = (text: string) => editor(session().page, NAME).locator('.view-line', { hasText: text });

  it('gets squiggles: an error with the arithmetic, and a near miss', async () => {
    const { page } = session();
    await openFile(page, NAME);
    await expect
      .poll(() => editor(page, NAME).locator('.squiggly-error').count(), PATIENCE)
      .toBeGreaterThan(0);
    await runCommand(page, 'Problems: Focus on Problems View');
    const problems = page.locator('.markers-panel .monaco-list-row');
    await expect
      .poll(() => problems.allInnerTexts().then((all) => all.join('\n')), PATIENCE)
      .toMatch(ARITHMETIC);
    expect((await problems.allInnerTexts()).join('\n')).toMatch(
      /max_completion_lenght[^]*max_completion_length/,
    );
    await screenshot(page, 'config, problems');
  });

  it('explains a key on hover, with the batch put in', async () => {
    const { page } = session();
    await line('num_generations').getByText('num_generations').first().hover();
    const hover = page.locator('.monaco-hover-content');
    await expect.poll(() => hover.first().innerText(), PATIENCE).toMatch(/num_generations/);
    expect(await hover.first().innerText()).toMatch(/zero-gradient groups at 8 rollouts/);
    await page.keyboard.press('Escape');
  });

  it('offers numbers that fit, and is satisfied by the one that is taken', async () => {
    const { page } = session();
    await line('num_generations').click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+.');
    const action = page.locator('.action-widget .monaco-list-row', {
      hasText: 'Set num_generations to 7 (now 8)',
    });
    await action.waitFor({ timeout: 30_000 });
    await screenshot(page, 'config, quick fixes');
    await action.click();
    await line('num_generations: 7').waitFor();
    await expect.poll(() => editor(page, NAME).locator('.squiggly-error').count(), PATIENCE).toBe(0);
    await expect.poll(() => readFileSync(file, 'utf8'), PATIENCE).toContain('num_generations: 7');
  });
});
