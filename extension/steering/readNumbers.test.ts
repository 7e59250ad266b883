import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumber, readWhole } from './readNumbers';

describe('numbers that a person types', () => {
  it.each([
    ['8', 8],
    [' 1,024 ', 1024],
    ['+8', 8],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['8 rollouts', null],
    ['100001', null],
  ])('%j as a whole number is %s', (text, value) => {
    expect(readWhole(text, 0, 100_000)).toBe(value);
  });

  it.each([
    ['.5', 0.5],
    ['−2', -2],
    ['1e-3', 0.001],
    ['0x10', null],
    ['Infinity', null],
    ['1e999', null],
    ['', null],
  ])('%j as a number is %s', (text, value) => {
    expect(readNumber(text)).toBe(value);
  });

  it('come back as they were written', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (value) => readNumber(String(value)) === value,
      ),
    );
    fc.assert(fc.property(fc.nat(99_999), (value) => readWhole(String(value), 0, 100_000) === value));
  });
});
