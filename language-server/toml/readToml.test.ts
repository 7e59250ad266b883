import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../json/jsonShape';
import { recordedValue } from '../testing/recordedValue';
import { vectorCases } from '../testing/recordedVerdicts';
import { readToml } from './readToml';

/** Source: recorded answers of Python 3.11's tomllib (test/vectors/configs/values.json). UTF-16 never reaches a reader of text. */
const CASES = vectorCases('values.json').filter(
  (each) => each['toml'] !== undefined && each['hex'] === undefined,
);

function fileText(each: Readonly<Record<string, unknown>>): string {
  const text = String(each['text']);
  return each['kind'] === 'scalar' ? `v = ${text}\n` : text;
}

describe('readToml', () => {
  it('has the recorded cases', () => expect(CASES.length).toBeGreaterThan(200));

  it.each(CASES.map((each) => [String(each['id']), fileText(each), each] as const))(
    '%s: reads %j as tomllib does',
    (_, text, each) => {
      const expected = each['toml'];
      const { root, problem } = readToml(text);
      const only = root.value.kind === 'dict' ? root.value.entries[0]?.value.value : undefined;
      const value = each['kind'] === 'scalar' && only ? only : root.value;
      const answer = problem ? 'error' : recordedValue(value);
      expect(answer).toEqual(isRecord(expected) && 'error' in expected ? 'error' : expected);
    },
  );

  it('gives places, and what stands before a fault', () => {
    const text = '[a]\nb = 12\n[[c]]\nd = "x"\ne = \n';
    const { root, problem } = readToml(text);
    expect(problem?.at).toBe(text.length - 1);
    const [a, c] = root.value.kind === 'dict' ? root.value.entries : [];
    const b = a?.value.value.kind === 'dict' ? a.value.value.entries[0] : undefined;
    expect(b && text.slice(b.key.start, b.value.end)).toBe('b = 12');
    expect(c && recordedValue(c.value.value)).toEqual([
      'list',
      [
        [
          'dict',
          [
            [
              ['str', 'd'],
              ['str', 'x'],
            ],
          ],
        ],
      ],
    ]);
  });

  it('never throws, and reads the same text in the same way', () => {
    const pieces = fc.constantFrom(
      ...Array.from('[]{}=.,"\'#\\\n\r\t ab01-_+:T'),
      '"""',
      "'''",
      '[[',
      '1e-6',
      'inf',
    );
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (each) => {
        const reading = readToml(each);
        expect(readToml(each)).toEqual(reading);
        if (reading.problem) expect(reading.problem.at).toBeLessThanOrEqual(each.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
