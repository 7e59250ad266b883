import type { TextPosition, TextRange } from '../../protocol/editor/editor';

/** Offsets of one text as LSP positions: line and UTF-16 character from 0; lines end at \n, \r\n or \r. */
export class Positions {
  readonly #lineStarts: number[] = [0];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (const end of text.matchAll(/\r\n|\n|\r/g)) this.#lineStarts.push(end.index + end[0].length);
  }

  at(offset: number): TextPosition {
    const clamped = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= clamped) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: clamped - (this.#lineStarts[low] ?? 0) };
  }

  range(start: number, end: number): TextRange {
    return { start: this.at(start), end: this.at(end) };
  }

  /** The offset of a position, moved into the text where it lies outside. */
  offset(position: TextPosition): number {
    const line = Math.max(0, Math.min(position.line, this.#lineStarts.length - 1));
    const start = this.#lineStarts[line] ?? 0;
    const end = this.#lineStarts[line + 1] ?? this.#text.length;
    return Math.max(start, Math.min(start + position.character, end));
  }

  /** The end of the text of the line that holds the offset, before its line end. */
  lineEnd(offset: number): number {
    const rest = /[\r\n]/.exec(this.#text.slice(offset));
    return rest ? offset + rest.index : this.#text.length;
  }
}
