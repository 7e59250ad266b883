import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountedFor, checkLedger, EMPTY_LEDGER, ledgerDifferences, sumLedgers } from './ledger';
import type { LedgerColumn, LedgerCounts } from './ledger';

const balanced = fc
  .record({
    neverLaunched: fc.nat(20),
    running: fc.nat(20),
    finished: fc.nat(20),
    discarded: fc.nat(20),
    killed: fc.nat(20),
    carriedOver: fc.nat(20),
    unused: fc.nat(20),
  })
  .map(({ unused, ...parts }): LedgerCounts => {
    const launched = parts.running + parts.finished + parts.discarded + parts.killed + parts.carriedOver;
    return {
      ...parts,
      launched,
      planned: launched + parts.neverLaunched,
      used: Math.max(0, parts.finished - unused),
    };
  });

describe('ledger', () => {
  it('balances by its identities, and the sum of balanced ledgers balances', () => {
    fc.assert(
      fc.property(fc.array(balanced, { maxLength: 6 }), (parts) => {
        for (const part of parts) expect(checkLedger(part)).toEqual([]);
        const whole = sumLedgers(parts);
        expect(checkLedger(whole)).toEqual([]);
        expect(whole.launched).toBe(parts.reduce((sum, part) => sum + accountedFor(part), 0));
      }),
    );
  });

  it('finds any single count that is off by one, with the numbers put in', () => {
    fc.assert(
      fc.property(
        balanced,
        fc.constantFrom<LedgerColumn[]>(
          'planned',
          'launched',
          'neverLaunched',
          'running',
          'discarded',
          'killed',
          'carriedOver',
        ),
        (counts, column) => {
          const violations = checkLedger({ ...counts, [column]: counts[column] + 1 });
          expect(violations.length).toBeGreaterThan(0);
          for (const { left, right } of violations) expect(left).not.toBe(right);
        },
      ),
    );
  });

  it('says which identity fails', () => {
    const counts = {
      ...EMPTY_LEDGER,
      planned: 40,
      launched: 38,
      finished: 31,
      discarded: 1,
      killed: 4,
      used: 32,
    };
    expect(checkLedger(counts).map(({ identity, sentence }) => [identity, sentence])).toEqual([
      [
        'launched-sum',
        '38 launched, but 0 running + 31 finished + 1 discarded + 4 killed + 0 carried over = 36.',
      ],
      ['planned-sum', '40 planned, but 38 launched + 0 never launched = 38.'],
      ['used-within-finished', '32 used for a gradient, but only 31 finished.'],
    ]);
    expect(checkLedger({ ...EMPTY_LEDGER, killed: -1, running: 1 }).map(({ identity }) => identity)).toEqual([
      'whole-numbers',
    ]);
    expect(checkLedger({ ...EMPTY_LEDGER, used: Number.NaN })[0]!.sentence).toBe(
      'NaN used is no count of rollouts.',
    );
  });

  it('compares only what the job sends', () => {
    const recount = { ...EMPTY_LEDGER, planned: 8, launched: 8, finished: 8 };
    expect(ledgerDifferences({}, recount)).toEqual([]);
    expect(ledgerDifferences({ launched: 8, killed: 1 }, recount)).toEqual([
      { column: 'killed', job: 1, recount: 0, sentence: 'The job says 1 killed; its events show 0.' },
    ]);
  });
});
