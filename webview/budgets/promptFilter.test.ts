import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { promptColumns } from '../../test/panels/fixtures/promptColumns';
import { NUMBER_COLUMNS, WORD_COLUMNS } from './columns';
import { readFilter } from './promptFilter';

const ints = (...list: number[]) => Int32Array.from(list);
const prompts = promptColumns(['func-4420', 'sys-3425', 'Android-7', 'geo-1'], {
  difficulty: ['hard', 'easy', null, 'hard'],
  domain: ['algebra', 'number theory', null, 'geometry'],
  planned: ints(31, 8, 16, -1),
  launched: ints(31, 8, 16, -1),
  running: ints(1, 0, 0, -1),
  discarded: ints(0, 2, 0, -1),
  tokens: Float64Array.of(31_000, 8_000, 16_000, -1),
  gradientGroups: ints(1, 0, 0, -1),
  zeroGradientGroups: ints(0, 1, 0, -1),
  openGroups: ints(0, 0, 1, -1),
  rate: Float32Array.of(0.2, 0.9, Number.NaN, 0.5),
  pin: [null, 'skip', null, '24'],
});
const matches = (filter: string): readonly string[] | string => {
  const { test, problem } = readFilter(filter, prompts);
  return test === null ? problem : prompts.id.filter((_, row) => test(row));
};

describe('the filter of prompts', () => {
  it('takes conditions beside each other, with and without and', () => {
    expect(matches('n > 16')).toEqual(['func-4420']);
    expect(matches('n >= 16 and pass rate < .5')).toEqual(['func-4420']);
    expect(matches('n>=8 rate>.5 domain:number')).toEqual(['sys-3425']);
    expect(matches('rate = .2')).toEqual(['func-4420']);
    expect(matches('PASS RATE ≥ 90%')).toEqual(['sys-3425']);
    expect(matches('tokens > 10k')).toEqual(['func-4420', 'Android-7']);
  });

  it('leaves out prompts that have no value: not in the step, never drawn', () => {
    expect(matches('n < 100')).toEqual(['func-4420', 'sys-3425', 'Android-7']);
    expect(matches('pass rate < 1')).toEqual(['func-4420', 'sys-3425', 'geo-1']);
    expect(matches('rate:none')).toEqual(['Android-7']);
  });

  it('takes ranges, and turns conditions round', () => {
    expect(matches('n:8..16')).toEqual(['sys-3425', 'Android-7']);
    expect(matches('-difficulty:hard')).toEqual(['sys-3425', 'Android-7']);
    expect(matches('not func n > 0')).toEqual(['sys-3425', 'Android-7']);
    expect(matches('difficulty != hard')).toEqual(['sys-3425', 'Android-7']);
  });

  it('finds parts of ids, also such as hold the word and', () => {
    expect(matches('android')).toEqual(['Android-7']);
    expect(matches('"-4" func')).toEqual(['func-4420']);
    expect(matches('')).toHaveLength(4);
  });

  it('compares words: a part, the whole, one of several, none', () => {
    expect(matches('difficulty = HARD')).toEqual(['func-4420', 'geo-1']);
    expect(matches('domain = "number theory"')).toEqual(['sys-3425']);
    expect(matches('domain = number')).toEqual([]);
    expect(matches('domain:algebra,geometry')).toEqual(['func-4420', 'geo-1']);
    expect(matches('domain:none')).toEqual(['Android-7']);
  });

  it('knows the statuses of a prompt', () => {
    expect(matches('status:gradient')).toEqual(['func-4420']);
    expect(matches('status:no-gradient')).toEqual(['sys-3425']);
    expect(matches('status:open')).toEqual(['Android-7']);
    expect(matches('status:running,discarded')).toEqual(['func-4420', 'sys-3425']);
    expect(matches('status:absent status:pinned')).toEqual(['geo-1']);
    expect(matches('status:lost')).toMatch(/“lost” is not a status\. There are gradient, no-gradient/);
  });

  it('says what it cannot read, and what could stand there', () => {
    expect(matches('n >')).toMatch(/n is compared with nothing/);
    expect(matches('weight > 3')).toMatch(/“weight” is not a column\. Columns are prompt, difficulty/);
    expect(matches('n > many')).toMatch(/“many” is not a number that n can be compared with/);
    expect(matches('n:1..x')).toMatch(/“1\.\.x” is not a number/);
    expect(matches('constructor = 1')).toMatch(/“constructor” is not a column/);
    expect(matches('domain > algebra')).toMatch(/domain holds words/);
  });

  it('reads every column by every one of its names', () => {
    for (const { names } of [...NUMBER_COLUMNS, ...WORD_COLUMNS])
      for (const name of names)
        expect(readFilter(`${name}:${name === 'status' ? 'open' : '1'}`, prompts).problem, name).toBeNull();
  });

  it('never throws, whatever is typed', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('n', 'rate', ' > ', ':', '-', '"', '..', 'and ', 'status', '%'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { test, problem } = readFilter(pieces.join(''), prompts);
        expect(test === null).toBe(problem !== null);
        if (test) for (let row = 0; row < 4; row++) test(row);
      }),
    );
  });
});
