import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Alias, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { keyIdentity } from './keyIdentity';
import type { PyEntry, PyNode } from './pyValue';
import { constructScalar, resolvePlain } from './scalars';
import type { ScalarTag, YamlFlavour } from './scalars';

/** Why `yaml.safe_load` refuses a text, and where: UTF-16 offsets, end exclusive. */
export interface YamlProblem {
  readonly phase: 'reader' | 'scanner' | 'parser' | 'composer' | 'constructor';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A key that the same mapping sets again further down: PyYAML keeps the last value without a word. */
export interface DuplicateKey {
  readonly earlier: PyNode;
  readonly later: PyNode;
}

interface RawEntry {
  readonly key: PyNode;
  readonly value: PyNode;
  readonly merged: boolean;
  /** The key as it is written, where it is a scalar. */
  readonly written: string | null;
}

const CORE = 'tag:yaml.org,2002:';
const SCALAR_TAGS: ReadonlySet<string> = new Set(['null', 'bool', 'int', 'float', 'timestamp', 'str']);
type YamlNode = Alias | Scalar | YAMLMap | YAMLSeq;

const MAX_DEPTH = 200;

/**
 * Turns npm yaml's tree (failsafe schema) into the values that PyYAML's SafeConstructor builds, merge keys included.
 * Never throws: what PyYAML would raise becomes a problem and the value null.
 */
export class Constructor {
  readonly problems: YamlProblem[] = [];
  readonly duplicates: DuplicateKey[] = [];
  /** Stretches of quoted and block text. */
  readonly literals: { readonly start: number; readonly end: number }[] = [];
  /** Where flow collections start, the inner ones too. */
  readonly flowStarts: number[] = [];
  readonly #anchors = new Map<string, YamlNode>();
  readonly #built = new Map<YamlNode, PyNode>();
  readonly #flavour: YamlFlavour;
  #depth = 0;

  constructor(flavour: YamlFlavour = 'pyyaml') {
    this.#flavour = flavour;
  }

  build(node: YamlNode | null, at: number): PyNode {
    if (!node) return { value: { kind: 'null' }, start: at, end: at };
    const [start, end] = rangeOf(node, at);
    if (isAlias(node)) return this.#alias(node.source, start, end);
    if (node.anchor !== undefined) this.#registerAnchor(node.anchor, node, start, end);
    const known = this.#built.get(node);
    if (known) return known;
    if (this.#depth >= MAX_DEPTH) {
      return this.#refuse('constructor', `nested more than ${MAX_DEPTH} levels deep`, start, end);
    }
    this.#depth += 1;
    const built = this.#buildNew(node, start, end);
    this.#depth -= 1;
    this.#built.set(node, built);
    return built;
  }

  #buildNew(node: Scalar | YAMLSeq | YAMLMap, start: number, end: number): PyNode {
    if (isScalar(node)) return this.#scalar(node, start, end);
    if (node.flow === true) this.flowStarts.push(start);
    if (isSeq(node)) return this.#sequence(node, start, end);
    return this.#mapping(node, start, end);
  }

