import type { Command } from './syntax';
import { UNKNOWN, UNSET, textOf } from './value';
import type { Field, Part, Variable } from './value';

/** Beginnings that a script can have: what it was called with, and the variables that are there. */
export interface Surroundings {
  /** Words after the script's name; null: not known. */
  readonly args: readonly string[] | null;
  /** All exported variables; null: not known. */
  readonly env: ReadonlyMap<string, string> | null;
  /** What `$0` gives; null: not known. */
  readonly name: string | null;
  /** Whether, where the words are not known, `$@` is to give nothing: the script as it is started without any. */
  readonly isBare: boolean;
}

/** What a shell holds at one moment, as far as it is known. */
export class ShellState {
  readonly variables: Map<string, Variable>;
  readonly functions: Map<string, Command>;
  readonly exported: Set<string>;
  /** Null: not known. */
  args: readonly Field[] | null;
  /** Whether variables that the script never set are known to be unset. */
  isClosed: boolean;
  /** Whether text is split at blanks as usual: nobody has set IFS. */
  splits = true;
  stopsOnError = false;
  stopsOnUnset = false;
  /** After that, even a default `${X:-v}` of a name that was never set says nothing. */
  hasForgotten = false;
  readonly name: string | null;
  readonly isBare: boolean;

  constructor(surroundings: Surroundings | ShellState) {
    if (surroundings instanceof ShellState) {
      this.variables = new Map(surroundings.variables);
      this.functions = new Map(surroundings.functions);
      this.exported = new Set(surroundings.exported);
      this.args = surroundings.args;
      this.isClosed = surroundings.isClosed;
      this.splits = surroundings.splits;
      this.stopsOnError = surroundings.stopsOnError;
      this.stopsOnUnset = surroundings.stopsOnUnset;
      this.hasForgotten = surroundings.hasForgotten;
      this.name = surroundings.name;
      this.isBare = surroundings.isBare;
      return;
    }
    const given = (text: string): Part => ({ text, isWritten: false, start: 0, end: 0 });
    this.variables = new Map(
      [...(surroundings.env ?? [])].map(([name, text]) => [name, { kind: 'text', parts: [given(text)] }]),
    );
    this.functions = new Map();
    this.exported = new Set();
    this.name = surroundings.name;
    this.isBare = surroundings.isBare;
    this.isClosed = surroundings.env !== null;
    this.args =
      surroundings.args?.map((text) => ({ parts: [given(text)], isOpen: false, start: 0, end: 0 })) ?? null;
  }

  get(name: string): Variable {
    return this.variables.get(name) ?? (this.isClosed ? UNSET : UNKNOWN);
  }

  /** Whether nothing in the script has ever set a name: its value, if any, comes from outside. */
  isUntouched(name: string): boolean {
    return !this.isClosed && !this.variables.has(name);
  }

  set(name: string, variable: Variable): void {
    this.variables.set(name, variable);
    if (name === 'IFS') this.splits = false;
  }

  /** Anything may have happened to every variable: a file was sourced, text was run. */
  forgetAll(): void {
    for (const name of this.variables.keys()) this.variables.set(name, UNKNOWN);
    this.hasForgotten = true;
    this.isClosed = false;
    this.args = null;
  }

  /** This state after one of several ways: what they agree on stays, the rest is unknown. */
  become(ways: readonly ShellState[]): void {
    const first = ways[0];
    if (!first) return;
    const names = new Set(ways.flatMap((way) => [...way.variables.keys()]));
    for (const name of names) {
      const variable = first.get(name);
      const agreed = ways.every((way) => isSame(way.get(name), variable));
      this.variables.set(name, agreed ? variable : UNKNOWN);
    }
    for (const way of ways) {
      for (const [name, body] of way.functions) this.functions.set(name, body);
      for (const name of way.exported) this.exported.add(name);
    }
    this.args = ways.every((way) => way.args === first.args) ? first.args : null;
    this.isClosed = ways.every((way) => way.isClosed);
    this.splits = ways.every((way) => way.splits);
    this.hasForgotten = ways.some((way) => way.hasForgotten);
    this.stopsOnError = ways.some((way) => way.stopsOnError);
    this.stopsOnUnset = ways.some((way) => way.stopsOnUnset);
  }
}

function isSame(a: Variable, b: Variable): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'text' && b.kind === 'text') {
    const text = textOf(a.parts);
    return text !== null && text === textOf(b.parts);
  }
  if (a.kind === 'array' && b.kind === 'array') {
    return (
      a.fields.length === b.fields.length &&
      a.fields.every((field, index) => {
        const other = b.fields[index];
        const text = textOf(field.parts);
        return text !== null && other !== undefined && text === textOf(other.parts);
      })
    );
  }
  return a.kind === 'unset';
}
