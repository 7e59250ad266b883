import type { Page } from 'playwright-core';
import { PageHost } from '../test/panels/pageHost';
import { busyFrames, percentile, traced, type FrameTimes } from './browser/frames';
import { sendMany } from './budgets/manyPrompts';

/** Arguments: prompts (100000), steps of the heat map (200). */
const PROMPTS = Number(process.argv[2] ?? 100_000);
const STEPS = Number(process.argv[3] ?? 200);
const MOVES = 90;
/** Pixels a frame of a hard flick: 18,000 a second. */
const FLICK = 300;

function print(name: string, value: number, unit: string, n: number): void {
  console.log(JSON.stringify({ bench: 'budgets', name, value: Number(value.toPrecision(4)), unit, n }));
}

const frame = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

/** The pointer over the middle of something. */
async function over(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 300));
}

/** Scripted moves of a person's wheel, one a frame. */
async function wheel(
  page: Page,
  delta: (i: number) => readonly [number, number],
  key?: string,
): Promise<void> {
  if (key !== undefined) await page.keyboard.down(key);
  for (let i = 0; i < MOVES; i++) {
    await page.mouse.wheel(...delta(i));
    await frame(page);
  }
  if (key !== undefined) await page.keyboard.up(key);
}

const there = (i: number): 1 | -1 => (i % 30 < 15 ? 1 : -1);

async function main(): Promise<void> {
  const host = await PageHost.start(['budgets']);
  try {
    const page = await host.open('budgets-live', { width: 1400, height: 900, realClock: true });
    // The runner of TypeScript names functions by a helper that the page does not have.
    await page.evaluate('globalThis.__name = (each) => each');
    await page.waitForFunction(() => (window.fakeHost?.acks.length ?? 0) >= 1);

    const first: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { marks } = await traced(page, () => sendMany(page, PROMPTS, STEPS));
      first.push(marks.get('drawn')! - marks.get('arrived')!);
    }
    print('first_picture_ms', Math.max(...first), 'ms', first.length);

    const sorts: number[] = [];
    for (const name of ['planned', 'finished', 'prompt', 'pass rate']) {
      const { marks } = await traced(page, async () => {
        await page.evaluate(() => {
          addEventListener('click', () => performance.mark('clicked'), { once: true, capture: true });
        });
        await page.locator('.bu-head button').filter({ hasText: name }).first().click();
        await frame(page);
        await frame(page);
        await page.evaluate(() => performance.mark('sorted'));
      });
      sorts.push(marks.get('sorted')! - marks.get('clicked')!);
    }
    print('sort_ms', Math.max(...sorts), 'ms', sorts.length);

    const moves = new Map<string, FrameTimes>();
    const move = async (name: string, selector: string, act: () => Promise<void>): Promise<void> => {
      await over(page, selector);
      moves.set(name, await busyFrames(page, act));
    };
    await move('scroll of the table', '.bu-rows', () => wheel(page, (i) => [0, there(i) * FLICK]));
    await page
      .getByRole('radio', { name: 'Heat map' })
      .or(page.getByRole('button', { name: 'Heat map' }))
      .first()
      .click();
    await page.locator('.bu-heat-scroll').waitFor();
    await frame(page);
    await move('scroll of the heat map', '.bu-heat-scroll', () => wheel(page, (i) => [0, there(i) * FLICK]));
    await move('zoom of the heat map', '.bu-heat-scroll', () =>
      wheel(page, (i) => [0, there(i) * 120], 'Control'),
    );
    await move('pan of the heat map', '.bu-heat-scroll', () =>
      wheel(page, (i) => [0, there(i) * 240], 'Shift'),
    );

    let worst = { name: '', p95: 0, raf: 0, n: 0 };
    for (const [name, { busy, apart }] of moves) {
      const p95 = percentile(busy, 0.95);
      console.error(
        `${name}: busy p95 ${p95.toFixed(2)} ms, frames apart p95 ${percentile(apart, 0.95).toFixed(2)} ms, ${busy.length} frames`,
      );
      if (p95 >= worst.p95) worst = { name, p95, raf: percentile(apart, 0.95), n: busy.length };
    }
    print('frame_p95_ms', worst.p95, 'ms', worst.n);
    print('raf_p95_ms', worst.raf, 'ms', worst.n);
  } finally {
    await host.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
