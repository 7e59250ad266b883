import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { array, isRecord } from '../json/jsonShape';
import { vectorCases } from '../testing/recordedVerdicts';
import { readScript } from './readScript';
import type { Surroundings } from './shellState';
import { textOf } from './value';

/** Source: recorded calls of bash 5.2 (test/vectors/configs/launch-scripts.json). */
const CASES = vectorCases('launch-scripts.json');
const RECORDED: ReadonlySet<string> = new Set([
  'python',
  'python3',
  'torchrun',
  'deepspeed',
  'accelerate',
  'ray',
]);

function surroundings(each: Readonly<Record<string, unknown>>): Surroundings {
  const env = isRecord(each['env']) ? each['env'] : {};
  return {
    args: array(each['args'] ?? [], 'args').map(String),
    env: new Map(Object.entries(env).map(([name, value]) => [name, String(value)])),
    name: 'run.sh',
    isBare: false,
  };
}

interface Call {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, unknown>>;
}

function recordedCalls(each: Readonly<Record<string, unknown>>): Call[] {
  return array(each['calls'], 'calls').map((call) => {
    if (!isRecord(call)) throw new TypeError('call');
    return { argv: array(call['argv'], 'argv').map(String), env: isRecord(call['env']) ? call['env'] : {} };
  });
}

function readCalls(each: Readonly<Record<string, unknown>>) {
  return readScript(String(each['script']), surroundings(each)).calls.filter(({ words }) => {
    const name = words[0] && textOf(words[0].parts);
    return name === null || name === undefined || RECORDED.has(name);
  });
}

describe('readScript', () => {
  const followed = CASES.filter((each) => each['give_up'] === false);

  it('has the recorded cases', () => expect([CASES.length, followed.length]).toEqual([105, 70]));

  it.each(followed.map((each) => [String(each['id']), each] as const))(
    '%s: gives the words of bash',
    (_, each) => {
      const calls = readCalls(each);
      expect(
        calls.map(({ words }) => words.map((word) => (word.isOpen ? null : textOf(word.parts)))),
      ).toEqual(recordedCalls(each).map(({ argv }) => argv));
      expect(calls.every(({ isCertain }) => isCertain)).toBe(true);
    },
  );

  it.each(CASES.map((each) => [String(each['id']), each] as const))(
    '%s: never says what bash does not do',
    (_, each) => {
      const recorded = recordedCalls(each);
      for (const { words, env, isCertain } of readCalls(each)) {
        const pattern = words.map((word) => (word.isOpen ? null : textOf(word.parts)));
        const match = recorded.find(({ argv }) => isMatch(words, pattern, argv));
        if (isCertain) expect(match?.argv, JSON.stringify(pattern)).toBeDefined();
        for (const [name, value] of env) {
          const given = match?.env[name];
          if (given !== undefined && value !== null) expect(value).toBe(given);
        }
      }
    },
  );
});

function isMatch(
  words: readonly { readonly isOpen: boolean }[],
  pattern: readonly (string | null)[],
  argv: readonly string[],
): boolean {
  const [first, ...rest] = words;
  if (!first) return argv.length === 0;
  if (first.isOpen) {
    return Array.from({ length: argv.length + 1 }, (_, count) => count).some((count) =>
      isMatch(rest, pattern.slice(1), argv.slice(count)),
    );
  }
  if (argv.length === 0 || (pattern[0] !== null && pattern[0] !== argv[0])) return false;
  // An unknown word outside of quotes may fall apart.
  if (pattern[0] === null && isMatch(words.slice(1), pattern.slice(1), argv.slice(2))) return true;
  return isMatch(rest, pattern.slice(1), argv.slice(1));
}

