import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PassAtKParams } from '../../protocol/panels/passAtK';
import { PASSK } from './fixtures/passAtKViews';
import { PageHost, type OpenOptions } from './pageHost';

let host: PageHost;
beforeAll(async () => {
  host = await PageHost.start(['passAtK']);
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

const NEWEST: PassAtKParams = { source: 'heldOut', against: null, step: null };
const commands = (page: Page) => page.evaluate(() => window.fakeHost?.commands ?? []);
const cell = (page: Page, step: number, k: number) => page.locator(`td[data-step="${step}"][data-k="${k}"]`);

/** Answers of the fake host to commands are at once; the command itself comes in a task of its own. */
const saved = async (page: Page) => {
  await page.waitForFunction(() => (window.fakeHost?.commands.length ?? 0) > 0);
  return (await commands(page)).at(-1);
};

describe('pass@k', () => {
  it('shows each value of each step, exact in the title', async () => {
    const view = PASSK.full(NEWEST);
    const page = await open('passk-live');
    await cell(page, 0, 1).waitFor();
    for (const curve of view.curves) {
      for (const [i, k] of view.k.entries()) {
        expect(await cell(page, curve.step, k).getAttribute('title')).toBe(String(curve.value[i]));
        expect(await cell(page, curve.step, k).textContent()).toBe(
          (curve.value[i] ?? NaN).toFixed(3).replace(/^0/, ''),
        );
      }
    }
    const strong = await page
      .locator('td[data-difference-k].rs-strong')
      .evaluateAll((cells) => cells.map((each) => Number(each.getAttribute('data-difference-k'))));
    expect(strong).toEqual(
      view.difference.filter((each) => Math.abs(each.value) > each.halfWidth).map((each) => each.k),
    );
  });

  it('says what accuracy and coverage did, and where the curves cross', async () => {
    const view = PASSK.full(NEWEST);
    const page = await open('passk-live');
    await page.locator('.pk-headline h2').waitFor();
    expect(await page.locator('.pk-headline h2').textContent()).toBe('Accuracy rises, coverage shrinks');
    expect(await page.locator('svg.pk-chart').textContent()).toContain(
      `the curves cross at k ≈ ${Math.round(view.crossing ?? NaN)}`,
    );
  });

  it('gives no value beyond n', async () => {
    const page = await open('passk-uneven');
    await cell(page, 400, 16).waitFor();
    expect(await cell(page, 400, 16).textContent()).toMatch(/^\.\d{3}$/);
    expect(await cell(page, 400, 32).textContent()).toBe('n < k');
    expect(await cell(page, 400, 32).getAttribute('title')).toBe('undefined, n < k');
    const chart = page.locator('svg.pk-chart');
    expect(await chart.textContent()).toContain('n < k: no value');
    // Points of the shown step at 1, 2, 4, 8 and 16 only.
    expect(await chart.locator('[data-line="400"] circle').count()).toBe(5);
  });

  it('asks for the steps that a person chose', async () => {
    const page = await open('passk-live');
    await page.locator('.pk-headline h2').waitFor();
    await page.locator('vscode-dropdown').nth(1).click();
    await page
      .locator('vscode-dropdown')
      .nth(1)
      .locator('vscode-option', { hasText: 'Against step 200' })
      .click();
    await page.waitForFunction(() =>
      window.fakeHost?.subscriptions.some(({ params }) => JSON.stringify(params).includes('"against":200')),
    );
    await page.locator('svg.pk-chart', { hasText: 'step 200' }).waitFor();
    await page.getByRole('radio', { name: 'Training groups' }).click();
    await page.waitForFunction(() =>
      window.fakeHost?.subscriptions.some(({ params }) => JSON.stringify(params).includes('"training"')),
    );
  });

  it('saves every value as CSV', async () => {
    const view = PASSK.uneven(NEWEST);
    const page = await open('passk-uneven');
    await page.locator('vscode-button', { hasText: 'CSV' }).click();
    const command = await saved(page);
    if (command?.id !== 'save') throw new Error('nothing was saved');
    expect(command.name).toBe('pass-at-k-held-out-step-400.csv');
    const [head, ...lines] = command.text.trimEnd().split('\r\n');
    expect(head).toContain('step,policy_version,k,pass_at_k,low_95,high_95');
    expect(lines).toHaveLength(view.curves.length * view.k.length);
    const values = lines.map((line) => line.split(',')[5]);
    expect(values).toEqual(
      view.curves.flatMap((curve) => curve.value.map((p) => (Number.isNaN(p) ? '' : String(p)))),
    );
  });

  it('saves the chart as an SVG that stands alone', async () => {
    const page = await open('passk-live', { theme: 'light' });
    await page.locator('svg.pk-chart circle').first().waitFor();
    await page.locator('vscode-button', { hasText: 'SVG' }).click();
    const command = await saved(page);
    if (command?.id !== 'save') throw new Error('nothing was saved');
    expect(command.name).toBe('pass-at-k-held-out-step-400.svg');
    expect(command.text).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(command.text).not.toMatch(/var\(|class=|style=/);
    const parsed = await page.evaluate((text) => {
      const file = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        broken: file.querySelector('parsererror') !== null,
        circles: file.querySelectorAll('circle').length,
        ground: file.querySelector('rect')?.getAttribute('fill'),
      };
    }, command.text);
    expect(parsed).toEqual({ broken: false, circles: 9, ground: 'rgb(255, 255, 255)' });
  });

  it('reads values, interval and n at the k under the pointer', async () => {
    const view = PASSK.full(NEWEST);
    const page = await open('passk-live');
    const chart = page.locator('svg.pk-chart');
    await chart.locator('circle').first().waitFor();
    const disc = await chart.locator('[data-line="400"] circle').nth(3).boundingBox();
    await page.mouse.move((disc?.x ?? 0) + 3, (disc?.y ?? 0) + 20);
    const card = page.locator('[role="tooltip"]');
    await card.waitFor();
    const shown = view.curves.at(-1);
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('k = 8');
    expect(text).toContain((shown?.value[3] ?? NaN).toFixed(3).replace(/^0/, ''));
    expect(text).toContain('n = 128 a prompt, 240 prompts');
  });

  it('has words where there is nothing to compare, and where there is nothing', async () => {
    const single = await open('passk-single');
    await single.getByText('Differences come with the next evaluation.').waitFor();
    const none = await open('passk-none');
    await none.getByText('No evaluation yet.').waitFor();
    await none.locator('vscode-button', { hasText: 'Show training groups' }).click();
    await none.getByText('No training group has closed yet.').waitFor();
  });
});
