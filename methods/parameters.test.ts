import { describe, expect, it } from 'vitest';
import { counted, figure, ordinal } from './figures';
import {
  booleanOf,
  booleanParameter,
  choiceOf,
  choiceParameter,
  integerParameter,
  numberOf,
  numberParameter,
  publishedDefaults,
  resolveParameters,
} from './parameters';
import { Refusal } from './refusal';

describe('parameters', () => {
  const share = numberParameter('share', 0.5, [0, 1], 'A share.');
  const rounds = integerParameter('rounds', 4, [1, 8], 'Rounds.', 'rounds');
  const strict = booleanParameter('strict', false, 'Strictly.');
  const mode = choiceParameter('mode', 'a', ['a', 'b'], 'Mode.');
  const all = [share, rounds, strict, mode];

  it('takes what is given over the defaults', () => {
    const parameters = resolveParameters(all, { rounds: 8, strict: true, mode: 'b' });
    expect(numberOf(parameters, share)).toBe(0.5);
    expect(numberOf(parameters, rounds)).toBe(8);
    expect(booleanOf(parameters, strict)).toBe(true);
    expect(choiceOf(parameters, mode)).toBe('b');
  });

  it.each([
    [{ share: 1.1 }, 'share is 1.1; it must lie between 0 and 1.'],
    [{ share: Number.NaN }, 'share is NaN; it must be a number.'],
    [{ share: '0.5' }, 'share is 0.5; it must be a number.'],
    [{ rounds: 1.5 }, 'rounds is 1.5; it must be a whole number.'],
    [{ rounds: 9 }, 'rounds is 9; it must lie between 1 and 8.'],
    [{ strict: 1 }, 'strict is 1; it must be true or false.'],
    [{ mode: 'c' }, 'mode is c; it must be one of a, b.'],
    [{ other: 1 }, 'There is no parameter other. Known: share, rounds, strict, mode.'],
  ])('refuses %o', (given, message) => {
    expect(() => resolveParameters(all, given)).toThrow(new Refusal('bad-parameter', message));
  });

  it('asks for a value where none is published', () => {
    const explore = integerParameter('explore', undefined, [1, 8], 'Rollouts to explore with.', 'rollouts');
    expect(() => resolveParameters([share, explore])).toThrow(
      new Refusal('bad-parameter', 'explore has no published value: give one. Rollouts to explore with.'),
    );
    expect(resolveParameters([share, explore], { explore: 3 })).toEqual({ share: 0.5, explore: 3 });
    expect(publishedDefaults([share, explore])).toEqual({ share: 0.5 });
  });

  it('fails loudly where a rule reads what was never resolved', () => {
    expect(() => numberOf({}, share)).toThrow(/share was read before/u);
    expect(() => booleanOf({}, strict)).toThrow(/strict was read before/u);
    expect(() => choiceOf({}, mode)).toThrow(/mode was read before/u);
  });
});

describe('figures in reasons', () => {
  it('has three significant digits and no needless exponent', () => {
    expect([0, 8, 0.125, 0.21875, 1 / 3, 12.3456, 123456, 0.00012345].map(figure)).toEqual([
      '0',
      '8',
      '0.125',
      '0.219',
      '0.333',
      '12.3',
      '123456',
      '0.000123',
    ]);
    expect(figure(0.0000123)).toBe('1.23e-5');
    expect(figure(1e7)).toBe('1.00e+7');
    expect([1, 2].map((n) => counted(n, 'rollout'))).toEqual(['1 rollout', '2 rollouts']);
    expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 113].map(ordinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '102nd',
      '113th',
    ]);
  });
});
