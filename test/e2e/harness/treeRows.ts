import type { Frame } from 'playwright-core';

export interface TreeRow {
  readonly rollout: string;
  readonly ending: string;
  readonly fromNode: string;
  readonly use: string;
  readonly tokens: number;
}

/** Rows of the rollout tree, as a person sees them. */
export const treeRows = (tree: Frame): Promise<TreeRow[]> =>
  tree.locator('[data-rollout]').evaluateAll((elements) =>
    elements.map((element) => ({
      rollout: element.getAttribute('data-rollout') ?? '',
      ending: element.getAttribute('data-ending') ?? '',
      fromNode: element.getAttribute('data-from-node') ?? '',
      use: element.getAttribute('data-use') ?? '',
      tokens: Number((element.querySelector('.tree-end')?.textContent ?? '').replace(/,/g, '')),
    })),
  );

export const tokensOf = (all: readonly TreeRow[]): number => all.reduce((sum, { tokens }) => sum + tokens, 0);
