import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { editDistance } from './editDistance';
import { Positions } from './positions';

describe('Positions', () => {
  it('agrees with the document of the language client', () => {
    const text = fc
      .array(fc.constantFrom('a', '🚀', '\n', '\r\n', '\r', ' '), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: -2, max: 70 }), (each, offset) => {
        const document = TextDocument.create('file:///x', 'yaml', 1, each);
        const position = new Positions(each).at(offset);
        // The document moves an offset inside a line end to the line's end; ours counts on.
        const clamped = Math.max(0, Math.min(offset, each.length));
        fc.pre(
          !/[\r\n]/.test(each.charAt(clamped - 1)) ||
            each.charAt(clamped - 1) !== '\r' ||
            each.charAt(clamped) !== '\n',
        );
        expect(position).toEqual(document.positionAt(clamped));
        expect(new Positions(each).offset(position)).toBe(clamped);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the end of a line without its line end', () => {
    const positions = new Positions('ab\r\ncd');
    expect([positions.lineEnd(0), positions.lineEnd(4)]).toEqual([2, 6]);
  });
});

describe('editDistance', () => {
  it.each([
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['learnign_rate', 'learning_rate', 1],
    ['num_generation', 'num_generations', 1],
    ['top_k', 'top_p', 1],
    ['kitten', 'sitting', 3],
    ['', 'ab', 2],
  ])('%s to %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
    expect(editDistance(b, a, 5)).toBe(distance);
  });

  it('stops above the limit', () => expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3));

  it('is zero for equal texts only and never more than the longer length', () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b, 20);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
