import type { ConfigFramework } from '../../protocol/editor/editor';
import type { ConfigSource } from '../framework';
import type { Config } from './config';
import type { ConfigEntry, ConfigModel } from './model';
import type { Rule } from './rule';
import type { FrameworkSchema, SchemaKey } from './schema';

/** What the program does about a key that it does not know. */
export type UnknownKeys =
  /** It stops when it reads the config. */
  | 'refused'
  /** It goes on without a word. */
  | 'ignored'
  /** The schema does not hold all keys that are legal: nothing can be said. */
  | 'unsaid';

/** A framework as data: everything in it is pure. `modelFramework` makes a Framework of it. */
export interface FrameworkSpec {
  readonly id: ConfigFramework;
  readonly schema: () => FrameworkSchema;
  /** The configs in a text; empty where it holds none. */
  readonly read: (source: ConfigSource, schema: FrameworkSchema) => Promise<readonly ConfigModel[]>;
  readonly rules: readonly Rule[];
  readonly unknownKeys: (config: Config, entry: ConfigEntry) => UnknownKeys;
  /** What a value of a wrong type or outside its choices leads to. */
  readonly badValues: (config: Config, key: SchemaKey) => 'refused' | 'late';
}
