import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { PageHost } from './pageHost';

let host: PageHost;
let page: Page;
beforeAll(async () => {
  host = await PageHost.start(['overview']);
});
afterAll(() => host.close());
afterEach(() => page.context().close());

const selections = async (n: number) => {
  await page.waitForFunction((least) => (window.fakeHost?.selections.length ?? 0) >= least, n);
  return page.evaluate(() => window.fakeHost?.selections ?? []);
};
const step = (n: number | null) => ({ step: n, group: null, rollout: null, node: null });

describe('walking the steps of a run', () => {
  it('goes back by one, and follows again on request, while the run goes on', async () => {
    page = await host.open('overview-live');
    const next = page.getByRole('button', { name: 'Next step' });
    expect(await next.getAttribute('title')).toBe('Step 412 is the newest one.');
    await next.dispatchEvent('click');
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.getByRole('button', { name: 'Previous step' }).click();
    await page.getByRole('button', { name: 'Follow' }).click();
    expect(await selections(2)).toEqual([step(411), step(null)]);
  });

  it('has a slider over all steps of a recorded run, for mouse and keyboard', async () => {
    page = await host.open('overview-recorded');
    const slider = page.getByRole('slider', { name: 'Step shown' });
    expect([await slider.getAttribute('min'), await slider.getAttribute('max')]).toEqual(['1', '640']);
    await slider.fill('388');
    await slider.press('ArrowRight');
    expect(await selections(2)).toEqual([step(388), step(389)]);
    expect(await page.getByRole('button', { name: 'Follow' }).count()).toBe(0);
  });
});
