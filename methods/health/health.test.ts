import { describe, expect, it } from 'vitest';
import { EMPTY_LEDGER } from '../ledger';
import { countMismatch } from './countMismatch';
import type { CountMismatchFacts } from './countMismatch';
import { evidenceInWords } from './finding';
import { zeroGradientGroups } from './zeroGradientGroups';
import type { ZeroGradientFacts } from './zeroGradientGroups';

const facts: ZeroGradientFacts = {
  scope: 'step 12',
  subjects: [{ type: 'step', id: '12' }],
  groups: 96,
  allRight: 12,
  allWrong: 36,
  allOther: 0,
  nothingTrained: 2,
  expected: { share: 0.5, groups: 96, unbiased: 90, posterior: 6 },
  tokensInZero: 4000,
  tokens: 10_000,
};

describe('groups without a gradient', () => {
  it('speaks with its wholes, and offers the rule for hard prompts', () => {
    const finding = zeroGradientGroups.detect(facts)!;
    expect(finding.severity).toBe('warning');
    expect(finding.title).toBe(
      '50 of 96 groups of step 12 gave no gradient (52.1 %), most of them all wrong.',
    );
    expect(evidenceInWords(finding).split('\n')).toEqual([
      '36 of 96 groups: all wrong',
      '12 of 96 groups: all right',
      '2 of 96 groups: no token trained',
      '4000 of 10000 tokens: spent on groups without a gradient',
      '48 of 96 groups: expected from pass rates before the step: 50 %',
    ]);
    expect(finding.levers[0]!.params).toMatchObject({ kind: 'allocation', method: 'knapsack-rl' });
  });

  it('is an error where nearly nothing is learnt, and offers to skip what is solved', () => {
    const finding = zeroGradientGroups.detect({ ...facts, allRight: 80, allWrong: 4, nothingTrained: 0 })!;
    expect(finding.severity).toBe('error');
    expect(finding.levers[0]!.params['method']).toBe('greso');
  });

  it('is silent below its threshold, unless the share is clearly above what was expected', () => {
    const few = { ...facts, allRight: 10, allWrong: 15, nothingTrained: 0 };
    expect(
      zeroGradientGroups.detect({ ...few, expected: { ...facts.expected, share: 0.2 } }),
    ).toBeUndefined();
    const surprising = zeroGradientGroups.detect({ ...few, expected: { ...facts.expected, share: 0.1 } })!;
    expect(surprising.severity).toBe('warning');
    expect(evidenceInWords(surprising)).toContain('10 %, clearly less than seen');
    const unknown = { share: undefined, groups: 0, unbiased: 0, posterior: 0 };
    expect(zeroGradientGroups.detect({ ...few, expected: unknown })).toBeUndefined();
  });

  it('says nothing about a handful of groups', () => {
    expect(
      zeroGradientGroups.detect({ ...facts, groups: 7, allRight: 7, allWrong: 0, nothingTrained: 0 }),
    ).toBeUndefined();
  });
});

describe('counts that do not add up', () => {
  const recount = {
    ...EMPTY_LEDGER,
    planned: 40,
    launched: 40,
    running: 4,
    finished: 31,
    discarded: 1,
    killed: 4,
    used: 24,
  };
  const mismatch: CountMismatchFacts = {
    scope: 'group g12',
    subject: { type: 'group', id: 'g12' },
    job: { launched: 40, finished: 31 },
    recount,
    complete: true,
  };

  it('is silent when the ledger balances and the job agrees', () => {
    expect(countMismatch.detect(mismatch)).toBeUndefined();
  });

  it('names each difference with its numbers', () => {
    const finding = countMismatch.detect({ ...mismatch, job: { launched: 42, finished: 31 } })!;
    expect(finding.severity).toBe('error');
    expect(finding.title).toBe(
      'The rollouts of group g12 do not add up: The job says 42 launched; its events show 40.',
    );
    expect(finding.evidence).toEqual([
      { text: 'The job says 42 launched; its events show 40.', count: 2, whole: 40, of: 'rollouts launched' },
    ]);
    expect(finding.subjects).toEqual([{ type: 'group', id: 'g12' }]);
  });

  it('speaks of a ledger that does not balance by itself, but never while the recount lags', () => {
    const broken = { ...mismatch, recount: { ...recount, killed: 3 } };
    expect(countMismatch.detect(broken)!.evidence[0]!.text).toContain('= 39');
    expect(countMismatch.detect({ ...broken, complete: false })).toBeUndefined();
  });
});
