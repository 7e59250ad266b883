import { SyntaxProblem } from './syntax';
import type {
  Assignment,
  Command,
  List,
  ListItem,
  Pipeline,
  ScriptProblem,
  SimpleCommand,
  Word,
} from './syntax';
import { WordReader } from './wordReader';

const DECLARING: ReadonlySet<string> = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);
const CLOSING: ReadonlySet<string> = new Set(['then', 'do', 'done', 'fi', 'else', 'elif', 'esac', '}']);
const DEEPEST = 60;

interface Parsed {
  readonly list: List;
  readonly problems: readonly ScriptProblem[];
}

/** The commands of a script. What cannot be parsed ends it: everything before is kept, the rest is a problem. */
export function parseScript(text: string): Parsed {
  const parser = new Parser(text);
  const list: ListItem[] = [];
  try {
    for (let item = parser.item(); item; item = parser.item()) list.push(item);
    if (!parser.isAtEnd()) throw new SyntaxProblem('this word has no beginning that it could end', parser.at);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const problem = { code: 'syntax' as const, message: `bash cannot read on from here: ${error.message}.` };
    return { list, problems: [...parser.problems, { ...problem, start: error.at, end: error.at + 1 }] };
  }
  return { list, problems: parser.problems };
}

class Parser {
  readonly #reader: WordReader;
  readonly #heredocs: { readonly end: string; readonly indented: boolean }[] = [];
  #depth = 0;

  constructor(text: string) {
    this.#reader = new WordReader(text);
  }

  get problems(): readonly ScriptProblem[] {
    return this.#reader.problems;
  }

  get at(): number {
    return this.#reader.at;
  }

  isAtEnd(): boolean {
    this.#skipLines();
    return this.#reader.peek() === '';
  }

