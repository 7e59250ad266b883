/**
 * The tokens of the sample run and the text they stand for. Texts are pieces joined without anything
 * between them, so offsets in UTF-16 units follow from the pieces alone. Every text that can be written
 * with the pieces has exactly one tokenisation by longest match.
 */
export const PIECES = [
  '',
  ...Array.from({ length: 10 }, (_, d) => ` ${d}`),
  ...Array.from({ length: 10 }, (_, d) => `${d}`),
  'What is',
  '?',
  '.',
  ' Units:',
  ' Tens:',
  ' Hundreds:',
  ' Thousands:',
  ' plus',
  ' is',
  ' makes',
  ' write',
  ', write',
  ', carry',
  ' Answer:',
] as const;

/** Ends a rollout; stands for no text. */
export const END_TOKEN = 0;
/** Ends the prompt: its last token. */
export const PROMPT_END_TOKEN = PIECES.indexOf('?');
export const VOCABULARY_SIZE = PIECES.length;

/** A digit at the start of a number (with its space) or inside one. */
export function digitToken(digit: number, startsNumber: boolean): number {
  return (startsNumber ? 1 : 11) + digit;
}

/** Token of a piece. Throws for a text that is no piece: a mistake of ours, never of a person. */
export function pieceToken(piece: string): number {
  const token = (PIECES as readonly string[]).indexOf(piece);
  if (token < 0) throw new Error(`"${piece}" is no piece of the vocabulary.`);
  return token;
}

const SENTENCE_ENDS: ReadonlySet<number> = new Set([PROMPT_END_TOKEN, pieceToken('.'), END_TOKEN]);

/** Whether a sentence ends with this token: full stop, question mark, end of the rollout. */
export function endsSentence(token: number): boolean {
  return SENTENCE_ENDS.has(token);
}

export interface Detokenised {
  readonly text: string;
  /** UTF-16 offset at which each token starts, and one more: the length of the text. */
  readonly offsets: Uint32Array;
}

/** Text of tokens. Throws a RangeError for a token outside the vocabulary. */
export function detokenise(tokens: ArrayLike<number>): Detokenised {
  const offsets = new Uint32Array(tokens.length + 1);
  let text = '';
  for (let i = 0; i < tokens.length; i++) {
    const piece = PIECES[tokens[i]!];
    if (piece === undefined) throw new RangeError(`Token ${tokens[i]!} is not in the vocabulary.`);
    text += piece;
    offsets[i + 1] = text.length;
  }
  return { text, offsets };
}

export type Tokenised =
  | { readonly ok: true; readonly tokens: number[] }
  /** `at` is the UTF-16 offset of the first text that no piece matches. */
  | { readonly ok: false; readonly at: number; readonly message: string };

const BY_LENGTH = PIECES.map((piece, token) => ({ piece, token }))
  .filter(({ piece }) => piece.length > 0)
  .sort((a, b) => b.piece.length - a.piece.length);

/** Tokens of a text that a person wrote. A text outside the vocabulary is an answer, not an exception. */
export function tokenise(text: string): Tokenised {
  const tokens: number[] = [];
  let at = 0;
  while (at < text.length) {
    const match = BY_LENGTH.find(({ piece }) => text.startsWith(piece, at));
    if (match === undefined) {
      const words = PIECES.map((piece) => piece.trim()).filter((piece) => /\D/.test(piece));
      return {
        ok: false,
        at,
        message: `The sample policy cannot read the text from character ${at + 1} on. It knows numbers and: ${words.join(' ')}`,
      };
    }
    tokens.push(match.token);
    at += match.piece.length;
  }
  return { ok: true, tokens };
}
