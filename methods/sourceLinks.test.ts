import { describe, expect, it } from 'vitest';
import { allocationMethods } from './allocation/methods';
import { sourceLinks } from './sourceLinks';

const source = { paper: 'arXiv 2509.25849', equation: '', code: '', commit: '' };

describe('links to the source of a method', () => {
  it('leads to the paper, and to the very file at the commit that was read', () => {
    expect(
      sourceLinks({
        ...source,
        code: 'liziniu/KnapsackRL:verl/trainer/ppo/exploration_utils.py:sampling_budget_by_knapsack',
        commit: 'ca5d5f5b7e',
      }),
    ).toEqual({
      paper: 'https://arxiv.org/abs/2509.25849',
      code: 'https://github.com/liziniu/KnapsackRL/blob/ca5d5f5b7e/verl/trainer/ppo/exploration_utils.py',
    });
    expect(sourceLinks({ ...source, code: 'thu/MoPPS', commit: '' }).code).toBe(
      'https://github.com/thu/MoPPS',
    );
  });

  it('makes no address of anything else', () => {
    const nothing = { paper: null, code: null };
    for (const text of ['', 'VADE-RL project page', 'javascript:alert(1)', 'https://evil.example/a/b'])
      expect(sourceLinks({ ...source, paper: text, code: text })).toEqual(nothing);
  });

  it('gives every address of our methods on arXiv or GitHub', () => {
    for (const { source: own } of allocationMethods) {
      const { paper, code } = sourceLinks(own);
      if (paper !== null) expect(new URL(paper).host).toBe('arxiv.org');
      if (code !== null) expect(new URL(code).host).toBe('github.com');
    }
  });
});
