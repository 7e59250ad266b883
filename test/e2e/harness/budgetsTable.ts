import type { Frame } from 'playwright-core';

/** A budgets table: prompt → its counts by the name of the column. */
export const budgetsTable = async (panel: Frame): Promise<Map<string, Record<string, number>>> => {
  const heads = await panel.locator('.bu-count-head .bu-sort > .rs-cut').allInnerTexts();
  const lines = await panel.locator('.rs-rows [role="row"][aria-selected]').evaluateAll((elements) =>
    elements.map((line) => ({
      prompt: line.querySelector('.bu-id')?.getAttribute('title') ?? '',
      counts: [...line.querySelectorAll(':scope > .bu-number')].map((cell) => Number(cell.textContent)),
    })),
  );
  return new Map(
    lines.map(({ prompt, counts }) => [
      prompt,
      Object.fromEntries(heads.map((head, i) => [head.trim(), counts[i] ?? NaN])),
    ]),
  );
};

export const isSorted = (values: readonly number[], sign: 1 | -1): boolean =>
  values.length > 1 && values.every((value, i) => i === 0 || sign * (value - (values[i - 1] ?? value)) >= 0);
