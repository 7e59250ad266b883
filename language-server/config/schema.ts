import type { ConfigFramework } from '../../protocol/editor/editor';
import { array, booleanOf, isPlain, optionalText, record, textOf } from '../json/jsonShape';
import type { Plain } from '../json/jsonShape';

export type KeyType = 'int' | 'float' | 'bool' | 'str' | 'list' | 'dict' | 'switch' | 'any';

/** What a batch key counts. */
export type Unit = 'prompts' | 'rollouts' | 'tokens' | 'steps' | 'GPUs' | 'share';

/** A key of a framework's config. */
export interface SchemaKey {
  readonly name: string;
  readonly type: KeyType;
  /** Whether null is one of its values. */
  readonly nullable: boolean;
  /** Undefined: computed by the program, or not known. */
  readonly default: Plain | undefined;
  readonly choices: readonly string[];
  /** Any key may stand below it. */
  readonly open: boolean;
  /** First version that has it; null: older than the table. */
  readonly since: string | null;
  /** First version without it. */
  readonly removed: string | null;
  /** Earlier defaults: [first version with the next one, the earlier default], oldest first. */
  readonly before: readonly (readonly [version: string, value: Plain])[];
}

/** What we say about a key ourselves, and what the sources cannot tell. */
export interface KeyNote {
  readonly unit?: Unit;
  readonly meaning?: string;
  /** Takes the place of the default of the sources. */
  readonly default?: Plain;
  readonly choices?: readonly string[];
  /** For a key that is gone or never was: the key to use. */
  readonly use?: string;
  /** For a key that is gone: what to do, where no other key takes its place. */
  readonly instead?: string;
}

export interface FrameworkSchema {
  readonly framework: ConfigFramework;
  /** What people call the framework. */
  readonly title: string;
  /** Repository and revisions that it was made from. */
  readonly source: string;
  /** The newest version in the table. */
  readonly latest: string;
  readonly keys: ReadonlyMap<string, SchemaKey>;
  readonly notes: ReadonlyMap<string, KeyNote>;
}

const TYPES: readonly KeyType[] = ['int', 'float', 'bool', 'str', 'list', 'dict', 'switch', 'any'];

/** Reads a schema.generated.json. Throws a TypeError that names the place when it is not of the form. */
export function readSchema(
  framework: ConfigFramework,
  title: string,
  json: unknown,
  notes: Readonly<Record<string, KeyNote>>,
): FrameworkSchema {
  const file = record(json, 'schema');
  const keys = array(file['keys'], 'keys').map(readKey);
  return {
    framework,
    title,
    source: textOf(file['source'], 'source'),
    latest: textOf(file['latest'], 'latest'),
    keys: new Map(keys.map((key) => [key.name, withNote(key, notes[key.name])])),
    notes: new Map(Object.entries(notes)),
  };
}

function readKey(json: unknown): SchemaKey {
  const key = record(json, 'key');
  const name = textOf(key['name'], 'name');
  const type = TYPES.find((each) => each === key['type']);
  if (type === undefined) throw new TypeError(`${name}: unknown type`);
  const standard = key['default'];
  if (standard !== undefined && !isPlain(standard)) throw new TypeError(`${name}: unknown default`);
  return {
    name,
    type,
    nullable: booleanOf(key['null']),
    default: standard,
    choices: array(key['choices'] ?? [], name).map((choice) => textOf(choice, name)),
    open: booleanOf(key['open']),
    since: optionalText(key['since'], name),
    removed: optionalText(key['removed'], name),
    before: array(key['before'] ?? [], name).map((each) => readEarlier(each, name)),
  };
}

function readEarlier(json: unknown, name: string): readonly [string, Plain] {
  const [version, value] = array(json, name);
  if (!isPlain(value)) throw new TypeError(`${name}: unknown earlier default`);
  return [textOf(version, name), value];
}

function withNote(key: SchemaKey, note: KeyNote | undefined): SchemaKey {
  if (!note) return key;
  return {
    ...key,
    default: note.default === undefined ? key.default : note.default,
    choices: note.choices ?? key.choices,
  };
}
