import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../protocol/panels/ledger';
import { ledgerSums, mismatchOf, plainCode, sumText } from './ledgerSums';

const ledger: Ledger = {
  planned: 1024,
  launched: 1016,
  neverLaunched: 8,
  running: 61,
  finished: 908,
  discarded: 31,
  killed: 16,
  carriedOver: 0,
  used: 561,
  noGradient: 347,
  undecided: 0,
  discardedBy: { stale: 19, tooLong: 8, filtered: 4 },
  killedBy: { pruned: 16 },
  outside: { probes: 0, duplicates: 0, replayed: 0, external: 0 },
  mismatches: [],
  mismatchGroups: [],
  seq: 7,
};

describe('conservation sums', () => {
  it('name every part and leave out empty ones', () => {
    expect(ledgerSums(ledger).map(sumText)).toEqual([
      '1,024 planned = 1,016 launched + 8 never launched',
      '1,016 launched = 61 running + 908 finished + 31 discarded + 16 killed',
      '31 discarded = 19 stale + 8 too long + 4 filtered',
    ]);
  });

  it('say of a lost run only what was last seen', () => {
    expect(sumText(ledgerSums(ledger, true)[1] ?? { whole: [0, ''], parts: [] })).toContain(
      '61 last seen running',
    );
  });

  it('of nothing are none', () => {
    const nothing = {
      ...ledger,
      planned: 0,
      launched: 0,
      neverLaunched: 0,
      running: 0,
      finished: 0,
      discarded: 0,
      killed: 0,
      discardedBy: {},
    };
    expect(ledgerSums(nothing)).toEqual([]);
    expect(mismatchOf(nothing)).toBeNull();
  });
});

describe('the recount', () => {
  it('is silent when everything adds up', () => {
    expect(mismatchOf(ledger)).toBeNull();
  });

  it('tells the job’s own mismatch first', () => {
    expect(mismatchOf({ ...ledger, mismatches: ['40 launched, 39 found in group 37'] })).toBe(
      '40 launched, 39 found in group 37',
    );
  });

  it('finds a sum that does not add up, also one of reasons', () => {
    expect(mismatchOf({ ...ledger, finished: 907 })).toBe(
      '1,016 launched = 61 running + 907 finished + 31 discarded + 16 killed',
    );
    expect(mismatchOf({ ...ledger, discardedBy: { stale: 19, tooLong: 8 } })).toBe(
      '31 discarded = 19 stale + 8 too long',
    );
  });
});

describe('codes of rules', () => {
  it('become words', () => {
    expect(['tooLong', 'over-provisioned', 'stale_version', 'filtered'].map(plainCode)).toEqual([
      'too long',
      'over provisioned',
      'stale version',
      'filtered',
    ]);
  });
});
