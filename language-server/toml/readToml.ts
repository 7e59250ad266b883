import type { PyEntry, PyNode } from '../yaml/pyValue';
import { TomlProblem, TomlScanner } from './tomlScanner';

export interface TomlReading {
  /** What could be read; a mapping, partial where there is a problem. */
  readonly root: PyNode;
  /** The first thing that Python's tomllib refuses; null: nothing. UTF-16 offset. */
  readonly problem: { readonly message: string; readonly at: number } | null;
}

/** A table that is being filled. */
interface Table {
  readonly entries: Map<string, { readonly key: PyNode; readonly value: PyNode | Table | Table[] }>;
  /** `closed`: an inline table; `dotted`: made by dotted keys; `header`: named by a header; `implied`: above one. */
  state: 'implied' | 'header' | 'dotted' | 'closed';
  readonly start: number;
}

/** Reads TOML 1.0 as Python's tomllib does, with the place of every key and value. Never throws. */
export function readToml(text: string): TomlReading {
  const root: Table = { entries: new Map(), state: 'header', start: 0 };
  let problem: TomlReading['problem'] = null;
  try {
    readDocument(new TomlScanner(text), root);
  } catch (error) {
    if (error instanceof TomlProblem) problem = { message: error.message, at: error.at };
    else if (error instanceof RangeError) problem = { message: 'nested too deep to be read', at: 0 };
    else throw error;
  }
  return { root: toNode(root, text.length), problem };
}

function readDocument(scanner: TomlScanner, root: Table): void {
  let table = root;
  while (scanner.skipLines()) {
    if (scanner.peek() === '[') table = readHeader(scanner, root);
    else readPair(scanner, table);
    scanner.endLine();
  }
}

function readHeader(scanner: TomlScanner, root: Table): Table {
  const isArray = scanner.take('[[');
  if (!isArray) scanner.take('[');
  const keys = scanner.keyPath();
  if (!scanner.take(isArray ? ']]' : ']')) throw new TomlProblem('a header ends with ]', scanner.at);
  let table = root;
  keys.forEach((key, index) => {
    const name = nameOf(key);
    const found = table.entries.get(name)?.value;
    if (index < keys.length - 1) {
      table = step(table, key, found, 'implied');
      return;
    }
    if (isArray) {
      if (found !== undefined && !Array.isArray(found))
        throw new TomlProblem(`${name} is no list of tables`, key.start);
      const next: Table = { entries: new Map(), state: 'header', start: key.start };
      if (found) found.push(next);
      else table.entries.set(name, { key, value: [next] });
      table = next;
      return;
    }
    if (found === undefined) {
      const next: Table = { entries: new Map(), state: 'header', start: key.start };
      table.entries.set(name, { key, value: next });
      table = next;
    } else if (isTable(found) && found.state === 'implied') {
      found.state = 'header';
      table = found;
    } else {
      throw new TomlProblem(`the table ${name} is set twice`, key.start);
    }
  });
  return table;
}

/** Into the table below a key; made where there is none. */
function step(
  table: Table,
  key: PyNode,
  found: PyNode | Table | Table[] | undefined,
  state: Table['state'],
): Table {
  if (found === undefined) {
    const next: Table = { entries: new Map(), state, start: key.start };
    table.entries.set(nameOf(key), { key, value: next });
    return next;
  }
  const next = Array.isArray(found) && state === 'implied' ? found.at(-1) : found;
  if (!next || !isTable(next) || next.state === 'closed') {
    throw new TomlProblem(`${nameOf(key)} is no table that can be added to`, key.start);
  }
  if (state === 'dotted' && next.state !== 'dotted') {
    throw new TomlProblem(`the table ${nameOf(key)} is set twice`, key.start);
  }
  return next;
}

function readPair(scanner: TomlScanner, table: Table): void {
  const keys = scanner.keyPath();
  const last = keys.at(-1);
  if (!scanner.take('=')) throw new TomlProblem('a key is followed by =', scanner.at);
  scanner.skipBlanks();
  let target = table;
  for (const key of keys.slice(0, -1))
    target = step(target, key, target.entries.get(nameOf(key))?.value, 'dotted');
  if (!last) return;
  if (target.entries.has(nameOf(last)))
    throw new TomlProblem(`the key ${nameOf(last)} is set twice`, last.start);
  target.entries.set(nameOf(last), { key: last, value: readValue(scanner) });
}

function readValue(scanner: TomlScanner): PyNode | Table {
  const start = scanner.at;
  if (scanner.peek() === '[') {
    scanner.take('[');
    const items: PyNode[] = [];
    for (;;) {
      scanner.skipLines();
      if (scanner.take(']')) break;
      const value = readValue(scanner);
      items.push(isTable(value) ? toNode(value, scanner.at) : value);
      scanner.skipLines();
      if (scanner.take(',')) continue;
      if (scanner.take(']')) break;
      throw new TomlProblem('a list ends with ]', scanner.at);
    }
    return { value: { kind: 'list', items }, start, end: scanner.at };
  }
  if (scanner.peek() !== '{') return scanner.scalar();
  scanner.take('{');
  const table: Table = { entries: new Map(), state: 'header', start };
  scanner.skipBlanks();
  if (!scanner.take('}')) {
    do {
      scanner.skipBlanks();
      readPair(scanner, table);
      scanner.skipBlanks();
    } while (scanner.take(','));
    if (!scanner.take('}')) throw new TomlProblem('an inline table ends with } on the same line', scanner.at);
  }
  close(table);
  return table;
}

function close(table: Table): void {
  table.state = 'closed';
  for (const { value } of table.entries.values()) if (isTable(value)) close(value);
}

function isTable(value: PyNode | Table | Table[]): value is Table {
  return 'entries' in value && value.entries instanceof Map;
}

function nameOf(key: PyNode): string {
  return key.value.kind === 'str' ? key.value.value : '';
}

function toNode(table: Table, end: number): PyNode {
  const entries: PyEntry[] = [...table.entries.values()].map(({ key, value }) => {
    if (Array.isArray(value)) {
      const items = value.map((each) => toNode(each, key.end));
      return { key, value: { value: { kind: 'list', items }, start: key.start, end: key.end } };
    }
    return { key, value: isTable(value) ? toNode(value, key.end) : value };
  });
  return { value: { kind: 'dict', entries }, start: table.start, end: Math.max(end, table.start) };
}
