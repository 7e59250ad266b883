import { describe, expect, it } from 'vitest';
import { passAtKInterval, posterior } from './betaPosterior';
import { meanCurve } from './meanCurve';
import { PassAtKTable } from './passAtKTable';
import { passAtKOfTrees } from './treePassAtK';

const KS = [1, 2, 4, 8];
const tableOf = (prompts: number): { readonly table: PassAtKTable; readonly all: number[] } => {
  const table = new PassAtKTable(KS);
  for (let i = 0; i < prompts; i++) table.set(i, 8, i % 9);
  return { table, all: Array.from({ length: prompts }, (_, i) => i) };
};

describe('the band of a mean curve', () => {
  it('is made by standard errors from 200 prompts on, by resampling below and on request', () => {
    const band = (prompts: number, bootstrap = false) => {
      const { table, all } = tableOf(prompts);
      return meanCurve(table, all, KS.length, { seed: 's', bootstrap });
    };
    expect(band(199).band).toBe('bootstrap');
    expect(band(200).band).toBe('cluster');
    const asked = band(200, true);
    expect(asked.band).toBe('bootstrap');
    expect(asked.value).toEqual(band(200).value);
    // Both say the same of the same prompts, to a tenth of their width.
    band(200).low.forEach((low, i) => {
      const width = (band(200).high[i] ?? NaN) - low;
      expect(Math.abs((asked.low[i] ?? NaN) - low)).toBeLessThanOrEqual(0.1 * width + 1e-12);
    });
  });

  it('is the same again for the same seed', () => {
    const { table, all } = tableOf(20);
    const once = meanCurve(table, all, KS.length, { seed: 'a' });
    expect(meanCurve(table, all, KS.length, { seed: 'a' })).toEqual(once);
    expect(meanCurve(table, all, KS.length, { seed: 'b' }).low).not.toEqual(once.low);
  });

  it('is the posterior of a single prompt, and none where its units are no samples', () => {
    const { table } = tableOf(4);
    const single = meanCurve(table, [3], KS.length, { seed: 's', single: { samples: 8, correct: 3 } });
    expect(single.band).toBe('posterior');
    KS.forEach((k, i) => {
      const { low, high } = passAtKInterval(posterior(8, 3), k);
      expect([single.low[i], single.high[i]]).toEqual([low, high]);
    });
    const none = meanCurve(table, [3], KS.length, { seed: 's' });
    expect(none.band).toBe('none');
    expect(none.low.every(Number.isNaN)).toBe(true);
  });
});

describe('trees in a table', () => {
  it('are units: pass@k by the subsets of trees, undefined for k > M', () => {
    const table = new PassAtKTable(KS);
    const rates = [2 / 3, 0, 1, 0.5];
    table.setTrees(70, rates);
    expect(KS.map((_, i) => table.at(70, i))).toEqual(passAtKOfTrees(rates, KS));
    expect(table.at(70, 3)).toBeUndefined();
  });

  it('of one leaf each are the ordinary estimator, and replace what was there', () => {
    const table = new PassAtKTable(KS);
    table.set(0, 8, 8);
    table.setTrees(0, [1, 0, 0, 1, 0]);
    table.set(1, 5, 2);
    KS.forEach((_, i) => {
      const [trees, counts] = [table.at(0, i), table.at(1, i)];
      if (counts === undefined) expect(trees).toBeUndefined();
      else expect(trees).toBeCloseTo(counts, 12);
    });
  });
});
