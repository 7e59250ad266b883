import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../json/jsonShape';
import { vectorCases } from '../testing/recordedVerdicts';
import type { PyValue } from './pyValue';
import type { YamlFlavour } from './scalars';
import { readYaml } from './readYaml';

/** Source: recorded answers of PyYAML 6.0.3's safe_load (test/vectors/configs/values.json). */
const CASES = vectorCases('values.json').filter((each) => each['pyyaml'] !== undefined);

function fileText(each: Readonly<Record<string, unknown>>): string {
  if (typeof each['hex'] === 'string') {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(each['hex'], 'hex'));
  }
  const text = String(each['text']);
  return each['kind'] === 'scalar' ? `v: ${text}\n` : text;
}

/** A value in the vectors' notation. */
function recorded(value: PyValue): unknown {
  switch (value.kind) {
    case 'null':
      return ['null'];
    case 'int': {
      const isSmall = value.value >= -(2n ** 53n) && value.value <= 2n ** 53n;
      return ['int', isSmall ? Number(value.value) : String(value.value)];
    }
    case 'float': {
      if (Number.isNaN(value.value)) return ['float', 'nan'];
      if (!Number.isFinite(value.value)) return ['float', value.value > 0 ? 'inf' : '-inf'];
      return ['float', value.value];
    }
    case 'list':
    case 'tuple':
    case 'set':
      return [value.kind, value.items.map((item) => recorded(item.value))];
    case 'dict':
      return ['dict', value.entries.map((entry) => [recorded(entry.key.value), recorded(entry.value.value)])];
    case 'bool':
    case 'str':
    case 'date':
    case 'datetime':
    case 'time':
    case 'bytes':
      return [value.kind, value.value];
  }
}

function answer(each: Readonly<Record<string, unknown>>, flavour: YamlFlavour): unknown {
  const { root, problems } = readYaml(fileText(each), flavour);
  if (problems.length > 0) return 'error';
  if (each['kind'] === 'yaml') return recorded(root.value);
  const entries = root.value.kind === 'dict' ? root.value.entries : [];
  const only = entries.length === 1 ? entries[0] : undefined;
  return only ? recorded(only.value.value) : { document: recorded(root.value) };
}

describe('readYaml', () => {
  it('has the recorded cases', () => expect(CASES.length).toBeGreaterThan(240));

  it.each(CASES.map((each) => [String(each['id']), fileText(each), each] as const))(
    '%s: reads %j as PyYAML does',
    (_, __, each) => {
      const expected = each['pyyaml'];
      expect(answer(each, 'pyyaml')).toEqual(isRecord(expected) && 'error' in expected ? 'error' : expected);
    },
  );

  const omegaconf = vectorCases('values.json').filter((each) => each['omegaconf'] !== undefined);

  it.each(omegaconf.map((each) => [String(each['id']), fileText(each), each] as const))(
    '%s: reads %j as OmegaConf does',
    (_, __, each) => {
      const expected = each['omegaconf'];
      expect(answer(each, 'omegaconf')).toEqual(
        isRecord(expected) && 'error' in expected ? 'error' : expected,
      );
    },
  );

  it('ignores indentation inside brackets, as PyYAML does', () => {
    const { root, problems } = readYaml('a: [\n"x", # not ] here\n"y ]",\n]\nb: {\nc: 1\n}\n');
    expect(problems).toEqual([]);
    expect(recorded(root.value)).toEqual([
      'dict',
      [
        [
          ['str', 'a'],
          [
            'list',
            [
              ['str', 'x'],
              ['str', 'y ]'],
            ],
          ],
        ],
        [
          ['str', 'b'],
          [
            'dict',
            [
              [
                ['str', 'c'],
                ['int', 1],
              ],
            ],
          ],
        ],
      ],
    ]);
  });

  it('finds the earlier of two equal keys', () => {
    const { duplicates, root } = readYaml('a: 1\nb: 2\na: 3\n');
    expect(duplicates.map(({ earlier, later }) => [earlier.start, later.start])).toEqual([[0, 10]]);
    expect(recorded(root.value)).toEqual([
      'dict',
      [
        [
          ['str', 'a'],
          ['int', 3],
        ],
        [
          ['str', 'b'],
          ['int', 2],
        ],
      ],
    ]);
  });

  it('refuses anchors set twice, unknown aliases and aliases of what contains them', () => {
    const messages = ['a: &x 1\nb: &x 2\n', 'a: *x\n', 'a: &x [*x]\n'].map(
      (text) => readYaml(text).problems[0]?.message,
    );
    expect(messages[0]).toContain('&x is set twice');
    expect(messages[1]).toContain('no anchor &x before it');
    expect(messages[2]).toContain('a node that contains it');
  });

  it('refuses a tab between tokens and leaves one inside quotes alone', () => {
    expect(readYaml('seed: \t1\n').problems.map(({ start, end }) => [start, end])).toEqual([[6, 7]]);
    expect(readYaml('a: 1\t# x\n').problems).toHaveLength(1);
    expect(readYaml('a: "x\ty"\nb: |\n  p\tq\n# c\td\n').problems).toEqual([]);
  });

  it('does not multiply aliases of aliases', () => {
    const lines = Array.from(
      { length: 60 },
      (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
    );
    expect(readYaml(['a0: &a0 [x]', ...lines].join('\n')).problems).toEqual([]);
  });

  it.each([
    ['deep flow', 'a: '.concat('['.repeat(20_000))],
    ['deep block', Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['deep sequence', '- '.repeat(20_000)],
    ['merge conflict', '<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n'],
    ['UTF-16 read as UTF-8', '\ufffd\ufffda\u0000:\u0000 \u00001\u0000'],
    ['a lone surrogate', 'a: \ud800\n'],
  ])('survives %s', (_, text) => {
    expect(readYaml(text).problems.length).toBeGreaterThan(0);
  });

  it('never throws, and reads the same text in the same way', () => {
    const marks = Array.from(':-[]{}&*!|>\'"%@`#?,\n\r\t ~<=0o_.e+a');
    const pieces = fc.constantFrom(...marks, '<<: ', '---\n', '...\n', '\ufeff', '\u2028', '!!int ', 'é');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const first = readYaml(text);
          expect(first).toEqual(readYaml(text));
          for (const { start, end } of first.problems)
            expect(start <= end && end <= text.length + 1).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
