import { array, booleanOf, isPlain, optionalText, record, textOf } from '../../json/jsonShape';
import type { Plain } from '../../json/jsonShape';
import type { ChoiceCheck, Field, RemovedKey, Schema } from './schema';

const CHOICE_CHECKS: readonly ChoiceCheck[] = ['at config', 'at use', 'not for file values'];

/** Reads schema.generated.json. Throws a TypeError that names the place when it is not of the form. */
export function readSchema(json: unknown): Schema {
  const file = record(json, 'schema');
  const versions = record(file['versions'], 'versions');
  const fields = array(file['fields'], 'fields').map(readField);
  const removed = array(file['removed'], 'removed').map(readRemoved);
  const nested = Object.entries(record(file['nested'], 'nested')).map(
    ([name, keys]) => [name, array(keys, name).map(readNestedKey)] as const,
  );
  return {
    source: textOf(file['source'], 'source'),
    versions: {
      trl: textOf(versions['trl'], 'trl'),
      transformers: textOf(versions['transformers'], 'transformers'),
    },
    fields: new Map(fields.map((field) => [field.name, field])),
    removed: new Map(removed.map((key) => [key.name, key])),
    nested: new Map(nested),
    launcherKeys: new Set(
      array(file['launcherKeys'], 'launcherKeys').map((key) => textOf(key, 'launcherKeys')),
    ),
  };
}

function readField(json: unknown): Field {
  const field = record(json, 'field');
  const name = textOf(field['name'], 'name');
  const deprecated = field['deprecated'] === undefined ? null : record(field['deprecated'], name);
  return {
    name,
    types: textOf(field['types'], name).split('|'),
    default: plain(field['default'], name),
    defaultsBefore: array(field['defaultsBefore'] ?? [], name).map((each) => {
      const { before, value } = record(each, name);
      return { before: textOf(before, name), value: plain(value, name) };
    }),
    choices: array(field['choices'] ?? [], name).map((choice) =>
      typeof choice === 'boolean' ? choice : textOf(choice, name),
    ),
    choicesChecked: CHOICE_CHECKS.find((check) => check === field['choicesChecked']) ?? null,
    conversion: textOf(field['conversion'], name),
    noneIsNull: booleanOf(field['noneIsNull']),
    nullFromParser: booleanOf(field['nullFromParser']),
    json: booleanOf(field['json']),
    since: optionalText(field['since'], name),
    deprecated: deprecated && {
      since: textOf(deprecated['since'], name),
      replacedBy: textOf(deprecated['replacedBy'], name),
    },
  };
}

function readRemoved(json: unknown): RemovedKey {
  const key = record(json, 'removed key');
  const name = textOf(key['name'], 'name');
  return {
    name,
    library: key['library'] === 'transformers' ? 'transformers' : 'trl',
    removed: optionalText(key['removed'], name),
    replacedBy: optionalText(key['replacedBy'], name),
    note: optionalText(key['note'], name),
  };
}

function readNestedKey(json: unknown): { name: string; required: boolean } {
  const key = record(json, 'nested key');
  return { name: textOf(key['name'], 'nested key'), required: booleanOf(key['required']) };
}

function plain(json: unknown, place: string): Plain {
  if (!isPlain(json)) throw new TypeError(`${place}: not a JSON value`);
  return json;
}