  #alias(name: string, start: number, end: number): PyNode {
    if (!isPlainName(name)) {
      return this.#refuse('scanner', 'an alias name may hold only letters, digits, - and _', start, end);
    }
    const target = this.#anchors.get(name);
    if (!target) {
      return this.#refuse('composer', `the alias *${name} has no anchor &${name} before it`, start, end);
    }
    const built = this.#built.get(target);
    // An alias inside the node it names: legal for Python, but a config cannot use it.
    if (!built)
      return this.#refuse('constructor', `the alias *${name} points to a node that contains it`, start, end);
    return { value: built.value, start, end };
  }

  #registerAnchor(name: string, node: YamlNode, start: number, end: number): void {
    if (!isPlainName(name)) {
      this.#refuse('scanner', 'an anchor name may hold only letters, digits, - and _', start, end);
    } else if (this.#anchors.has(name) && this.#anchors.get(name) !== node) {
      this.#refuse('composer', `the anchor &${name} is set twice`, start, end);
    }
    this.#anchors.set(name, node);
  }

  #scalar(node: Scalar, start: number, end: number): PyNode {
    const text = typeof node.value === 'string' ? node.value : '';
    if (node.type !== 'PLAIN') this.literals.push({ start, end });
    const tag = scalarTag(node, text, this.#flavour);
    if (tag === 'binary') return { value: { kind: 'bytes', value: base64ToHex(text) }, start, end };
    if (tag === undefined) {
      return this.#refuse(
        'constructor',
        `yaml.safe_load cannot build the tag ${node.tag ?? text}`,
        start,
        end,
      );
    }
    const value = constructScalar(tag, text);
    if (!value) return this.#refuse('constructor', refusalOf(tag), start, end);
    if (this.#flavour === 'omegaconf' && tag === 'timestamp') {
      return this.#refuse('constructor', 'OmegaConf has no dates; put it in quotes', start, end);
    }
    return { value, start, end };
  }

  #sequence(node: YAMLSeq, start: number, end: number): PyNode {
    const tag = shortTag(node.tag) ?? 'seq';
    if (tag === 'omap' || tag === 'pairs') {
      const items = node.items.map((item) => this.#pairTuple(item, start));
      return { value: { kind: 'list', items }, start, end };
    }
    const items = node.items.map((item) => this.build(asNode(item), start));
    if (tag !== 'seq')
      return this.#refuse('constructor', `yaml.safe_load cannot build the tag ${tag}`, start, end);
    return { value: { kind: 'list', items }, start, end };
  }

  #pairTuple(item: unknown, at: number): PyNode {
    const node = asNode(item);
    const [start, end] = rangeOf(node, at);
    const only = isMap(node) && node.items.length === 1 ? node.items[0] : undefined;
    if (!only)
      return this.#refuse('constructor', 'each item here must be one key with one value', start, end);
    const key = this.build(asNode(only.key), start);
    const value = this.build(asNode(only.value), key.end);
    return {
      value: { kind: this.#flavour === 'omegaconf' ? 'list' : 'tuple', items: [key, value] },
      start,
      end,
    };
  }

  #mapping(node: YAMLMap, start: number, end: number): PyNode {
    const tag = shortTag(node.tag) ?? 'map';
    const own: RawEntry[] = [];
    const merged: RawEntry[] = [];
    for (const item of node.items) {
      if (!isPair(item)) continue;
      const keyNode = asNode(item.key);
      if (isMergeKey(keyNode)) merged.push(...this.#merge(item, start));
      else own.push(this.#entry(item, start));
    }
    if (tag === 'set') {
      return { value: { kind: 'set', items: this.#unique(own).map((entry) => entry.key) }, start, end };
    }
    if (tag !== 'map')
      return this.#refuse('constructor', `yaml.safe_load cannot build the tag ${tag}`, start, end);
    return { value: { kind: 'dict', entries: this.#unique([...merged, ...own]) }, start, end };
  }

  #entry(pair: Pair, at: number): RawEntry {
    const keyNode = asNode(pair.key);
    let key = this.build(keyNode, at);
    // As a key, the YAML 1.1 value tag "=" is ordinary text.
    if (isScalar(keyNode) && keyNode.value === '=' && this.problems.at(-1)?.start === key.start) {
      this.problems.pop();
      key = { ...key, value: { kind: 'str', value: '=' } };
    }
    return {
      key,
      value: this.build(asNode(pair.value), key.end),
      merged: false,
      written: writtenOf(keyNode),
    };
  }

  #merge(pair: Pair, at: number): RawEntry[] {
    const source = this.build(asNode(pair.value), at);
    const sources = source.value.kind === 'list' ? [...source.value.items].reverse() : [source];
    return sources.flatMap((each) => {
      if (each.value.kind !== 'dict') {
        this.#refuse(
          'constructor',
          'a merge key << takes a mapping or a list of mappings',
          each.start,
          each.end,
        );
        return [];
      }
      return each.value.entries.map((entry) => ({ ...entry, merged: true, written: null }));
    });
  }

  #unique(entries: readonly RawEntry[]): PyEntry[] {
    const found = new Map<string, RawEntry>();
    for (const entry of entries) {
      const identity = keyIdentity(entry.key.value);
      if (identity === undefined) {
        this.#refuse('constructor', 'a list or mapping cannot be a key', entry.key.start, entry.key.end);
        continue;
      }
      const earlier = found.get(identity);
      if (earlier && !earlier.merged) this.duplicates.push({ earlier: earlier.key, later: entry.key });
      if (earlier?.merged === false && this.#flavour === 'omegaconf' && earlier.written === entry.written) {
        this.#refuse(
          'constructor',
          'this key is set twice; OmegaConf refuses that',
          entry.key.start,
          entry.key.end,
        );
      }
      // Python keeps the first key object and its place, and takes the last value.
      const key = earlier ? { ...entry.key, value: earlier.key.value } : entry.key;
      found.set(identity, { ...entry, key });
    }
    return [...found.values()].map(({ key, value }) => ({ key, value }));
  }

  #refuse(phase: YamlProblem['phase'], message: string, start: number, end: number): PyNode {
    this.problems.push({ phase, message, start, end: Math.max(end, start) });
    return { value: { kind: 'null' }, start, end };
  }
}

/** The node behind what npm yaml types as unknown; null where there is none. */
export function asNode(value: unknown): YamlNode | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}

/** OmegaConf compares keys as they are written: `on` and `true` are two to it. */
function writtenOf(node: YamlNode | null): string | null {
  return isScalar(node) && typeof node.value === 'string' ? node.value : null;
}

function rangeOf(node: YamlNode | null, at: number): [number, number] {
  return node?.range ? [node.range[0], node.range[1]] : [at, at];
}

function isPlainName(name: string): boolean {
  return /^[0-9A-Za-z_-]+$/.test(name);
}

function isMergeKey(node: YamlNode | null): boolean {
  if (!isScalar(node)) return false;
  if (node.tag === `${CORE}merge`) return true;
  return node.tag === undefined && node.type === 'PLAIN' && node.value === '<<';
}

function shortTag(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === '!') return undefined;
  return tag.startsWith(CORE) ? tag.slice(CORE.length) : tag;
}

function scalarTag(node: Scalar, text: string, flavour: YamlFlavour): ScalarTag | 'binary' | undefined {
  const tag = shortTag(node.tag);
  if (tag === 'binary') return 'binary';
  if (tag !== undefined) return isScalarTag(tag) ? tag : undefined;
  return node.type === 'PLAIN' && node.tag !== '!' ? resolvePlain(text, flavour) : 'str';
}

function isScalarTag(tag: string): tag is ScalarTag {
  return SCALAR_TAGS.has(tag);
}

function refusalOf(tag: ScalarTag): string {
  if (tag === 'timestamp') return 'this looks like a date, but there is no such day; put it in quotes';
  if (tag === 'value') return 'a lone = cannot be built; put it in quotes';
  return `this text is not a ${tag}`;
}

function base64ToHex(text: string): string {
  return Buffer.from(text, 'base64').toString('hex');
}