  /** The next item of a list; null where the list ends. */
  item(): ListItem | null {
    this.#skipLines();
    if (this.#isListEnd()) return null;
    const pipelines = [this.#pipeline()];
    for (;;) {
      this.#reader.skipBlanks();
      const two = this.#two();
      if (two !== '&&' && two !== '||') break;
      this.#reader.at += 2;
      this.#skipLines();
      pipelines.push(this.#pipeline());
    }
    const next = this.#reader.peek();
    const isBackground = next === '&';
    if (next === '&' || (next === ';' && this.#two() !== ';;')) this.#reader.at += 1;
    return { pipelines, isBackground };
  }

  #two(): string {
    this.#reader.peek();
    return this.#reader.text.slice(this.#reader.at, this.#reader.at + 2);
  }

  #isListEnd(): boolean {
    const next = this.#reader.peek();
    return next === '' || next === ')' || this.#two() === ';;' || CLOSING.has(this.#keyword());
  }

  /** Line ends, `;`, blanks and comments before a command; the texts of here-documents. */
  #skipLines(): void {
    for (;;) {
      this.#reader.skipBlanks();
      const next = this.#reader.peek();
      if (next === '#') this.#reader.skipComment();
      else if (next === '\n') this.#newline();
      else if (next === ';' && this.#two() !== ';;') this.#reader.at += 1;
      else return;
    }
  }

  #newline(): void {
    const { text } = this.#reader;
    this.#reader.at += 1;
    for (const { end, indented } of this.#heredocs.splice(0)) {
      for (;;) {
        if (this.#reader.at >= text.length) return;
        const stop = text.indexOf('\n', this.#reader.at);
        const line = text.slice(this.#reader.at, stop < 0 ? text.length : stop);
        this.#reader.at = stop < 0 ? text.length : stop + 1;
        if ((indented ? line.replace(/^\t+/, '') : line) === end) break;
      }
    }
  }

  #pipeline(): Pipeline {
    const commands: Command[] = [];
    this.#reader.skipBlanks();
    while (this.#keyword() === '!' || this.#keyword() === 'time') {
      this.#reader.word();
      this.#reader.skipBlanks();
    }
    for (;;) {
      commands.push(this.#command());
      this.#reader.skipBlanks();
      if (this.#reader.peek() !== '|' || this.#two() === '||') return commands;
      this.#reader.at += this.#two() === '|&' ? 2 : 1;
      this.#skipLines();
    }
  }

  /** The unquoted word at this place, without reading it. */
  #keyword(): string {
    this.#reader.peek();
    const { text, at } = this.#reader;
    return /^(?:[A-Za-z_]\w*|[{}!]|\[\[)(?=[\s;&|()<>]|$)/.exec(text.slice(at, at + 60))?.[0] ?? '';
  }

  #command(): Command {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new SyntaxProblem('nested too deep to be read', this.at);
    const command = this.#anyCommand();
    this.#redirections();
    this.#depth -= 1;
    return command;
  }

  #anyCommand(): Command {
    const start = this.at;
    const spot = (): { start: number; end: number } => ({ start, end: this.at });
    if (this.#two() === '((') return this.#opaqueParentheses(start);
    if (this.#reader.peek() === '(') {
      this.#reader.at += 1;
      const body = this.#list();
      this.#expect(')');
      return { kind: 'subshell', body, ...spot() };
    }
    switch (this.#keyword()) {
      case '{': {
        this.#reader.at += 1;
        const body = this.#list();
        this.#expectWord('}');
        return { kind: 'group', body, ...spot() };
      }
      case 'if':
        return this.#if(start);
      case 'while':
      case 'until': {
        this.#reader.word();
        const test = this.#list();
        return { kind: 'loop', variable: null, test, body: this.#doBody(), ...spot() };
      }
      case 'for':
      case 'select':
        return this.#for(start);
      case 'case':
        return this.#case(start);
      case 'function': {
        this.#reader.word();
        this.#reader.skipBlanks();
        return this.#function(start, literal(this.#reader.word()));
      }
      case '[[':
        return this.#opaqueTest(start);
      default:
        return this.#simpleOrFunction(start);
    }
  }

  #opaqueParentheses(start: number): Command {
    this.#reader.skipParentheses();
    return { kind: 'opaque', text: this.#reader.text.slice(start, this.at), start, end: this.at };
  }

  #opaqueTest(start: number): Command {
    const close = /\s\]\](?=[\s;&|)]|$)/g;
    close.lastIndex = this.at;
    const match = close.exec(this.#reader.text);
    if (!match) throw new SyntaxProblem('this [[ is never closed', start);
    this.#reader.at = match.index + match[0].length;
    return { kind: 'opaque', text: '', start, end: this.at };
  }

  #if(start: number): Command {
    const tests: List[] = [];
    const branches: List[] = [];
    do {
      this.#reader.word();
      tests.push(this.#list());
      this.#expectWord('then');
      branches.push(this.#list());
    } while (this.#keyword() === 'elif');
    if (this.#keyword() === 'else') {
      this.#reader.word();
      branches.push(this.#list());
    } else {
      branches.push([]);
    }
    this.#expectWord('fi');
    return { kind: 'branches', tests, branches, start, end: this.at };
  }

  #for(start: number): Command {
    this.#reader.word();
    this.#reader.skipBlanks();
    let variable: string | null = null;
    if (this.#two() === '((') {
      this.#reader.skipParentheses();
      const text = this.#reader.text.slice(start, this.at);
      variable = /\(\(\s*([A-Za-z_]\w*)/.exec(text)?.[1] ?? null;
    } else {
      variable = literal(this.#reader.word());
      this.#skipLines();
      if (this.#keyword() === 'in') {
        this.#reader.word();
        this.#reader.skipBlanks();
        while (!this.#reader.isWordEnd()) {
          this.#reader.word();
          this.#reader.skipBlanks();
        }
      }
    }
    return { kind: 'loop', variable, test: [], body: this.#doBody(), start, end: this.at };
  }

  #doBody(): List {
    this.#skipLines();
    this.#expectWord('do');
    const body = this.#list();
    this.#expectWord('done');
    return body;
  }

  #case(start: number): Command {
    this.#reader.word();
    this.#reader.skipBlanks();
    this.#reader.word();
    this.#skipLines();
    this.#expectWord('in');
    const branches: List[] = [[]];
    for (;;) {
      this.#skipLines();
      if (this.#keyword() === 'esac') break;
      const close = this.#reader.text.indexOf(')', this.at);
      if (close < 0) throw new SyntaxProblem('this case has no esac', start);
      this.#reader.at = close + 1;
      branches.push(this.#list());
      if (this.#two() === ';;')
        this.#reader.at += /^;;&/.test(this.#reader.text.slice(this.at, this.at + 3)) ? 3 : 2;
    }
    this.#expectWord('esac');
    return { kind: 'branches', tests: [], branches, start, end: this.at };
  }

  #function(start: number, name: string): Command {
    this.#reader.skipBlanks();
    if (this.#two() === '()') this.#reader.at += 2;
    this.#skipLines();
    return { kind: 'function', name, body: this.#command(), start, end: this.at };
  }

  #simpleOrFunction(start: number): Command {
    const definition = /^[A-Za-z_][\w-]*[ \t]*\([ \t]*\)/.exec(this.#reader.text.slice(start, start + 200));
    if (definition) {
      this.#reader.at += definition[0].length;
      return this.#function(start, definition[0].replace(/[\s()]/g, ''));
    }
    return this.#simple(start);
  }

  #simple(start: number): SimpleCommand {
    const assignments: Assignment[] = [];
    const words: (Word | Assignment)[] = [];
    let end = start;
    for (;;) {
      this.#reader.skipBlanks();
      const next = this.#reader.peek();
      if (next === '#') {
        this.#comment(words.length + assignments.length > 0);
        break;
      }
      if (this.#two() === '<(' || this.#two() === '>(') {
        words.push(this.#processSubstitution());
        continue;
      }
      if (this.#redirection()) continue;
      if (this.#reader.isWordEnd()) break;
      const declares = words.length > 0 && DECLARING.has(literal(words[0]));
      const assignment = words.length === 0 || declares ? this.#reader.assignment() : null;
      if (assignment && words.length === 0) assignments.push(assignment);
      else words.push(assignment ?? this.#reader.word());
      end = this.at;
    }
    if (this.#reader.peek() === '(') throw new SyntaxProblem('a ( cannot stand here', this.at);
    return { kind: 'simple', assignments, words, start, end };
  }

  #processSubstitution(): Word {
    const start = this.at;
    this.#reader.at += 1;
    this.#reader.skipParentheses();
    return { pieces: [{ kind: 'command', quoted: true, start, end: this.at }], start, end: this.at };
  }

  /** A comment ends the command, even where the line before it went on with a backslash. */
  #comment(hasWords: boolean): void {
    const start = this.at;
    const { text } = this.#reader;
    const goesOn = /\\\n[ \t]*$/.test(text.slice(Math.max(0, start - 200), start));
    this.#reader.skipComment();
    const following = text.slice(this.at + 1, this.at + 400).split('\n', 1)[0] ?? '';
    if (!hasWords || !goesOn || following.trim() === '' || this.at >= text.length) return;
    const message =
      'This comment ends the command: bash drops the backslash before it, and the lines after it are no arguments. ' +
      'Move the comment above the command.';
    this.#reader.problems.push({ code: 'commentInContinuation', message, start, end: this.at });
  }

  #redirections(): void {
    for (;;) {
      this.#reader.skipBlanks();
      if (!this.#redirection()) return;
    }
  }

  #redirection(): boolean {
    this.#reader.peek();
    const { text, at } = this.#reader;
    const match = /^(?:\d+|\{\w+\})?(?:<<<|<<-?|<>|>>|>&|<&|>\||<|>)|^&>>?/.exec(text.slice(at, at + 60));
    if (!match) return false;
    this.#reader.at += match[0].length;
    this.#reader.skipBlanks();
    const target = this.#reader.word();
    if (/<<-?$/.test(match[0]) && !match[0].endsWith('<<<')) {
      this.#heredocs.push({ end: literal(target), indented: match[0].endsWith('-') });
    }
    return true;
  }

  #list(): List {
    const list: ListItem[] = [];
    for (let item = this.item(); item; item = this.item()) list.push(item);
    return list;
  }

  #expect(text: string): void {
    if (!this.#reader.text.startsWith(text, this.at)) throw new SyntaxProblem(`${text} is missing`, this.at);
    this.#reader.at += text.length;
  }

  #expectWord(word: string): void {
    this.#skipLines();
    if (this.#keyword() !== word) throw new SyntaxProblem(`${word} is missing`, this.at);
    this.#expect(word);
  }
}

/** A word of plain text; empty where something in it is expanded. */
export function literal(word: Word | Assignment | undefined): string {
  if (!word || !('pieces' in word)) return '';
  return word.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '\u0000')).join('');
}
