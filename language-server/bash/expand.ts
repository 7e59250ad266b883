import { compute } from './arithmetic';
import { FieldBuilder } from './fieldBuilder';
import { changeCase, replace, trim } from './pattern';
import type { ShellState } from './shellState';
import type { ParameterPiece, Piece, Spot, Word } from './syntax';
import { computedPart, textOf, unknownPart } from './value';
import type { Field, Part, Variable } from './value';

/** `${X:?}` or `set -u` ends the script. */
export class Exit extends Error {}

/** Expands words as bash does, in one state of the shell. */
export class Expander {
  readonly #state: ShellState;
  readonly #script: string;

  constructor(state: ShellState, script: string) {
    this.#state = state;
    this.#script = script;
  }

  /** The words that one word becomes. */
  fields(word: Word): Field[] {
    if (hasBraces(word.pieces)) return new FieldBuilder(word, true).fields().concat(openOf(word));
    const builder = new FieldBuilder(word, true);
    this.#addAll(builder, word.pieces, true);
    return builder.fields();
  }

  /** The value that a word gives to a variable: one text, blanks and all. */
  value(word: Word): readonly Part[] {
    const builder = new FieldBuilder(word, false);
    this.#addAll(builder, word.pieces, true);
    return builder.fields()[0]?.parts ?? [];
  }

  /** A text if it is known. */
  text(word: Word): string | null {
    return textOf(this.value(word));
  }

  /** The number of an arithmetic expression as text; null: not known. */
  arithmetic(expression: string): string | null {
    const value = compute(expression, (name) => this.#number(name));
    return value === null ? null : String(value);
  }

  #number(name: string): string | null {
    const variable = this.#state.get(name);
    if (variable.kind === 'unset') return '0';
    const text = variable.kind === 'unknown' ? null : textOf(firstOf(variable));
    return text?.trim() === '' ? '0' : text;
  }

