import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUICK_CHECKS } from './quickChecks';
import { Series, VersionSpans } from './values';

const number = fc.oneof(
  fc.nat(),
  fc.integer(),
  fc.double(),
  fc.constantFrom(NaN, Infinity, -Infinity, -0, 2 ** 53, Number.MAX_SAFE_INTEGER),
);
const cell = fc.oneof(
  number,
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '+Infinity', '', null, undefined, true),
  fc.constant([]),
);

describe('a quick check', () => {
  it.each([
    [
      'VersionSpans',
      VersionSpans,
      fc.array(fc.oneof(fc.tuple(number, number), fc.array(cell, { maxLength: 3 }), cell)),
    ],
    ['Series', Series, fc.oneof(fc.array(cell), fc.array(number))],
  ] as const)('of %s says what its schema says', (_, schema, likely) => {
    const check = QUICK_CHECKS.get(schema)!;
    fc.assert(
      fc.property(fc.oneof(likely, fc.anything()), (value) => {
        expect(check(value)).toBe(Value.Check(schema, value));
      }),
      { numRuns: 2_000 },
    );
  });
});
