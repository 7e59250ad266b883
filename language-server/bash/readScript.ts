import { ArithmeticError } from './arithmetic';
import { Exit, Expander } from './expand';
import { literal, parseScript } from './parseScript';
import { ShellState } from './shellState';
import type { Surroundings } from './shellState';
import type { Assignment, Command, List, ListItem, ScriptProblem, SimpleCommand } from './syntax';
import { UNKNOWN, UNSET, openField, textOf } from './value';
import type { Field, Variable } from './value';

/** A command that the script starts. */
export interface ScriptCall {
  /** The program's name and its words. */
  readonly words: readonly Field[];
  /** Variables that it sees besides those that were there: text, or null where it is not known. */
  readonly env: ReadonlyMap<string, string | null>;
  /** False: only on some ways through the script, or more than once. */
  readonly isCertain: boolean;
  readonly start: number;
  readonly end: number;
}

export interface ScriptReading {
  readonly calls: readonly ScriptCall[];
  readonly problems: readonly ScriptProblem[];
}

const MOST_STEPS = 20_000;
const DEEPEST_CALL = 20;
const DECLARING: ReadonlySet<string> = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);
/** Commands that may change any variable. */
const UNFATHOMABLE: ReadonlySet<string> = new Set([
  'source',
  '.',
  'eval',
  'read',
  'mapfile',
  'readarray',
  'getopts',
]);

class Stop extends Error {}
class Return extends Error {}

/**
 * Reads what a bash script starts, without running it. Never throws and never guesses: what depends on anything but
 * the text is unknown. The one thing taken for granted is that a variable with a default (`${X:-8}`), which the script
 * never sets, is not set from outside.
 */
export function readScript(
  text: string,
  surroundings: Surroundings = { args: null, env: null, name: null, isBare: false },
): ScriptReading {
  const { list, problems } = parseScript(text.replaceAll('\\\r\n', ' \\\n').replaceAll('\r\n', ' \n'));
  const shell = new Shell(text, new ShellState(surroundings));
  shell.runTop(list);
  const carriage = text.indexOf('\r\n');
  const found: ScriptProblem[] = [...problems];
  if (carriage >= 0) {
    const message =
      'Lines of this script end with a carriage return; bash takes it for a part of the last word and the script fails. Save it with LF line ends.';
    found.push({ code: 'carriageReturn', message, start: carriage, end: carriage + 1 });
  }
  return { calls: shell.calls, problems: found };
}

class Shell {
  readonly calls: ScriptCall[] = [];
  readonly #script: string;
  #state: ShellState;
  #isCertain = true;
  #steps = 0;
  #depth = 0;

  constructor(script: string, state: ShellState) {
    this.#script = script;
    this.#state = state;
  }

  runTop(list: List): void {
    try {
      for (const item of list) this.#runTopItem(item);
    } catch (error) {
      if (!(error instanceof Exit || error instanceof Stop || error instanceof Return)) throw error;
    }
  }

  /** bash drops the command whose arithmetic it refuses, and goes on with the next line. */
  #runTopItem(item: ListItem): void {
    try {
      this.#runItem(item);
    } catch (error) {
      if (!(error instanceof ArithmeticError)) throw error;
      if (this.#state.stopsOnError) throw new Exit();
    }
  }

