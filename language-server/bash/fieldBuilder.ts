import type { Spot } from './syntax';
import { openField, unknownPart } from './value';
import type { Field, Part } from './value';

const PATTERN = /[*?[]/;

/** Puts the words together that an expansion gives, splitting at blanks where bash does. */
export class FieldBuilder {
  readonly #fields: Field[] = [];
  readonly #spot: Spot;
  readonly #splits: boolean;
  #parts: Part[] = [];
  #hasWord = false;
  /** Unquoted characters that bash may take for a pattern of file names. */
  #isPattern = false;

  /** @param splits false in an assignment: everything is one word, and no pattern */
  constructor(spot: Spot, splits: boolean) {
    this.#spot = spot;
    this.#splits = splits;
  }

  /** Text that stays together. */
  add(part: Part): void {
    this.#parts.push(part);
    this.#hasWord = true;
  }

  /** Literal text outside of quotes: a pattern, perhaps. */
  addPlain(part: Part): void {
    this.add(part);
    if (part.text !== null && PATTERN.test(part.text)) this.#isPattern = true;
  }

  /** What came out of an expansion outside of quotes. */
  addSplit(part: Part): void {
    if (!this.#splits || part.text === null) {
      this.add(part);
      return;
    }
    const pieces = part.text.split(/[ \t\n]+/);
    pieces.forEach((text, index) => {
      if (index > 0) this.finish();
      if (text === '') return;
      const isWhole = pieces.length === 1;
      this.addPlain(isWhole ? part : { ...part, text, isWritten: false });
    });
  }

  /** Words that stay apart: the first joins what stands before, the last what comes after. */
  addFields(fields: readonly Field[]): void {
    fields.forEach((field, index) => {
      if (index > 0) this.finish();
      if (field.isOpen) this.addOpen(field);
      else {
        this.#hasWord = true;
        for (const part of field.parts) this.#parts.push(part);
      }
    });
  }

  /** Any number of words. */
  addOpen(spot: Spot): void {
    if (!this.#splits) {
      this.add(unknownPart(spot));
      return;
    }
    if (this.#hasWord) this.add(unknownPart(spot));
    else this.#fields.push(openField(spot));
  }

  finish(): void {
    if (!this.#hasWord) return;
    const field = { parts: this.#parts, isOpen: false, start: this.#spot.start, end: this.#spot.end };
    this.#fields.push(
      this.#splits && this.#isPattern && isRealPattern(this.#parts) ? openField(this.#spot) : field,
    );
    this.#parts = [];
    this.#hasWord = false;
    this.#isPattern = false;
  }

  fields(): Field[] {
    this.finish();
    return this.#fields;
  }
}

/**
 * `a.b=[1,2]` is a pattern for bash, too, but no file is called so: it stays as it is.
 * A pattern without `=` before it may well be meant as one.
 */
function isRealPattern(parts: readonly Part[]): boolean {
  const text = parts.map((part) => part.text ?? '').join('');
  if (text === '[' || text === '[[') return false;
  return !/^[^*?[]*=/.test(text);
}
