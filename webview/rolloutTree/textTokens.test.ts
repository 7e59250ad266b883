import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextPiece } from '../../protocol/panels/text';
import { meanEntropy, stretchesOf, tokenName, tokensOf, visible, type Token } from './textTokens';

const piece = (words: readonly string[], rest: Partial<TextPiece> = {}): TextPiece => {
  let place = 0;
  const offsets = words.map((word) => {
    place += word.length;
    return place - word.length;
  });
  return {
    node: 'n',
    rollout: 'r',
    origin: 'sampled',
    kind: 'tokens',
    from: 40,
    to: 40 + words.length,
    at: 8,
    text: words.join(''),
    offsets,
    logProb: null,
    entropy: null,
    trained: null,
    versions: [],
    alternatives: null,
    fork: null,
    ...rest,
  };
};

const token = (at: number, entropy: number, trained = true): Token => ({
  at,
  text: 'x',
  entropy,
  logProb: NaN,
  trained,
  version: null,
  alternatives: [],
});

describe('tokens of a piece', () => {
  it('together are its text, whatever the characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 30 }), (words) => {
        const tokens = tokensOf(piece(words));
        expect(tokens.map(({ text }) => text)).toEqual(words);
        expect(tokens.map(({ at }) => at)).toEqual(words.map((_, i) => 40 + i));
      }),
    );
  });

  it('take their version from the place in the node', () => {
    const tokens = tokensOf(
      piece(['a', 'b', 'c', 'd'], {
        versions: [
          [0, 7],
          [10, 8],
        ],
      }),
    );
    expect(tokens.map(({ version }) => version)).toEqual([7, 7, 8, 8]);
  });
});

describe('stretches', () => {
  it('cover the tokens in order, once each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(0.01, 2), fc.boolean(), fc.nat(120)), { maxLength: 12 }),
        fc.option(fc.nat(600)),
        (list, caret) => {
          const tokens = list.flatMap(([entropy, trained, n]) =>
            Array.from({ length: n }, () => ({ entropy, trained })),
          );
          const all = tokens.map(({ entropy, trained }, i) => token(i, entropy, trained));
          const stretches = stretchesOf(all, caret, new Set());
          let at = 0;
          for (const { kind, from, to } of stretches) {
            expect(from).toBe(at);
            expect(to).toBeGreaterThan(from);
            if (kind === 'fold') {
              expect(all.slice(from, to).every(({ entropy, trained }) => entropy < 0.4 && trained)).toBe(
                true,
              );
              expect(caret !== null && caret >= from && caret < to).toBe(false);
            }
            at = to;
          }
          expect(at).toBe(all.length);
        },
      ),
    );
  });

  it('fold a long calm stretch but its ends, until it is opened', () => {
    const tokens = Array.from({ length: 134 }, (_, i) => token(i, 0.09));
    expect(stretchesOf(tokens, null, new Set())).toEqual([
      { kind: 'text', from: 0, to: 8 },
      { kind: 'fold', from: 8, to: 126 },
      { kind: 'text', from: 126, to: 134 },
    ]);
    expect(stretchesOf(tokens, null, new Set([8]))).toEqual([{ kind: 'text', from: 0, to: 134 }]);
    expect(meanEntropy(tokens)).toBeCloseTo(0.09, 12);
  });

  it('quote what is not trained', () => {
    const tokens = [0, 0, 0, 0, 0, 1, 1].map((trained, i) => token(i, 2, trained === 1));
    expect(stretchesOf(tokens, null, new Set())).toEqual([
      { kind: 'untrained', from: 0, to: 5 },
      { kind: 'text', from: 5, to: 7 },
    ]);
    expect(stretchesOf(tokens, null, new Set(), false)).toEqual([{ kind: 'text', from: 0, to: 7 }]);
  });
});

describe('model text on the page', () => {
  it('leaves no character that hides, reorders or controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text)
          .map((part) => part.text)
          .join('');
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
      }),
    );
  });

  it('names them in place and keeps all others', () => {
    expect(visible('a\u202eb\u0007c\nd')).toEqual([
      { text: 'a', special: false },
      { text: 'U+202E', special: true },
      { text: 'b', special: false },
      { text: 'U+0007', special: true },
      { text: 'c', special: false },
      { text: '\u23ce', special: true },
      { text: '\n', special: false },
      { text: 'd', special: false },
    ]);
    expect(visible('<b>שלום</b>')).toEqual([{ text: '<b>שלום</b>', special: false }]);
    expect(tokenName(' Check\n')).toBe('\u2423Check\u23ce');
  });
});
