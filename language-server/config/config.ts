import type { EditorSettings, FactSource } from '../../protocol/editor/editor';
import type { Directive } from '../directive';
import type { Plain } from '../json/jsonShape';
import { isBefore, parseRelease } from '../version/release';
import type { Release } from '../version/release';
import { asNumber } from '../yaml/pyValue';
import type { PyValue } from '../yaml/pyValue';
import type { ConfigEntry, ConfigModel } from './model';
import type { FrameworkSchema, SchemaKey } from './schema';

/** A config together with what is known about the program that will read it: all that a rule looks at. */
export class Config {
  readonly model: ConfigModel;
  readonly schema: FrameworkSchema;
  readonly versionText: string;
  readonly versionFrom: FactSource;
  readonly version: Release;
  /** Number of training processes, where the file does not say it; null: not known. */
  readonly processes: number | null;
  readonly #last = new Map<string, ConfigEntry>();

  constructor(model: ConfigModel, schema: FrameworkSchema, directive: Directive, settings: EditorSettings) {
    this.model = model;
    this.schema = schema;
    this.versionText = directive.version ?? settings.frameworkVersion ?? schema.latest;
    this.versionFrom = directive.version ? 'comment' : settings.frameworkVersion ? 'setting' : 'latest';
    this.version = parseRelease(this.versionText);
    this.processes = directive.processes ?? settings.worldSize;
    for (const entry of model.entries) this.#last.set(entry.name, entry);
  }

  /** Whether the version is this one or a later one. */
  isSince(version: string): boolean {
    return !isBefore(this.version, parseRelease(version));
  }

  /** The setting that takes effect; undefined where nothing in the text sets the key. */
  entry(name: string): ConfigEntry | undefined {
    const entry = this.#last.get(name);
    return entry?.how === 'delete' ? undefined : entry;
  }

  isSet(name: string): boolean {
    return this.entry(name) !== undefined;
  }

  /** Whether any key below a section is set. */
  hasSection(prefix: string): boolean {
    for (const name of this.#last.keys()) if (name.startsWith(`${prefix}.`)) return true;
    return false;
  }

  /** The value that the program ends up with: the config's, else the default. Undefined: not known. */
  value(name: string): PyValue | undefined {
    const last = this.#last.get(name);
    if (last) return last.how === 'delete' ? undefined : (last.value ?? undefined);
    if (!this.model.isWhole || this.#isSectionUnknown(name)) return undefined;
    const key = this.schema.keys.get(name);
    return key && this.isKnown(key) ? fromPlain(this.defaultOf(key)) : undefined;
  }

  /** A number that the program computes with; undefined where there is none, or it is not known. */
  number(name: string): number | undefined {
    const value = this.value(name);
    return value && value.kind !== 'bool' ? asNumber(value) : undefined;
  }

  /** A whole number above 0: what can be divided. */
  count(name: string): number | undefined {
    const number = this.number(name);
    return number !== undefined && Number.isSafeInteger(number) && number > 0 ? number : undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return value?.kind === 'str' ? value.value : undefined;
  }

  /** Undefined: neither true nor false, or not known. */
  flag(name: string): boolean | undefined {
    const value = this.value(name);
    return value?.kind === 'bool' ? value.value : undefined;
  }

  /** Whether a key is null; undefined: not known. */
  isNull(name: string): boolean | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : value.kind === 'null';
  }

  /** Whether a key has a value of its own: set, and not null. False where the default is null and nothing sets it. */
  has(name: string): boolean | undefined {
    const isNull = this.isNull(name);
    if (isNull !== undefined) return !isNull;
    if (this.entry(name)) return undefined;
    return this.model.isWhole ? false : undefined;
  }

  /** Whether the version has the key. */
  isKnown(key: SchemaKey): boolean {
    if (key.since !== null && !this.isSince(key.since)) return false;
    return key.removed === null || !this.isSince(key.removed);
  }

  defaultOf(key: SchemaKey): Plain | undefined {
    const earlier = key.before.find(([version]) => !this.isSince(version));
    return earlier ? earlier[1] : key.default;
  }

  /** "verl 0.9", with the reason where the version was not named by anyone. */
  get versionLabel(): string {
    const name = `${this.schema.title} ${this.versionText}`;
    return this.versionFrom === 'latest' ? `${name} (assumed: the newest known)` : name;
  }

  /** A whole section that is set to something unknown, or to null, has no defaults inside. */
  #isSectionUnknown(name: string): boolean {
    const parts = name.split('.');
    for (let length = 1; length < parts.length; length += 1) {
      const section = this.#last.get(parts.slice(0, length).join('.'));
      if (section && section.value?.kind !== 'dict') return true;
    }
    return false;
  }
}

function fromPlain(plain: Plain | undefined): PyValue | undefined {
  if (plain === undefined) return undefined;
  if (plain === null) return { kind: 'null' };
  if (typeof plain === 'boolean') return { kind: 'bool', value: plain };
  if (typeof plain === 'string') return { kind: 'str', value: plain };
  if (typeof plain === 'number') {
    return Number.isSafeInteger(plain)
      ? { kind: 'int', value: BigInt(plain) }
      : { kind: 'float', value: plain };
  }
  return undefined;
}
