import type { PyNode, PyValue } from '../yaml/pyValue';

/** What tomllib refuses, and where. Never leaves `readToml`. */
export class TomlProblem extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;
const NUMBER =
  /(?:0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|b[01](?:_?[01])*|o[0-7](?:_?[0-7])*)|[+-]?(?:0|[1-9](?:_?[0-9])*)((?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?))/y;
const DATETIME =
  /(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6})\d*)?(?:([Zz])|([+-])([01]\d|2[0-3]):([0-5]\d))?)?/y;
const TIME = /([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6})\d*)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

/** Tokens of TOML at a moving place. */
export class TomlScanner {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string {
    return this.#text.charAt(this.at);
  }

  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  skipBlanks(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.at += 1;
  }

  /** Past blanks, comments and line ends; whether anything comes after. */
  skipLines(): boolean {
    for (;;) {
      this.skipBlanks();
      if (this.peek() === '#') this.#comment();
      if (!this.take('\n') && !this.take('\r\n')) return this.at < this.#text.length;
    }
  }

  /** The rest of a line must be blank or a comment. */
  endLine(): void {
    this.skipBlanks();
    if (this.peek() === '#') this.#comment();
    if (this.at < this.#text.length && !this.take('\n') && !this.take('\r\n')) {
      throw new TomlProblem('nothing but a comment may follow on this line', this.at);
    }
  }

  #comment(): void {
    while (this.at < this.#text.length && this.peek() !== '\n' && !this.#text.startsWith('\r\n', this.at)) {
      this.#refuseControl();
      this.at += 1;
    }
  }

  #refuseControl(): void {
    const code = this.#text.charCodeAt(this.at);
    if ((code < 32 && code !== 9) || code === 127)
      throw new TomlProblem('a control character stands here', this.at);
  }

  /** `a.b."c"` with blanks round the dots. */
  keyPath(): PyNode[] {
    const keys: PyNode[] = [];
    do {
      this.skipBlanks();
      keys.push(this.#key());
      this.skipBlanks();
    } while (this.take('.'));
    return keys;
  }

  #key(): PyNode {
    const start = this.at;
    const quote = this.peek();
    if (quote === '"' || quote === "'") {
      if (this.#text.startsWith(quote.repeat(3), start))
        throw new TomlProblem('a key stands on one line', start);
      const value = this.#string();
      return { value: { kind: 'str', value }, start, end: this.at };
    }
    BARE_KEY.lastIndex = start;
    const name = BARE_KEY.exec(this.#text)?.[0];
    if (name === undefined) throw new TomlProblem('a key stands here', start);
    this.at += name.length;
    return { value: { kind: 'str', value: name }, start, end: this.at };
  }

  /** A value that is no list and no table. */
  scalar(): PyNode {
    const start = this.at;
    const value = this.#scalarValue();
    return { value, start, end: this.at };
  }

  #scalarValue(): PyValue {
    const next = this.peek();
    if (next === '"' || next === "'") return { kind: 'str', value: this.#string() };
    if (this.take('true')) return { kind: 'bool', value: true };
    if (this.take('false')) return { kind: 'bool', value: false };
    const moment = this.#moment();
    if (moment) return moment;
    const number = this.#number();
    if (number) return number;
    const special = /^([+-]?)(inf|nan)/.exec(this.#text.slice(this.at, this.at + 4));
    if (!special) throw new TomlProblem('this is no value of TOML; text stands in quotes', this.at);
    this.at += special[0].length;
    if (special[2] === 'nan') return { kind: 'float', value: NaN };
    return { kind: 'float', value: special[1] === '-' ? -Infinity : Infinity };
  }

  #number(): PyValue | null {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.#text);
    if (!match) return null;
    this.at += match[0].length;
    const digits = match[0].replaceAll('_', '');
    if (match[1]) return { kind: 'float', value: Number(digits) };
    const isNegative = digits.startsWith('-');
    const magnitude = BigInt(digits.replace(/^[+-]/, ''));
    return { kind: 'int', value: isNegative ? -magnitude : magnitude };
  }

  #moment(): PyValue | null {
    DATETIME.lastIndex = this.at;
    const match = DATETIME.exec(this.#text);
    if (!match) return this.#time();
    const [whole, year = '', month = '', day = '', hour, minute = '', second = '', fraction, zulu, sign] =
      match;
    const date = `${year}-${month}-${day}`;
    const parsed = new Date(`${date}T00:00:00Z`);
    if (parsed.getUTCDate() !== Number(day) || Number(year) < 1)
      throw new TomlProblem('there is no such day', this.at);
    this.at += whole.length;
    if (hour === undefined) return { kind: 'date', value: date };
    const zone = zulu ? '+00:00' : sign ? `${sign}${match[10] ?? ''}:${match[11] ?? ''}` : '';
    return { kind: 'datetime', value: `${date}T${hour}:${minute}:${second}${micro(fraction)}${zone}` };
  }

  #time(): PyValue | null {
    TIME.lastIndex = this.at;
    const match = TIME.exec(this.#text);
    if (!match) return null;
    this.at += match[0].length;
    const [, hour = '', minute = '', second = '', fraction] = match;
    return { kind: 'time', value: `${hour}:${minute}:${second}${micro(fraction)}` };
  }

  #string(): string {
    const open = this.at;
    const quote = this.peek();
    const isLong = this.take(quote.repeat(3));
    if (!isLong) this.at += 1;
    else if (!this.take('\r\n')) this.take('\n');
    let text = '';
    for (;;) {
      const next = this.peek();
      if (next === '') throw new TomlProblem('this text is never closed', open);
      if (isLong && this.take(quote.repeat(3))) {
        // Up to two quotes may stand before the closing three.
        while (this.peek() === quote && this.at - open < this.#text.length && /["']/.test(quote)) {
          if (this.#extraQuotes(quote) >= 2) break;
          text += quote;
          this.at += 1;
        }
        return text;
      }
      if (!isLong && next === quote) {
        this.at += 1;
        return text;
      }
      if (next === '\n' || this.#text.startsWith('\r\n', this.at)) {
        if (!isLong) throw new TomlProblem('this text is not closed on its line', open);
        text += '\n';
        this.at += next === '\n' ? 1 : 2;
        continue;
      }
      if (next === '\\' && quote === '"') {
        text += this.#escape(isLong);
        continue;
      }
      this.#refuseControl();
      text += next;
      this.at += 1;
    }
  }

  /** Quotes already taken beyond the closing three. */
  #extraQuotes(quote: string): number {
    let count = 0;
    while (this.#text.charAt(this.at - 1 - count) === quote) count += 1;
    return count - 3;
  }

  #escape(isLong: boolean): string {
    const start = this.at;
    const code = this.#text.charAt(start + 1);
    const unicode = /^\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/.exec(this.#text.slice(start, start + 10));
    if (unicode) {
      const point = Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
        throw new TomlProblem('there is no such character', start);
      this.at += unicode[0].length;
      return String.fromCodePoint(point);
    }
    const plain = ESCAPES[code];
    if (plain !== undefined) {
      this.at += 2;
      return plain;
    }
    const fold = isLong ? /^\\[ \t]*\r?\n[ \t\r\n]*/.exec(this.#text.slice(start)) : null;
    if (!fold) throw new TomlProblem('there is no such escape', start);
    this.at += fold[0].length;
    return '';
  }
}

function micro(fraction: string | undefined): string {
  const digits = fraction?.padEnd(6, '0');
  return digits === undefined || Number(digits) === 0 ? '' : `.${digits}`;
}