describe('a script whose surroundings are not known', () => {
  const words = (text: string) =>
    readScript(text).calls.map((call) => call.words.map((word) => (word.isOpen ? '…' : textOf(word.parts))));

  it.each([
    ['python3 t.py n=${N:-8} m=$M', ['python3', 't.py', 'n=8', null]],
    ['python3 t.py "$@" n=1', ['python3', 't.py', '…', 'n=1']],
    ['python3 t.py $EXTRA', ['python3', 't.py', '…']],
    ['n=$(nproc)\npython3 t.py n=$n m=$((2 * n))', ['python3', 't.py', null, null]],
    ['source env.sh\npython3 t.py n=${N:-8}', ['python3', 't.py', null]],
    ['N=4\nif [ -n "$X" ]; then N=8; fi\npython3 t.py n=$N', ['python3', 't.py', null]],
    ['N=4\nif [ -n "$X" ]; then exit 1; fi\npython3 t.py n=$N', ['python3', 't.py', 'n=4']],
    ['N=4\nfor i in 1 2; do N=$((N * 2)); done\npython3 t.py n=$N', ['python3', 't.py', null]],
    ['N=4\nwhile read -r N; do :; done\npython3 t.py n=$N', ['python3', 't.py', null]],
    ['N=4\ncat x | while true; do N=8; done\npython3 t.py n=$N', ['cat', 'x']],
  ])('%j', (text, expected) => expect(words(text)[0]).toEqual(expected));

  it('says where a value can be changed', () => {
    const text = 'bs=64\nn=${N:-8}\npython3 t.py data.train_batch_size=${bs} rollout.n=$n lr=1e-6';
    const places = readScript(text).calls[0]?.words.map(({ parts }) => parts.at(-1));
    expect(places?.map((part) => part?.isWritten && text.slice(part.start, part.end))).toEqual([
      'python3',
      't.py',
      '64',
      '8',
      'lr=1e-6',
    ]);
    expect(places?.[2]?.start).toBe(3);
  });

  it.each([
    ['python3 t.py \\\n  a=1 \\\n  # b=2 \\\n  c=3\n', 'commentInContinuation'],
    ['python3 t.py \\\n  a=1 \\ \n  c=3\n', 'spaceAfterBackslash'],
    ['python3 t.py a=1\r\n', 'carriageReturn'],
    ['python3 t.py "a=1\n', 'syntax'],
  ])('%j: tells of %s', (text, code) =>
    expect(readScript(text).problems.map((problem) => problem.code)).toEqual([code]),
  );

  it('has nothing to say about ordinary comments', () => {
    expect(readScript('# a\npython3 t.py \\\n  a=1 # last\n# b\nA=(\n  # c\n  x\n)\n').problems).toEqual([]);
  });
});

describe('no text', () => {
  const pieces = fc.constantFrom(
    ...[
      '$',
      '{',
      '}',
      '(',
      ')',
      '"',
      "'",
      '\\',
      '\n',
      '`',
      '#',
      ' ',
      ';',
      '&',
      '|',
      '<',
      '>',
      '=',
      '*',
      '[',
      ']',
      '~',
    ],
    ...[
      '$((',
      '))',
      '${X:-',
      '$@',
      'for i in a; do ',
      'done',
      'if x; then ',
      'fi',
      'case x in ',
      'esac',
      '<<EOF\n',
    ],
    ...[
      'X=1',
      'A=(',
      'python3 t.py ',
      '--n 8',
      'f() {',
      'f',
      '!',
      '+',
      '/',
      ':',
      '%',
      '0',
      '\r\n',
      '\ufeff',
      '[[ ',
      ' ]]',
    ],
  );
  const script = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.constantFrom(...CASES.map((each) => String(each['script']))), fc.nat(400), pieces)
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at)),
  );

  it('makes it throw or gives two answers, and places lie in the text', () => {
    fc.assert(
      fc.property(script, (text) => {
        const reading = readScript(text);
        expect(readScript(text)).toEqual(reading);
        for (const { words } of reading.calls) {
          for (const part of words.flatMap((word) => word.parts)) {
            expect(part.start >= 0 && part.start <= part.end && part.end <= text.length).toBe(true);
            if (part.isWritten) expect(text.slice(part.start, part.end)).toBe(part.text);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