  #addAll(builder: FieldBuilder, pieces: readonly Piece[], isWordStart: boolean): void {
    pieces.forEach((piece, index) => {
      switch (piece.kind) {
        case 'text':
          this.#addText(builder, piece.text, piece, isWordStart && index === 0, piece.quoted);
          break;
        case 'command':
          if (piece.quoted) builder.add(unknownPart(piece));
          else if (pieces.length === 1) builder.addOpen(piece);
          else builder.add(unknownPart(piece));
          break;
        case 'arithmetic': {
          const expression = this.text(piece.expression);
          const number = expression === null ? null : this.arithmetic(expression);
          builder.add(number === null ? unknownPart(piece) : computedPart(number, piece));
          break;
        }
        case 'parameter':
          this.#addParameter(builder, piece, pieces.length === 1);
      }
    });
  }

  #addText(builder: FieldBuilder, text: string, spot: Spot, isFirst: boolean, quoted: boolean): void {
    const isWritten = this.#script.slice(spot.start, spot.end) === text;
    const part: Part = { text, isWritten, start: spot.start, end: spot.end };
    if (quoted) {
      builder.add(part);
      return;
    }
    const tilde = /^([A-Za-z_]\w*=)?~(?=\/|$)/.exec(text);
    if (!isFirst || !tilde) {
      builder.addPlain(part);
      return;
    }
    const home = this.#state.get('HOME');
    const known = home.kind === 'text' ? textOf(home.parts) : null;
    const before = tilde[1] ?? '';
    if (known === null) builder.add(unknownPart(spot));
    else builder.add(computedPart(before + known + text.slice(before.length + 1), spot));
  }

  #addParameter(builder: FieldBuilder, piece: ParameterPiece, isWhole: boolean): void {
    const put = (part: Part): void => {
      if (piece.quoted) builder.add(part);
      else if (part.text === null && isWhole) builder.addOpen(part);
      else builder.addSplit(part);
    };
    if (piece.isIndirect || !this.#state.splits) {
      put(this.#state.splits || !piece.quoted ? unknownPart(piece) : this.#plain(piece));
      return;
    }
    const list = this.#list(piece);
    if (list) this.#addList(builder, piece, list);
    else if (this.#usesOperand(piece)) this.#addOperand(builder, piece);
    else {
      // Quotes make a word of nothing, too.
      if (piece.quoted) builder.add(computedPart('', piece));
      for (const part of this.#parts(piece)) put(part);
    }
  }

  /** With a changed IFS only quoted text is sure. */
  #plain(piece: ParameterPiece): Part {
    const variable = this.#state.get(piece.name);
    const text = variable.kind === 'text' && piece.operator === '' ? textOf(variable.parts) : null;
    return text === null ? unknownPart(piece) : computedPart(text, piece);
  }

  /** The words of `$@`, `$*`, `${a[@]}`, `${a[*]}`; null for everything else. */
  #list(piece: ParameterPiece): { fields: readonly Field[] | null; joins: boolean } | null {
    if (piece.isLength) return null;
    const index = piece.index && this.text(piece.index);
    const isAll = piece.name === '@' || piece.name === '*';
    if (!isAll && index !== '@' && index !== '*') return null;
    const joins = piece.name === '*' || index === '*';
    if (piece.operator !== '') return { fields: this.#listOrDefault(piece, isAll), joins };
    return { fields: this.#all(piece.name, isAll), joins };
  }

  #all(name: string, isAll: boolean): readonly Field[] | null {
    if (!isAll) return allOf(this.#state.get(name));
    return this.#state.args ?? (this.#state.isBare ? [] : null);
  }

  #listOrDefault(piece: ParameterPiece, isAll: boolean): readonly Field[] | null {
    const fields = this.#all(piece.name, isAll);
    const isDefault = /^:?-$/.test(piece.operator);
    return isDefault && fields && fields.length > 0 && !fields[0]?.isOpen ? fields : null;
  }

  #addList(
    builder: FieldBuilder,
    piece: ParameterPiece,
    { fields, joins }: { fields: readonly Field[] | null; joins: boolean },
  ): void {
    if (fields === null) {
      if (piece.quoted && joins) builder.add(unknownPart(piece));
      else builder.addOpen(piece);
    } else if (piece.quoted && joins) {
      const texts = fields.map((field) => (field.isOpen ? null : textOf(field.parts)));
      builder.add(texts.includes(null) ? unknownPart(piece) : computedPart(texts.join(' '), piece));
    } else if (piece.quoted) {
      builder.addFields(fields);
    } else {
      fields.forEach((field, index) => {
        if (index > 0) builder.finish();
        if (field.isOpen) builder.addOpen(field);
        else for (const part of field.parts) builder.addSplit(part);
      });
    }
  }

  /** Whether `${X:-w}` and its kind give the word in place of the variable. */
  #usesOperand({ name, index, operator }: ParameterPiece): boolean {
    if (!/^:?[-=+]$/.test(operator) || index) return false;
    const state = this.#stateOf(name, operator.startsWith(':'));
    if (operator.endsWith('+')) return state === 'set';
    return state === 'unset' || state === 'untouched';
  }

  #stateOf(name: string, emptyCounts: boolean): 'set' | 'unset' | 'untouched' | 'unknown' {
    if (/^\d+$/.test(name)) {
      if (this.#state.args === null) return 'untouched';
      return this.#state.args[Number(name) - 1] ? 'set' : 'unset';
    }
    // From outside nothing is known of it; the script's own default is what it is meant to be without that.
    if (this.#state.isUntouched(name)) return this.#state.hasForgotten ? 'unknown' : 'untouched';
    const variable = this.#state.get(name);
    if (variable.kind === 'unset' || variable.kind === 'unknown') return variable.kind;
    if (!emptyCounts) return 'set';
    const text = textOf(firstOf(variable));
    if (text === '') return 'unset';
    return text === null ? 'unknown' : 'set';
  }

  #addOperand(builder: FieldBuilder, piece: ParameterPiece): void {
    const operand = piece.operands[0];
    if (!operand) return;
    if (piece.operator.endsWith('=')) {
      this.#state.set(piece.name, { kind: 'text', parts: this.value(operand) });
    }
    if (operand.pieces.length === 0) {
      if (piece.quoted) builder.add(computedPart('', piece));
      return;
    }
    // Blanks of a default outside of quotes split as those of a variable do.
    for (const inner of operand.pieces) {
      if (inner.kind === 'text' && !inner.quoted && !piece.quoted) {
        const isWritten = this.#script.slice(inner.start, inner.end) === inner.text;
        builder.addSplit({ text: inner.text, isWritten, start: inner.start, end: inner.end });
      } else {
        this.#addAll(builder, [inner], false);
      }
    }
  }

  #parts(piece: ParameterPiece): readonly Part[] {
    const value = this.#base(piece);
    if (value === null) return [unknownPart(piece)];
    if (piece.isLength) {
      const text = textOf(value);
      return [text === null ? unknownPart(piece) : computedPart(String(Array.from(text).length), piece)];
    }
    const { operator, operands } = piece;
    if (operator === '' || /^:?[-=]$/.test(operator)) return value;
    if (/^:?\+$/.test(operator)) {
      const state = this.#stateOf(piece.name, operator.startsWith(':'));
      return state === 'unset' ? [] : [unknownPart(piece)];
    }
    if (/^:?\?$/.test(operator)) return value;
    const text = textOf(value);
    const changed = text === null ? null : this.#changed(text, operator, operands);
    return [changed === null ? unknownPart(piece) : computedPart(changed, piece)];
  }

  #changed(text: string, operator: string, operands: readonly Word[]): string | null {
    const [first, second] = operands.map((operand) => this.text(operand));
    if (first === null || second === null) return null;
    if (/^[#%]/.test(operator)) return trim(text, operator, first ?? '');
    if (operator.startsWith('/')) return replace(text, operator, first ?? '', second ?? '');
    if (/^[\^,]/.test(operator))
      return first === undefined || first === '' ? changeCase(text, operator) : null;
    if (operator !== ':') return null;
    const from = this.arithmetic(first ?? '');
    const length = second === undefined ? String(text.length) : this.arithmetic(second);
    if (from === null || length === null) return null;
    const start = Number(from) < 0 ? text.length + Number(from) : Number(from);
    if (start < 0 || Number(length) < 0) return null;
    return text.slice(start, start + Number(length));
  }

  /** The variable's own value, without what an operator makes of it; null: not known. */
  #base(piece: ParameterPiece): readonly Part[] | null {
    const { name, index } = piece;
    if (/^\d+$/.test(name)) return this.#positional(Number(name), piece);
    if (name === '#') {
      const { args } = this.#state;
      return args === null || args.some((each) => each.isOpen)
        ? null
        : [computedPart(String(args.length), piece)];
    }
    if (!/^[A-Za-z_]/.test(name)) return null;
    const variable = this.#state.get(name);
    if (variable.kind === 'unknown') return null;
    if (index) return this.#element(variable, index, piece);
    if (variable.kind === 'unset') {
      const isChecked = this.#state.stopsOnUnset && piece.operator === '' && !piece.isLength;
      if (isChecked || /^:?\?$/.test(piece.operator)) throw new Exit();
      return [];
    }
    return firstOf(variable);
  }

  #positional(number: number, piece: ParameterPiece): readonly Part[] | null {
    if (number === 0) return this.#state.name === null ? null : [computedPart(this.#state.name, piece)];
    const { args } = this.#state;
    if (args === null || args.slice(0, number).some((each) => each.isOpen)) return null;
    return args[number - 1]?.parts ?? [];
  }

  #element(variable: Variable, index: Word, piece: ParameterPiece): readonly Part[] | null {
    const fields = allOf(variable);
    if (fields === null || fields.some((field) => field.isOpen)) return null;
    const at = this.text(index);
    if (at === null) return null;
    if (at === '@' || at === '*') {
      if (!piece.isLength) return null;
      // The length of all of them is their number: as many letters as there are elements.
      return [computedPart('x'.repeat(fields.length), piece)];
    }
    const number = this.arithmetic(at);
    if (number === null) return null;
    return fields.at(Number(number))?.parts ?? [];
  }
}

