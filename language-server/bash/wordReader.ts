import { SyntaxProblem } from './syntax';
import type { Assignment, ParameterPiece, Piece, ScriptProblem, Word } from './syntax';

const META = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')', '']);
const ASSIGNMENT = /([A-Za-z_]\w*)(?:\[([^\]\n]*)\])?(\+?)=/y;
const NAME = /[A-Za-z_]\w*/y;
const SPECIAL = /[0-9@*#?$!-]/;
const DEEPEST = 60;

/** Reads words at a moving place of a text. Line continuations vanish as they do in bash. */
export class WordReader {
  at = 0;
  readonly problems: ScriptProblem[] = [];
  readonly text: string;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The next character, past line continuations; empty at the end. */
  peek(): string {
    while (this.text.startsWith('\\\n', this.at)) this.at += 2;
    return this.text.charAt(this.at);
  }

  isWordEnd(): boolean {
    return META.has(this.peek());
  }

  /** Blanks between words, with continuations. */
  skipBlanks(): void {
    for (let next = this.peek(); next === ' ' || next === '\t'; next = this.peek()) this.at += 1;
  }

  skipComment(): void {
    while (this.at < this.text.length && this.text.charAt(this.at) !== '\n') this.at += 1;
  }

  /** An assignment at this place; null where there is none. */
  assignment(): Assignment | null {
    this.peek();
    ASSIGNMENT.lastIndex = this.at;
    const match = ASSIGNMENT.exec(this.text);
    if (!match) return null;
    const start = this.at;
    this.at += match[0].length;
    const value = this.peek() === '(' ? this.#array() : this.word();
    const [, name = '', index = null, plus] = match;
    return { kind: 'assignment', name, index, appends: plus === '+', value, start, end: this.at };
  }

  #array(): Word[] {
    const open = this.at;
    this.at += 1;
    const words: Word[] = [];
    for (;;) {
      this.skipBlanks();
      const next = this.peek();
      if (next === ')') break;
      if (next === '') throw new SyntaxProblem('this ( is never closed', open);
      if (next === '\n') this.at += 1;
      else if (next === '#') this.skipComment();
      else if (this.isWordEnd()) throw new SyntaxProblem('an array holds only words', this.at);
      else words.push(this.word());
    }
    this.at += 1;
    return words;
  }

  /** A word up to an unquoted blank or operator; empty where there is none. */
  word(): Word {
    return this.#pieces(() => this.isWordEnd(), false);
  }

  #pieces(isEnd: () => boolean, inQuotes: boolean): Word {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new SyntaxProblem('nested too deep to be read', this.at);
    this.peek();
    const start = this.at;
    const pieces: Piece[] = [];
    while (!isEnd()) {
      if (this.at >= this.text.length)
        throw new SyntaxProblem('the text ends inside quotes or braces', start);
      pieces.push(...this.#piece(inQuotes));
    }
    this.#depth -= 1;
    return { pieces: joined(pieces), start, end: this.at };
  }

  #piece(inQuotes: boolean): Piece[] {
    const start = this.at;
    const next = this.text.charAt(start);
    if (next === "'" && !inQuotes) return [this.#singleQuotes()];
    if (next === '"') return this.#doubleQuotes();
    if (next === '\\') return this.#escape(inQuotes);
    if (next === '$') return this.#dollar(inQuotes);
    if (next === '`') return [this.#backquotes(inQuotes)];
    this.at += 1;
    return [{ kind: 'text', text: next, quoted: inQuotes, start, end: this.at }];
  }

  #singleQuotes(): Piece {
    const start = this.at;
    const close = this.text.indexOf("'", start + 1);
    if (close < 0) throw new SyntaxProblem("this ' is never closed", start);
    this.at = close + 1;
    return {
      kind: 'text',
      text: this.text.slice(start + 1, close),
      quoted: true,
      start: start + 1,
      end: close,
    };
  }

  #doubleQuotes(): Piece[] {
    const open = this.at;
    this.at += 1;
    const inner = this.#pieces(() => this.peek() === '"' || this.peek() === '', true);
    if (this.peek() !== '"') throw new SyntaxProblem('this " is never closed', open);
    this.at += 1;
    // An empty pair still makes a word.
    return inner.pieces.length > 0
      ? [...inner.pieces]
      : [{ kind: 'text', text: '', quoted: true, start: open + 1, end: open + 1 }];
  }

  #escape(inQuotes: boolean): Piece[] {
    const start = this.at;
    const next = this.text.charAt(start + 1);
    this.at = Math.min(start + 2, this.text.length);
    if (inQuotes && !'$`"\\'.includes(next)) {
      return [{ kind: 'text', text: `\\${next}`, quoted: true, start, end: this.at }];
    }
    if (!inQuotes && /^\\[ \t]+\n/.test(this.text.slice(start, start + 200))) {
      this.problems.push({
        code: 'spaceAfterBackslash',
        message:
          'A blank follows this backslash, so the line does not go on: bash passes a word of one blank and ends the command here. Remove the blank.',
        start,
        end: start + 2,
      });
    }
    return [{ kind: 'text', text: next, quoted: true, start, end: this.at }];
  }

  #backquotes(quoted: boolean): Piece {
    const start = this.at;
    this.at += 1;
    while (this.at < this.text.length && this.text.charAt(this.at) !== '`') {
      this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    }
    if (this.at >= this.text.length) throw new SyntaxProblem('this ` is never closed', start);
    this.at += 1;
    return { kind: 'command', quoted, start, end: this.at };
  }

  #dollar(quoted: boolean): Piece[] {
    const start = this.at;
    const after = this.text.charAt(start + 1);
    if (after === "'" && !quoted) return [this.#ansiQuotes()];
    if (after === '"' && !quoted) {
      this.at += 1;
      return this.#doubleQuotes();
    }
    if (this.text.startsWith('$((', start)) return [this.#arithmetic(quoted)];
    if (after === '(') {
      this.at += 1;
      this.skipParentheses();
      return [{ kind: 'command', quoted, start, end: this.at }];
    }
    if (after === '{') return [this.#braces(quoted)];
    NAME.lastIndex = start + 1;
    const name = NAME.exec(this.text)?.[0] ?? (SPECIAL.test(after) ? after : '');
    this.at = start + 1 + name.length;
    if (name === '') return [{ kind: 'text', text: '$', quoted, start, end: this.at }];
    return [plainParameter(name, quoted, start, this.at)];
  }

  #ansiQuotes(): Piece {
    const start = this.at;
    let text = '';
    this.at += 2;
    for (;;) {
      const next = this.text.charAt(this.at);
      if (next === '') throw new SyntaxProblem("this $' is never closed", start);
      this.at += 1;
      if (next === "'") break;
      if (next !== '\\') {
        text += next;
        continue;
      }
      const escaped = this.text.charAt(this.at);
      this.at += 1;
      text += ANSI[escaped] ?? `\\${escaped}`;
    }
    return { kind: 'text', text, quoted: true, start, end: this.at };
  }

  #arithmetic(quoted: boolean): Piece {
    const start = this.at;
    this.at += 1;
    this.skipParentheses();
    const inner = new WordReader(this.text.slice(0, this.at - 2));
    inner.at = start + 3;
    if (this.text.charAt(this.at - 2) !== ')') return { kind: 'command', quoted, start, end: this.at };
    const expression = inner.#pieces(() => inner.peek() === '', true);
    return { kind: 'arithmetic', expression, quoted, start, end: this.at };
  }

  /** Past the `)` that closes the `(` at this place. */
  skipParentheses(): void {
    const open = this.at;
    let depth = 0;
    do {
      const next = this.text.charAt(this.at);
      if (next === '') throw new SyntaxProblem('this ( is never closed', open);
      if (next === '\\') this.at += 2;
      else if (next === "'") this.#singleQuotes();
      else if (next === '"') this.#doubleQuotes();
      else if (next === '`') this.#backquotes(false);
      else if (next === '#' && /[\s;(]/.test(this.text.charAt(this.at - 1))) this.skipComment();
      else {
        if (next === '(') depth += 1;
        if (next === ')') depth -= 1;
        this.at += 1;
      }
    } while (depth > 0);
  }

  #braces(quoted: boolean): Piece {
    const start = this.at;
    this.at += 2;
    const isIndirect = this.#take('!') && !this.text.startsWith('}', this.at);
    const isLength = this.text.charAt(this.at) === '#' && /[\w@*]/.test(this.text.charAt(this.at + 1));
    if (isLength) this.at += 1;
    const name = /^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])/.exec(this.text.slice(this.at, this.at + 200))?.[0];
    if (name === undefined) throw new SyntaxProblem('this ${ names no variable', start);
    this.at += name.length;
    let index: Word | null = null;
    if (this.#take('[')) {
      index = this.#pieces(() => this.peek() === ']' || this.peek() === '', true);
      if (!this.#take(']')) throw new SyntaxProblem('this [ is never closed', start);
    }
    const operator = /^(?::[-=+?]|[-=+?]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|@)/.exec(
      this.text.slice(this.at, this.at + 2),
    )?.[0];
    const operands: Word[] = [];
    if (operator !== undefined) {
      this.at += operator.length;
      const separator = operator.startsWith('/') ? '/' : operator === ':' ? ':' : '';
      operands.push(this.#operand(separator, quoted));
      if (separator !== '' && this.#take(separator)) operands.push(this.#operand('', quoted));
    }
    if (this.peek() !== '}') throw new SyntaxProblem('this ${ is never closed', start);
    this.at += 1;
    const shape = { isLength, isIndirect, operator: operator ?? '', operands, quoted };
    return { kind: 'parameter', name, index, ...shape, start, end: this.at };
  }

  #operand(separator: string, quoted: boolean): Word {
    const isEnd = (): boolean => {
      const next = this.peek();
      return next === '}' || next === '' || (separator !== '' && next === separator);
    };
    // Inside quotes, quotes of the operand protect nothing but are taken away.
    return this.#pieces(isEnd, quoted);
  }

  #take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }
}

const ANSI: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

function plainParameter(name: string, quoted: boolean, start: number, end: number): ParameterPiece {
  const shape = { index: null, isLength: false, isIndirect: false, operator: '', operands: [] };
  return { kind: 'parameter', name, ...shape, quoted, start, end };
}

/** Neighbouring letters as one piece. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (
      piece.kind === 'text' &&
      last?.kind === 'text' &&
      last.quoted === piece.quoted &&
      last.end === piece.start
    ) {
      result[result.length - 1] = { ...last, text: last.text + piece.text, end: piece.end };
    } else {
      result.push(piece);
    }
  }
  return result;
}
