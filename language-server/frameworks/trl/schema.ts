import type { Plain } from '../../json/jsonShape';

/** The schema of one framework's config file, as schema.generated.json holds it. */

export type ChoiceCheck = 'at config' | 'at use' | 'not for file values';

export interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly default: Plain;
  readonly defaultsBefore: readonly { readonly before: string; readonly value: Plain }[];
  readonly choices: readonly (string | boolean)[];
  readonly choicesChecked: ChoiceCheck | null;
  /** How text in the file is converted: int, float, bool, str, enum, or the name of a class. */
  readonly conversion: string;
  /** The texts none and null, in any case, become null. */
  readonly noneIsNull: boolean;
  /** The parser itself starts from null. */
  readonly nullFromParser: boolean;
  /** Text in the file that starts with a brace is read as JSON. */
  readonly json: boolean;
  /** First TRL release that has it; null: older than the table, or not known. */
  readonly since: string | null;
  readonly deprecated: { readonly since: string; readonly replacedBy: string } | null;
}

export interface RemovedKey {
  readonly name: string;
  readonly library: 'trl' | 'transformers';
  /** Release of that library that no longer has it; null: not known. */
  readonly removed: string | null;
  readonly replacedBy: string | null;
  readonly note: string | null;
}

export interface Schema {
  readonly source: string;
  readonly versions: { readonly trl: string; readonly transformers: string };
  readonly fields: ReadonlyMap<string, Field>;
  readonly removed: ReadonlyMap<string, RemovedKey>;
  /** Keys of mappings inside a field: field (`datasets[]` for the items of a list) → keys. */
  readonly nested: ReadonlyMap<string, readonly { readonly name: string; readonly required: boolean }[]>;
  /** Keys that `trl grpo` hands on to `accelerate launch`. */
  readonly launcherKeys: ReadonlySet<string>;
}
