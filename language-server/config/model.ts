import type { PyValue } from '../yaml/pyValue';

/** A stretch of the open text: UTF-16 offsets, end exclusive. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One setting of a config, wherever it is written: a YAML or TOML key, a dotted override, a flag. */
export interface ConfigEntry {
  /** The whole name as the schema has it: `data.train_batch_size`, `rollout-batch-size`; `a[].b` inside lists. */
  readonly name: string;
  /** As it is written, where that differs: an abbreviated flag. Null: the same. */
  readonly written: string | null;
  readonly key: Place;
  /** Null: not to be known without running something. */
  readonly value: PyValue | null;
  /** Where the value can be changed: in a script, the assignment that it comes from. */
  readonly valuePlace: Place;
  /** Whether the text at `valuePlace` is the value as it is written, so that other text can take its place. */
  readonly replaceable: boolean;
  /**
   * How it is set: `plain` sets a key that must be there; `add` (Hydra's `+`) puts a new one; `force` (`++`) either;
   * `delete` (`~`) takes one away; `inherited` comes from another file and has no place in this one.
   */
  readonly how: 'plain' | 'add' | 'force' | 'delete' | 'inherited';
}

/** Something wrong with the text itself, before any key means anything. */
export interface ModelProblem extends Place {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
}

/** A config as settings in the order in which they take effect: the last of equal names wins. */
export interface ConfigModel {
  readonly entries: readonly ConfigEntry[];
  /**
   * Whether nothing else can set a key: no words from outside, no parent that could not be read. Only then does a key
   * that is not here have its default.
   */
  readonly isWhole: boolean;
  readonly problems: readonly ModelProblem[];
  /** Where to mark what belongs to no key: the program's name in a script, the first key in a file. */
  readonly head: Place;
  /** What the script starts, where the framework has several programs; empty for files. */
  readonly program: string;
}
