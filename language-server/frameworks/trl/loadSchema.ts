import { readSchema } from './readSchema';
import type { Schema } from './schema';
import json from './schema.generated.json';

let schema: Schema | undefined;

/** The schema of TRL's GRPO configs, read once. */
export function loadSchema(): Schema {
  schema ??= readSchema(json);
  return schema;
}
