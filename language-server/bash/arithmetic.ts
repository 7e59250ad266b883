/** bash's arithmetic: 64-bit whole numbers, C's operators. */

/** What a name stands for: text to be computed in its turn; null: not known. */
export type Lookup = (name: string) => string | null;

/** bash refuses the expression: it drops the command. */
export class ArithmeticError extends Error {}

const TOKEN =
  /\s*(?:(0[xX][0-9a-fA-F]+|\d+#[0-9a-zA-Z]+|\d+)(?![\w.])|([A-Za-z_]\w*)|(\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^!~?:()]))/y;
const BINARY: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const DEEPEST = 40;

/** A number, or null where a name that it needs is not known. Throws {@link ArithmeticError} where bash complains. */
export function compute(expression: string, lookup: Lookup, depth = 0): bigint | null {
  if (depth > DEEPEST) throw new ArithmeticError('too deep');
  // Assignments change variables: too much for a reader that runs nothing.
  if (/\+\+|--|(?<![=!<>])=(?!=)|,|\[/.test(expression)) return null;
  const tokens = tokenize(expression);
  if (tokens.length === 0) return 0n;
  const computation = new Computation(tokens, lookup, depth);
  const value = computation.ternary();
  if (!computation.isDone()) throw new ArithmeticError('syntax error');
  return value;
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (expression.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(expression);
    if (!match) throw new ArithmeticError('syntax error');
    tokens.push(match[0].trim());
    at = TOKEN.lastIndex;
  }
  return tokens;
}

class Computation {
  #at = 0;
  readonly #tokens: readonly string[];
  readonly #lookup: Lookup;
  readonly #depth: number;

  constructor(tokens: readonly string[], lookup: Lookup, depth: number) {
    this.#tokens = tokens;
    this.#lookup = lookup;
    this.#depth = depth;
  }

  isDone(): boolean {
    return this.#at >= this.#tokens.length;
  }

  ternary(): bigint | null {
    const test = this.#binary(0);
    if (!this.#take('?')) return test;
    const yes = this.ternary();
    if (!this.#take(':')) throw new ArithmeticError(': is missing');
    const no = this.ternary();
    if (test === null) return null;
    return test !== 0n ? yes : no;
  }

  #binary(level: number): bigint | null {
    const operators = BINARY[level];
    if (!operators) return this.#power();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((each) => this.#take(each));
      if (operator === undefined) return left;
      const right = this.#binary(level + 1);
      left = left === null || right === null ? null : apply(operator, left, right);
    }
  }

  #power(): bigint | null {
    const base = this.#unary();
    if (!this.#take('**')) return base;
    const exponent = this.#power();
    if (base === null || exponent === null) return null;
    if (exponent < 0n) throw new ArithmeticError('exponent less than 0');
    if (exponent > 63n && base !== 0n && base !== 1n && base !== -1n) return null;
    return BigInt.asIntN(64, base ** exponent);
  }

  #unary(): bigint | null {
    if (this.#take('+')) return this.#unary();
    const operator = ['-', '!', '~'].find((each) => this.#take(each));
    if (operator !== undefined) {
      const value = this.#unary();
      if (value === null) return null;
      if (operator === '-') return BigInt.asIntN(64, -value);
      return operator === '~' ? ~value : value === 0n ? 1n : 0n;
    }
    if (this.#take('(')) {
      const value = this.ternary();
      if (!this.#take(')')) throw new ArithmeticError(') is missing');
      return value;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new ArithmeticError('operand expected');
    this.#at += 1;
    if (/^\d/.test(token)) return parseNumber(token);
    if (!/^[A-Za-z_]/.test(token)) throw new ArithmeticError('operand expected');
    const text = this.#lookup(token);
    return text === null ? null : compute(text, this.#lookup, this.#depth + 1);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

function parseNumber(token: string): bigint | null {
  if (/^0[xX]/.test(token)) return BigInt(token);
  if (token.includes('#')) return null;
  if (!/^0\d/.test(token)) return BigInt.asIntN(64, BigInt(token));
  if (/[89]/.test(token)) throw new ArithmeticError('value too great for base');
  return BigInt(`0o${token.slice(1)}`);
}

function apply(operator: string, left: bigint, right: bigint): bigint {
  if ((operator === '/' || operator === '%') && right === 0n) throw new ArithmeticError('division by 0');
  return BigInt.asIntN(64, OPERATIONS[operator]?.(left, right) ?? 0n);
}

const truth = (value: boolean): bigint => (value ? 1n : 0n);
const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<<': (a, b) => a << (b & 63n),
  '>>': (a, b) => a >> (b & 63n),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<': (a, b) => truth(a < b),
  '>': (a, b) => truth(a > b),
  '<=': (a, b) => truth(a <= b),
  '>=': (a, b) => truth(a >= b),
  '==': (a, b) => truth(a === b),
  '!=': (a, b) => truth(a !== b),
  '&&': (a, b) => truth(a !== 0n && b !== 0n),
  '||': (a, b) => truth(a !== 0n || b !== 0n),
};