  #runList(list: List): void {
    for (const item of list) this.#runItem(item);
  }

  #runItem({ pipelines, isBackground }: ListItem): void {
    pipelines.forEach((pipeline, index) => {
      const run = (): void => {
        const [only] = pipeline;
        if (pipeline.length === 1 && only && !isBackground) this.#run(only);
        else for (const command of pipeline) this.#apart(() => this.#run(command));
      };
      if (index === 0) run();
      else this.#ways([run, () => undefined]);
    });
  }

  /** In a shell of its own: what it sets is gone afterwards. */
  #apart(run: () => void): void {
    const outer = this.#state;
    this.#state = new ShellState(outer);
    try {
      run();
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
    }
    this.#state = outer;
  }

  /** One of several ways, nobody knows which. */
  #ways(ways: readonly (() => void)[]): void {
    const before = this.#state;
    const wasCertain = this.#isCertain;
    this.#isCertain = false;
    const after: ShellState[] = [];
    for (const way of ways) {
      this.#state = new ShellState(before);
      try {
        way();
        after.push(this.#state);
      } catch (error) {
        // The script may end here; then the other ways tell what comes after.
        if (!(error instanceof Exit || error instanceof Return)) throw error;
      }
    }
    this.#state = before;
    this.#isCertain = wasCertain;
    if (after.length === 0) throw new Exit();
    before.become(after);
  }

  #run(command: Command): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new Stop();
    switch (command.kind) {
      case 'simple':
        this.#simple(command);
        return;
      case 'group':
        this.#runList(command.body);
        return;
      case 'subshell':
        this.#apart(() => this.#runList(command.body));
        return;
      case 'function':
        this.#state.functions.set(command.name, command.body);
        return;
      case 'branches':
        for (const test of command.tests.slice(0, 1)) this.#runList(test);
        this.#ways(
          command.branches.map((branch, index) => () => {
            const test = command.tests[index];
            if (index > 0 && test) this.#ways([() => this.#runList(test)]);
            this.#runList(branch);
          }),
        );
        return;
      case 'loop':
        this.#loop(command);
        return;
      case 'opaque':
        for (const [, name = ''] of command.text.matchAll(/([A-Za-z_]\w*)/g)) {
          if (/\+\+|--|[^=!<>]=[^=]/.test(command.text)) this.#state.set(name, UNKNOWN);
        }
    }
  }

  /** A loop's body runs any number of times: what it sets is unknown in it and after it. */
  #loop({ variable, test, body }: Extract<Command, { kind: 'loop' }>): void {
    const names = new Set<string>();
    collectNames([...test, ...body], this.#state, names, 0);
    if (variable !== null) names.add(variable);
    for (const name of names) this.#state.set(name, UNKNOWN);
    this.#ways([
      () => {
        this.#runList(test);
        this.#runList(body);
      },
      () => undefined,
    ]);
    for (const name of names) this.#state.set(name, UNKNOWN);
  }

  #simple(command: SimpleCommand): void {
    const expander = new Expander(this.#state, this.#script);
    const [first] = command.words;
    if (!first) {
      for (const assignment of command.assignments) this.#assign(assignment, expander);
      return;
    }
    const name = literal(first);
    if (DECLARING.has(name)) {
      this.#declare(name, command, expander);
      return;
    }
    const words = command.words.flatMap((word) => ('pieces' in word ? expander.fields(word) : []));
    const env = this.#callEnv(command.assignments, expander);
    const start = words[0]?.isOpen === false ? textOf(words[0].parts) : null;
    if (start !== null && this.#builtin(start, words)) return;
    const body = start === null ? undefined : this.#state.functions.get(start);
    if (body) this.#callFunction(body, words.slice(1));
    else if (words.length > 0) {
      const { start: from, end } = command;
      this.calls.push({ words, env, isCertain: this.#isCertain, start: from, end });
    }
  }

  #callEnv(assignments: readonly Assignment[], expander: Expander): Map<string, string | null> {
    const env = new Map<string, string | null>();
    for (const name of this.#state.exported) {
      const variable = this.#state.get(name);
      env.set(name, variable.kind === 'text' ? textOf(variable.parts) : null);
    }
    for (const { name, value } of assignments) {
      if ('pieces' in value) env.set(name, expander.text(value));
    }
    return env;
  }

  #declare(name: string, command: SimpleCommand, expander: Expander): void {
    for (const word of command.words.slice(1)) {
      if ('pieces' in word) {
        const text = expander.text(word);
        if (text !== null && name === 'export' && /^[A-Za-z_]\w*$/.test(text)) this.#state.exported.add(text);
        // `declare -A`, `-i`, `-n` change what an assignment means.
        if (text !== null && /^-\w*[Ainu]/.test(text)) {
          for (const each of command.words) if (!('pieces' in each)) this.#state.set(each.name, UNKNOWN);
          return;
        }
        continue;
      }
      this.#assign(word, expander);
      if (name === 'export') this.#state.exported.add(word.name);
    }
  }

  #assign({ name, index, appends, value }: Assignment, expander: Expander): void {
    const before = this.#state.get(name);
    this.#state.set(name, this.#assigned(before, index, appends, value, expander));
  }

  #assigned(
    before: Variable,
    index: string | null,
    appends: boolean,
    value: Assignment['value'],
    expander: Expander,
  ): Variable {
    if (index !== null) return UNKNOWN;
    if (!('pieces' in value)) {
      const fields: Field[] = value.flatMap((word) => expander.fields(word));
      if (value.some((word) => /^\[.*\]=/.test(this.#script.slice(word.start, word.end)))) return UNKNOWN;
      if (!appends || before.kind === 'unset') return { kind: 'array', fields };
      if (before.kind === 'array') return { kind: 'array', fields: [...before.fields, ...fields] };
      if (before.kind === 'unknown') {
        const [spot] = value;
        return spot ? { kind: 'array', fields: [openField(spot), ...fields] } : UNKNOWN;
      }
      return UNKNOWN;
    }
    const parts = expander.value(value);
    if (!appends || before.kind === 'unset') return { kind: 'text', parts };
    return before.kind === 'text' ? { kind: 'text', parts: [...before.parts, ...parts] } : UNKNOWN;
  }

  /** Commands of the shell itself; false for others. */
  #builtin(name: string, words: readonly Field[]): boolean {
    const texts = words.slice(1).map((word) => (word.isOpen ? null : textOf(word.parts)));
    switch (name) {
      case 'exec':
        if (words.length < 2) return true;
        this.calls.push({
          words: words.slice(1),
          env: this.#callEnv([], new Expander(this.#state, this.#script)),
          isCertain: this.#isCertain,
          start: words[0]?.start ?? 0,
          end: words.at(-1)?.end ?? 0,
        });
        throw new Exit();
      case 'exit':
        throw new Exit();
      case 'return':
        throw new Return();
      case 'set':
        this.#set(words, texts);
        return true;
      case 'shift': {
        const { args } = this.#state;
        const by = texts[0] === undefined ? 1 : Number(texts[0]);
        this.#state.args =
          args && Number.isInteger(by) && !args.some((each) => each.isOpen) ? args.slice(by) : null;
        return true;
      }
      case 'unset':
        for (const text of texts) {
          if (text === null) this.#state.forgetAll();
          else if (/^[A-Za-z_]\w*$/.test(text)) this.#state.set(text, UNSET);
        }
        return true;
      case 'let':
        for (const text of texts) {
          const target = /^\s*([A-Za-z_]\w*)/.exec(text ?? '')?.[1];
          if (target === undefined) this.#state.forgetAll();
          else this.#state.set(target, UNKNOWN);
        }
        return true;
      case 'printf':
        if (texts[0] === '-v' && texts[1] !== undefined && texts[1] !== null)
          this.#state.set(texts[1], UNKNOWN);
        return true;
      case 'trap':
      case ':':
      case 'true':
      case 'false':
      case 'cd':
      case 'echo':
      case 'test':
      case '[':
      case 'ulimit':
      case 'wait':
      case 'shopt':
        return true;
      default:
        if (!UNFATHOMABLE.has(name)) return false;
        // An environment's own script sets nothing that configs use.
        if (!(name !== 'eval' && texts.length > 0 && /(?:^|\/)activate$/.test(texts[0] ?? '')))
          this.#forget(name, texts);
        return true;
    }
  }

  #forget(name: string, texts: readonly (string | null)[]): void {
    const isNamed = name === 'read' || name === 'mapfile' || name === 'readarray' || name === 'getopts';
    if (!isNamed || texts.includes(null)) {
      this.#state.forgetAll();
      return;
    }
    for (const text of texts)
      if (text !== null && /^[A-Za-z_]\w*$/.test(text)) this.#state.set(text, UNKNOWN);
  }

  #set(words: readonly Field[], texts: readonly (string | null)[]): void {
    const dashes = texts.indexOf('--');
    const first = texts[0];
    if (dashes >= 0) {
      this.#state.args = words.slice(dashes + 2);
      return;
    }
    if (first === null || (first !== undefined && !/^[-+]/.test(first))) {
      this.#state.args = words.slice(1);
      return;
    }
    for (const text of texts) {
      if (text === null || !/^[-+]/.test(text)) continue;
      const isOn = text.startsWith('-');
      if (/^[-+][a-z]*e/.test(text)) this.#state.stopsOnError = isOn;
      if (/^[-+][a-z]*u/.test(text)) this.#state.stopsOnUnset = isOn;
    }
  }

  #callFunction(body: Command, args: readonly Field[]): void {
    if (this.#depth >= DEEPEST_CALL) throw new Stop();
    const outer = this.#state.args;
    this.#state.args = args;
    this.#depth += 1;
    try {
      this.#run(body);
    } catch (error) {
      if (!(error instanceof Return)) throw error;
    }
    this.#depth -= 1;
    this.#state.args = outer;
  }
}

