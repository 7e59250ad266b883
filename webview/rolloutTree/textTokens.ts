import type { TextPiece } from '../../protocol/panels/text';
import { entropyStep } from '../shared/scales';

/** One token of the shown text. */
export interface Token {
  /** Position on the path from the root. */
  readonly at: number;
  readonly text: string;
  /** Nats; NaN: not sent. */
  readonly entropy: number;
  readonly logProb: number;
  readonly trained: boolean;
  readonly version: number | null;
  readonly alternatives: readonly (readonly [string, number])[];
}

/** Policy version of a position in a node: the last entry [first position, version] that begins at or before it. */
const versionAt = (versions: TextPiece['versions'], at: number): number | null => {
  let found: number | null = null;
  for (const [from, version] of versions) if (from <= at) found = version;
  return found;
};

/** The tokens of a piece; offsets are UTF-16 places in its text. */
export const tokensOf = (piece: TextPiece): readonly Token[] => {
  const count = Math.max(0, piece.to - piece.from);
  return Array.from({ length: count }, (_, i) => ({
    at: piece.from + i,
    text: piece.text.slice(piece.offsets[i] ?? piece.text.length, piece.offsets[i + 1] ?? piece.text.length),
    entropy: piece.entropy?.[i] ?? NaN,
    logProb: piece.logProb?.[i] ?? NaN,
    trained: piece.trained?.[i] !== 0,
    version: versionAt(piece.versions, piece.at + i),
    alternatives: piece.alternatives?.[i] ?? [],
  }));
};

/** A stretch of a piece as it is laid out. */
export interface Stretch {
  readonly kind: 'text' | 'fold' | 'untrained';
  readonly from: number;
  /** One past the last token of the piece's list. */
  readonly to: number;
}

/** Calm stretches shorter than this stay open, and this many tokens stay open at each of their ends. */
const LEAST_FOLD = 64;
const FRINGE = 8;
const LEAST_UNTRAINED = 4;

const runs = (
  tokens: readonly Token[],
  belongs: (token: Token) => boolean,
): readonly { from: number; to: number; in: boolean }[] => {
  const list: { from: number; to: number; in: boolean }[] = [];
  tokens.forEach((token, i) => {
    const inside = belongs(token);
    const last = list[list.length - 1];
    if (last?.in === inside) last.to = i + 1;
    else list.push({ from: i, to: i + 1, in: inside });
  });
  return list;
};

/**
 * Splits a piece: what is not trained stands as a quotation, long calm stretches (entropy on step 0) fold to
 * one line, unless the caret is in them or a person opened them.
 *
 * @param caret position on the path; `open`: first positions of stretches that were opened.
 * @param quotes false: nothing of the piece is ever trained, so that being untrained marks nothing in it.
 */
export const stretchesOf = (
  tokens: readonly Token[],
  caret: number | null,
  open: ReadonlySet<number>,
  quotes = true,
): readonly Stretch[] => {
  const list: Stretch[] = [];
  const put = (kind: Stretch['kind'], from: number, to: number): void => {
    if (to <= from) return;
    const last = list[list.length - 1];
    if (last?.kind === kind && kind === 'text') list[list.length - 1] = { kind, from: last.from, to };
    else list.push({ kind, from, to });
  };
  for (const run of runs(tokens, (token) => quotes && !token.trained)) {
    if (run.in && run.to - run.from >= LEAST_UNTRAINED) {
      put('untrained', run.from, run.to);
      continue;
    }
    for (const calm of runs(tokens.slice(run.from, run.to), (token) => entropyStep(token.entropy) === 0)) {
      const from = run.from + calm.from;
      const to = run.from + calm.to;
      const first = from + FRINGE;
      const last = to - FRINGE;
      const at = tokens[first]?.at ?? -1;
      const holdsCaret = caret !== null && caret >= at && caret <= (tokens[last - 1]?.at ?? -1);
      if (!calm.in || to - from < LEAST_FOLD || open.has(at) || holdsCaret) put('text', from, to);
      else {
        put('text', from, first);
        put('fold', first, last);
        put('text', last, to);
      }
    }
  }
  return list;
};

export const meanEntropy = (tokens: readonly Token[]): number => {
  const known = tokens.filter((token) => Number.isFinite(token.entropy));
  return known.reduce((sum, token) => sum + token.entropy, 0) / known.length;
};

/** A piece of a text as it may be shown: plain, or the name of a character that has no picture of its own. */
export interface Shown {
  readonly text: string;
  readonly special: boolean;
}

/**
 * Characters that move, hide or break what stands around them: controls but line break and tab, format
 * characters (zero width, bidi, tags), separators of lines, lone surrogates, blank letters.
 */
const SPECIAL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\u034f|\u115f|\u1160|\u3164|\uffa0/gu;

const nameOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
};

/**
 * Model text with its invisible and reordering characters named, so that what is read is what was written.
 * Line breaks stay and are shown by a sign before them.
 */
export const visible = (text: string): readonly Shown[] => {
  const parts: Shown[] = [];
  const plain = (piece: string): void => {
    piece.split(/(\n)/).forEach((part) => {
      if (part === '\n') parts.push({ text: '\u23ce', special: true }, { text: '\n', special: false });
      else if (part !== '') parts.push({ text: part, special: false });
    });
  };
  let from = 0;
  for (const match of text.matchAll(SPECIAL)) {
    plain(text.slice(from, match.index));
    parts.push({ text: nameOf(match[0]), special: true });
    from = match.index + match[0].length;
  }
  plain(text.slice(from));
  return parts;
};

/** A token in one short line: spaces and line breaks as signs, cut at 24 characters. */
export const tokenName = (text: string): string => {
  const named = visible(text)
    .map((part) => (part.text === '\n' ? '' : part.text))
    .join('')
    .replaceAll(' ', '\u2423')
    .replaceAll('\t', '\u2409');
  const characters = Array.from(named);
  return characters.length > 24 ? `${characters.slice(0, 23).join('')}…` : named;
};
