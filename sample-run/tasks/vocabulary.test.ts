import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  END_TOKEN,
  PIECES,
  PROMPT_END_TOKEN,
  VOCABULARY_SIZE,
  detokenise,
  digitToken,
  endsSentence,
  pieceToken,
  tokenise,
} from './vocabulary';

describe('vocabulary', () => {
  it('gives each token its piece at its UTF-16 offset', () => {
    const token = fc.nat(VOCABULARY_SIZE - 1);
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        const { text, offsets } = detokenise(tokens);
        expect(offsets).toHaveLength(tokens.length + 1);
        tokens.forEach((t, i) => expect(text.slice(offsets[i], offsets[i + 1])).toBe(PIECES[t]));
        expect(offsets[tokens.length]).toBe(text.length);
      }),
    );
    expect(() => detokenise([VOCABULARY_SIZE])).toThrow(RangeError);
  });

  it('reads any text of its pieces back into the same tokens', () => {
    const token = fc.integer({ min: 1, max: VOCABULARY_SIZE - 1 });
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        expect(tokenise(detokenise(tokens).text)).toEqual({ ok: true, tokens });
      }),
    );
  });

  it('answers any other text with the place from which it cannot read on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const result = tokenise(text);
        if (result.ok) expect(detokenise(result.tokens).text).toBe(text);
        else expect(tokenise(text.slice(0, result.at)).ok).toBe(true);
      }),
    );
    const result = tokenise(' Units: 7 minus 5');
    expect(result).toMatchObject({ ok: false, at: 9 });
    expect(result.ok ? '' : result.message).toMatch(/character 10 .*knows numbers and: .*plus/);
  });

  it('tells digits inside a number from digits at its start', () => {
    expect(PIECES[digitToken(4, true)]).toBe(' 4');
    expect(PIECES[digitToken(4, false)]).toBe('4');
  });

  it('ends sentences at full stop, question mark and end', () => {
    const ends = PIECES.map((_, token) => token).filter(endsSentence);
    expect(ends).toEqual([END_TOKEN, PROMPT_END_TOKEN, pieceToken('.')]);
    expect(() => pieceToken('no piece')).toThrow(/no piece/);
  });
});
