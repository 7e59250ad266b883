import type { TextEdit } from '../../finding';
import { Positions } from '../../text/positions';
import type { DuplicateKey, YamlProblem } from '../../yaml/construct';
import type { PyNode } from '../../yaml/pyValue';
import type { YamlReading } from '../../yaml/readYaml';

/** One top-level entry with a text key. */
export interface FileEntry {
  readonly name: string;
  readonly key: PyNode;
  readonly value: PyNode;
}

/** A TRL config as a table of its top-level keys, and the ways to change it. */
export class TrlFile {
  readonly positions: Positions;
  readonly entries: ReadonlyMap<string, FileEntry>;
  readonly root: PyNode;
  /** What PyYAML refuses first, if anything. */
  readonly problem: YamlProblem | null;
  readonly duplicates: readonly DuplicateKey[];
  readonly #text: string;

  constructor(text: string, reading: YamlReading) {
    this.#text = text;
    this.positions = new Positions(text);
    this.root = reading.root;
    this.problem = reading.problems[0] ?? null;
    this.duplicates = reading.duplicates;
    const entries = new Map<string, FileEntry>();
    if (reading.root.value.kind === 'dict') {
      for (const { key, value } of reading.root.value.entries) {
        if (key.value.kind === 'str') entries.set(key.value.value, { name: key.value.value, key, value });
      }
    }
    this.entries = entries;
  }

  slice(node: PyNode): string {
    return this.#text.slice(node.start, node.end);
  }

  replace(node: PyNode, newText: string): TextEdit {
    return { range: this.positions.range(node.start, node.end), newText };
  }

  /**
   * Sets a key to a plain value: in place where the file has it, else on a line of its own after `after`.
   * Undefined where neither can be done by one plain edit.
   */
  setKey(name: string, newText: string, after: readonly string[]): TextEdit | undefined {
    const entry = this.entries.get(name);
    if (entry) return this.#replaceValue(entry, newText);
    const anchor = after.map((key) => this.entries.get(key)).find((each) => each && this.#isPlainLine(each));
    if (!anchor) return undefined;
    const end = this.positions.lineEnd(anchor.value.end);
    const indent = ' '.repeat(this.positions.at(anchor.key.start).character);
    const newline = this.#text.includes('\r\n') ? '\r\n' : '\n';
    return { range: this.positions.range(end, end), newText: `${newline}${indent}${name}: ${newText}` };
  }

  /** Removes the lines of an entry; undefined where it shares them with something else. */
  removeKey(name: string): TextEdit | undefined {
    const entry = this.entries.get(name);
    if (!entry || !this.#isPlainLine(entry)) return undefined;
    const lineStart = entry.key.start - this.positions.at(entry.key.start).character;
    const lineEnd = this.positions.lineEnd(Math.max(entry.value.end, entry.key.end));
    const next = this.#text.startsWith('\r\n', lineEnd)
      ? lineEnd + 2
      : Math.min(lineEnd + 1, this.#text.length);
    return { range: this.positions.range(lineStart, next), newText: '' };
  }

  #replaceValue(entry: FileEntry, newText: string): TextEdit | undefined {
    if (entry.value.end > entry.value.start) return this.replace(entry.value, newText);
    const colon = /^["']?[ \t]*:/.exec(this.#text.slice(entry.key.end));
    if (!colon) return undefined;
    const at = entry.key.end + colon[0].length;
    return { range: this.positions.range(at, at), newText: ` ${newText}` };
  }

  /** A block entry on one line of its own, `key: value`, comment allowed. */
  #isPlainLine(entry: FileEntry): boolean {
    const start = this.positions.at(entry.key.start);
    const end = this.positions.at(Math.max(entry.value.end, entry.key.end));
    const before = this.#text.slice(entry.key.start - start.character, entry.key.start);
    const rest = this.#text.slice(
      Math.max(entry.value.end, entry.key.end),
      this.positions.lineEnd(entry.value.end),
    );
    return start.line === end.line && /^ *$/.test(before) && /^["']?\s*:?\s*(#.*)?$/.test(rest);
  }
}