/** Names that commands may set, functions that they call included. */
function collectNames(list: List, state: ShellState, names: Set<string>, depth: number): void {
  if (depth > DEEPEST_CALL) return;
  const visit = (command: Command): void => {
    switch (command.kind) {
      case 'simple': {
        for (const each of command.assignments) names.add(each.name);
        for (const word of command.words) if (!('pieces' in word)) names.add(word.name);
        const called = literal(command.words[0]);
        if (UNFATHOMABLE.has(called)) for (const name of state.variables.keys()) names.add(name);
        if (['unset', 'let', 'printf'].includes(called)) {
          for (const word of command.words.slice(1))
            names.add(/^[A-Za-z_]\w*/.exec(literal(word))?.[0] ?? '');
        }
        const body = state.functions.get(called);
        if (body) collectNames([{ pipelines: [[body]], isBackground: false }], state, names, depth + 1);
        for (const word of command.words) collectDefaults(word, names);
        return;
      }
      case 'group':
      case 'subshell':
        collectNames(command.body, state, names, depth + 1);
        return;
      case 'function':
        visit(command.body);
        return;
      case 'branches':
        for (const each of [...command.tests, ...command.branches])
          collectNames(each, state, names, depth + 1);
        return;
      case 'loop':
        if (command.variable !== null) names.add(command.variable);
        collectNames([...command.test, ...command.body], state, names, depth + 1);
        return;
      case 'opaque':
        for (const [, name = ''] of command.text.matchAll(/([A-Za-z_]\w*)/g)) names.add(name);
    }
  };
  for (const { pipelines } of list) for (const pipeline of pipelines) pipeline.forEach(visit);
}

/** `${X:=v}` sets a variable, too. */
function collectDefaults(word: SimpleCommand['words'][number], names: Set<string>): void {
  if (!('pieces' in word)) return;
  for (const piece of word.pieces) {
    if (piece.kind === 'parameter' && piece.operator.endsWith('=')) names.add(piece.name);
  }
}