function openOf(spot: Spot): Field[] {
  return [{ parts: [unknownPart(spot)], isOpen: true, start: spot.start, end: spot.end }];
}

/** What `$X` gives: the first of an array. */
function firstOf(variable: Variable): readonly Part[] {
  if (variable.kind === 'text') return variable.parts;
  if (variable.kind !== 'array') return [];
  const first = variable.fields[0];
  return first?.isOpen ? [unknownPart(first)] : (first?.parts ?? []);
}

/** All words of a variable; null: not known. */
function allOf(variable: Variable): readonly Field[] | null {
  if (variable.kind === 'array') return variable.fields;
  if (variable.kind === 'unset') return [];
  if (variable.kind === 'unknown') return null;
  const [first] = variable.parts;
  return [
    { parts: variable.parts, isOpen: false, start: first?.start ?? 0, end: variable.parts.at(-1)?.end ?? 0 },
  ];
}

/** `{a,b}` and `{1..4}` outside of quotes become several words. */
function hasBraces(pieces: readonly Piece[]): boolean {
  const plain = pieces
    .map((piece) => (piece.kind === 'text' && !piece.quoted ? piece.text : '\u0000'))
    .join('');
  return /\{[^}]*(?:,|\.\.)[^}]*\}/.test(plain);
}
