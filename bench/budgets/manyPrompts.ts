import type { Page } from 'playwright-core';
import type { FakeHost } from '../../test/panels/fakeHost';

/**
 * Sends the page a view of `prompts` prompts over `steps` steps, every cell filled, and waits until it is drawn. Marks:
 * `arrived` when the message is in the panel, `drawn` two frames after the panel has taken it.
 */
export function sendMany(page: Page, prompts: number, steps: number): Promise<void> {
  return page.evaluate(
    async ([count, length]) => {
      const host: FakeHost | undefined = window.fakeHost;
      if (!host) throw new Error('the page has no host');
      let state = 12_345;
      const below = (n: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * n);
      };
      const subscription = host.subscriptions.find(({ view }) => view === 'budgets')?.id;
      const drawn = (): number => host.acks.filter((each) => each.subscription === subscription).length;
      const before = drawn();
      const arrival = ({ data }: MessageEvent<{ body?: { subscription?: number } }>): void => {
        if (data.body?.subscription !== subscription) return;
        performance.mark('arrived');
        removeEventListener('message', arrival, true);
      };
      addEventListener('message', arrival, true);
      const ints = (from: ArrayLike<number>, most: number): Int32Array =>
        Int32Array.from({ length: count }, () => below(from.length > 0 ? most : 0));
      host.send((name, data) => {
        if (name !== 'budgets' || typeof data !== 'object' || data === null) return data;
        const view = data as Record<string, unknown>;
        const example = view['prompts'] as Record<string, unknown>;
        const columns: Record<string, unknown> = {};
        for (const [column, values] of Object.entries(example)) {
          if (values instanceof Int32Array) columns[column] = ints(values, 64);
          else if (values instanceof Float64Array)
            columns[column] = Float64Array.from({ length: count }, () => below(20_000));
          else if (values instanceof Float32Array)
            columns[column] = Float32Array.from({ length: count }, () => below(1000) / 1000);
          else if (column === 'id') columns[column] = Array.from({ length: count }, (_, i) => `prompt-${i}`);
          else if (column === 'domain')
            columns[column] = Array.from({ length: count }, (_, i) => `domain ${i % 7}`);
          else columns[column] = Array.from({ length: count }, () => null);
        }
        const history = view['history'] as Record<string, unknown>;
        const newest = (history['steps'] as number[]).at(-1) ?? 0;
        const cells = count * length;
        return {
          ...view,
          prompts: columns,
          history: {
            ...history,
            steps: Array.from({ length }, (_, i) => newest - length + 1 + i),
            start: Int32Array.from({ length: count + 1 }, (_, i) => i * length),
            column: Uint16Array.from({ length: cells }, (_, i) => i % length),
            value: Float32Array.from({ length: cells }, () => below(64)),
          },
        };
      });
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (drawn() > before) resolve();
          else setTimeout(look, 0);
        };
        look();
      });
      await new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      );
      performance.mark('drawn');
    },
    [prompts, steps] as const,
  );
}
