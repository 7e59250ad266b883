import { describe, expect, it } from 'vitest';
import { declaredParameter, readParameter } from './methodParameters';

const read = (name: string, text: string): unknown => {
  const declared = declaredParameter('allocation', 'dars', name);
  if (!declared) throw new Error(`${name} is not declared`);
  const answer = readParameter(declared, text);
  return 'value' in answer ? answer.value : answer.problem;
};

describe('parameters of a method, as they are typed', () => {
  it('are read by what the method declares', () => {
    expect([read('firstStage', ' 16 '), read('keepBelow', '.5'), read('standardised', 'true')]).toEqual([
      16,
      0.5,
      true,
    ]);
    expect(read('schedule', 'hardness-weighted')).toBe('hardness-weighted');
  });

  it('are refused with the range, and never changed to another value', () => {
    expect(read('firstStage', '0')).toBe('firstStage is 0; it must lie between 1 and 65536.');
    expect(read('firstStage', '2.5')).toMatch(/whole number/u);
    expect(read('firstStage', 'many')).toMatch(/must be a number/u);
    expect(read('standardised', 'yes')).toMatch(/true or false/u);
    expect(read('schedule', 'none')).toMatch(/equal-treatment, hardness-weighted/u);
  });

  it('of a job’s own method are not ours to judge', () => {
    expect(declaredParameter('allocation', 'in-house', 'n')).toBeUndefined();
    expect(declaredParameter('else', 'dars', 'most')).toBeUndefined();
  });
});
