import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { PageHost, picture } from './pageHost';

let host: PageHost;
let page: Page;
beforeAll(async () => {
  host = await PageHost.start(['budgets']);
});
afterAll(() => host.close());
afterEach(async () => {
  const errors = await page.evaluate(() => window.__rolloutscopeErrors ?? []);
  await page.context().close();
  expect(errors).toEqual([]);
});

const pane = () => page.getByRole('region', { name: 'What if' });
const open = async (
  scenario: string,
  theme: 'dark' | 'light' | 'hc' = 'dark',
  width = 1400,
): Promise<void> => {
  page = await host.open(scenario, { theme, width, height: 1300 });
  await pane().locator('tr[data-state="done"]').first().waitFor({ timeout: 60_000 });
};
const commands = async (n: number) => {
  await page.waitForFunction((least) => (window.fakeHost?.commands.length ?? 0) >= least, n);
  return page.evaluate(() => window.fakeHost?.commands ?? []);
};

describe('the what-if beside the why card', () => {
  it('compares methods with the run, and its columns stand in the table of prompts on one scale', async () => {
    await open('budgets-what-if');
    expect(await pane().locator('tr[data-state="done"]').count()).toBe(3);
    expect(await pane().locator('tr[data-method="vigor"]').innerText()).toContain('†');
    await pane().getByText('Differences in the table of prompts').click();
    await page.locator('.wi-column').nth(2).waitFor();
    await page.locator('.wi-column .bu-sort').first().click();
    const uniform = async () =>
      (await page.locator('.rs-rows [role="row"] .wi-diff:nth-last-child(3)').allInnerTexts()).map((text) =>
        Number(text.replace('−', '-').replace('+', '')),
      );
    const sorted = await uniform();
    expect(sorted.length).toBeGreaterThan(20);
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
    expect(sorted[0]).toBeGreaterThan(0);
    await picture(page, 'budgets-what-if-columns-dark-1400');
  });

  it('asks for the method with its parameters, and saves and copies', async () => {
    await open('budgets-what-if');
    await pane().getByRole('button', { name: 'CSV' }).click();
    const [csv] = await commands(1);
    if (csv?.id !== 'save') throw new Error('nothing was saved');
    expect(csv.name).toBe('what-if-step-412.csv');
    expect(csv.text.split('\r\n')[0]).toMatch(/^prompt,as_run,uniform groupSize=8,dars/);
    expect(csv.text.trim().split('\r\n')).toHaveLength(129);
    await pane().getByRole('button', { name: 'JSON' }).click();
    const [, json] = await commands(2);
    const data: unknown = json?.id === 'save' ? JSON.parse(json.text) : null;
    expect(data).toMatchObject({ steps: [412], total: 1024, draws: 200 });
  });

  it('offers a config in place of Apply when the run is recorded', async () => {
    await open('budgets-what-if-recorded');
    expect(
      await pane()
        .getByRole('button', { name: /^Apply/ })
        .count(),
    ).toBe(0);
    await pane().getByRole('button', { name: 'Copy as config' }).click();
    const [copy] = await commands(1);
    expect(copy).toEqual({
      id: 'copy',
      text: 'allocation:\n  method: uniform\n  parameters:\n    groupSize: 8\n',
    });
  });

  it.each([
    ['light', 1400],
    ['hc', 1400],
    ['dark', 700],
  ] as const)('is looked at in %s at %d px', async (theme, width) => {
    await open('budgets-what-if', theme, width);
    await pane().getByText('Differences in the table of prompts').click();
    await page.locator('.wi-column').first().waitFor();
    await pane().scrollIntoViewIfNeeded();
    await picture(page, `budgets-what-if-columns-${theme}-${width}`);
    expect(await page.locator('.wi-column').count()).toBe(width === 700 ? 1 : 3);
  });
});
