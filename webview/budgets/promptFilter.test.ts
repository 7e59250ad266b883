import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetsView } from '../../protocol/panels/budgets';
import { readFilter } from './promptFilter';

const ints = (...list: number[]) => Int32Array.from(list);
const prompts: BudgetsView['prompts'] = {
  id: ['func-4420', 'sys-3425', 'Android-7', 'geo-1'],
  difficulty: ['hard', 'easy', null, 'hard'],
  domain: ['algebra', 'number theory', null, 'geometry'],
  planned: ints(31, 8, 16, -1),
  launched: ints(31, 8, 16, -1),
  running: ints(1, 0, 0, -1),
  finished: ints(30, 8, 16, -1),
  discarded: ints(0, 0, 0, -1),
  killed: ints(0, 0, 0, -1),
  carriedOver: ints(0, 0, 0, -1),
  tokens: ints(100, 200, 300, -1),
  group: [null, null, null, null],
  decision: [null, null, null, null],
  n: ints(16, 16, 0, 16),
  c: ints(1, 16, 0, 8),
  rate: Float32Array.of(0.2, 0.9, Number.NaN, 0.5),
  rateLow: Float32Array.of(0, 0, Number.NaN, 0),
  rateHigh: Float32Array.of(1, 1, Number.NaN, 1),
  stepN: ints(0, 0, 0, 0),
  stepC: ints(0, 0, 0, 0),
  gradient: Int8Array.of(1, 0, -1, -1),
  pin: [null, 'skip', null, '24'],
};
const matches = (filter: string): readonly string[] | string => {
  const { test, problem } = readFilter(filter, prompts);
  return test === null ? problem : prompts.id.filter((_, row) => test(row));
};

describe('the filter of prompts', () => {
  it('compares columns and joins conditions with and', () => {
    expect(matches('n > 16')).toEqual(['func-4420']);
    expect(matches('n >= 16 and pass rate < .5')).toEqual(['func-4420']);
    expect(matches('rate = .2')).toEqual(['func-4420']);
    expect(matches('PASS RATE ≥ 0.9')).toEqual(['sys-3425']);
  });

  it('leaves out prompts that have no value: not in the step, never drawn', () => {
    expect(matches('n < 100')).toEqual(['func-4420', 'sys-3425', 'Android-7']);
    expect(matches('pass rate < 1')).toEqual(['func-4420', 'sys-3425', 'geo-1']);
  });

  it('finds parts of ids, also such as hold the word and', () => {
    expect(matches('android')).toEqual(['Android-7']);
    expect(matches('-4 and func')).toEqual(['func-4420']);
    expect(matches('')).toHaveLength(4);
  });

  it('compares words', () => {
    expect(matches('difficulty = HARD')).toEqual(['func-4420', 'geo-1']);
    expect(matches('domain = number theory')).toEqual(['sys-3425']);
  });

  it('says what it cannot read', () => {
    expect(matches('n >')).toContain('“n >” is not a condition.');
    expect(matches('weight > 3')).toContain('weight > 3');
    expect(matches('n > many')).toContain('n > many');
    expect(matches('constructor = 1')).toContain('constructor = 1');
  });

  it('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (filter) => {
        const { test, problem } = readFilter(filter, prompts);
        expect(test === null).toBe(problem !== null);
        if (test) for (let row = 0; row < 4; row++) test(row);
      }),
    );
  });
});
