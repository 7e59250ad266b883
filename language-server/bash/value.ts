import type { Spot } from './syntax';

/** A stretch of a value. Null text: not to be known without running something. */
export interface Part extends Spot {
  readonly text: string | null;
  /** Whether the text stands at this place as it is, so that other text can take its place. */
  readonly isWritten: boolean;
}

/** A word that a command gets. */
export interface Field extends Spot {
  readonly parts: readonly Part[];
  /** Stands for any number of words, none included. */
  readonly isOpen: boolean;
}

export type Variable =
  | { readonly kind: 'text'; readonly parts: readonly Part[] }
  | { readonly kind: 'array'; readonly fields: readonly Field[] }
  | { readonly kind: 'unset' }
  | { readonly kind: 'unknown' };

export const UNKNOWN: Variable = { kind: 'unknown' };
export const UNSET: Variable = { kind: 'unset' };

/** The text of some parts; null where one of them is not known. */
export function textOf(parts: readonly Part[]): string | null {
  let text = '';
  for (const part of parts) {
    if (part.text === null) return null;
    text += part.text;
  }
  return text;
}

export function unknownPart(spot: Spot): Part {
  return { text: null, isWritten: false, start: spot.start, end: spot.end };
}

export function computedPart(text: string, spot: Spot): Part {
  return { text, isWritten: false, start: spot.start, end: spot.end };
}

export function openField(spot: Spot): Field {
  return { parts: [unknownPart(spot)], isOpen: true, start: spot.start, end: spot.end };
}
