import { array, booleanOf, isRecord, record, textOf } from '../../json/jsonShape';

/**
 * Joins what the installed TRL says about its dataclasses (recorded by introspection) with the hand-kept history of
 * its releases into the content of schema.generated.json.
 *
 * @param recorded test/vectors/configs/trl-schema.json
 * @param history history.json
 * @throws TypeError when one of them is not of its form, or the history names a field that TRL does not have.
 */
export function makeSchema(recorded: unknown, history: unknown): unknown {
  const {
    versions,
    classes,
    nested,
    dict_from_json_string: jsonFields,
  } = record(recorded, 'recorded schema');
  const past = record(history, 'history');
  const fields = Object.entries(record(classes, 'classes')).flatMap(([owner, list]) =>
    array(list, owner).map((field) =>
      makeField(owner, record(field, owner), past, array(jsonFields, 'json fields')),
    ),
  );
  const names = new Set(fields.map((field) => field['name']));
  const dated = Object.values(record(past['since'], 'since')).flatMap((list) => array(list, 'since'));
  for (const name of [...dated, ...keysOf(past, 'defaultsBefore', 'deprecated', 'choices')]) {
    if (!names.has(name)) throw new TypeError(`history.json names ${String(name)}, which TRL does not have`);
  }
  return {
    source: `trl ${version(versions, 'trl')} and transformers ${version(versions, 'transformers')}, by introspection; ${textOf(past['source'], 'source')}`,
    versions: { trl: version(versions, 'trl'), transformers: version(versions, 'transformers') },
    fields,
    removed: past['removed'],
    nested: Object.fromEntries(
      Object.entries(record(nested, 'nested')).map(([name, keys]) => [name, nestedKeys(keys)]),
    ),
    launcherKeys: past['launcherKeys'],
  };
}

function makeField(
  owner: string,
  field: Readonly<Record<string, unknown>>,
  past: Readonly<Record<string, unknown>>,
  jsonFields: readonly unknown[],
): Record<string, unknown> {
  const name = textOf(field['name'], owner);
  const choices = lookUp(past['choices'], name);
  const since = Object.entries(record(past['since'], 'since')).find(([, list]) =>
    array(list, 'since').includes(name),
  );
  const made: Record<string, unknown> = {
    name,
    types: array(field['type'], name).join('|'),
    default: field['default'],
    defaultsBefore: lookUp(past['defaultsBefore'], name),
    choices: isRecord(choices) ? choices['values'] : field['choices'],
    choicesChecked: isRecord(choices) ? choices['checked'] : field['choices_checked'],
    conversion: field['string_conversion'],
    noneIsNull: booleanOf(field['string_none_is_null']) || undefined,
    nullFromParser: field['default_through_parser'] === null || undefined,
    json: jsonFields.includes(name) || undefined,
    since: since?.[0],
    deprecated: lookUp(past['deprecated'], name),
  };
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
}

function nestedKeys(keys: unknown): unknown {
  return array(keys, 'nested').map((key) => {
    const { name, required } = record(key, 'nested key');
    return required === true ? { name, required } : { name };
  });
}

function lookUp(table: unknown, name: string): unknown {
  return isRecord(table) && Object.hasOwn(table, name) ? table[name] : undefined;
}

function keysOf(past: Readonly<Record<string, unknown>>, ...tables: readonly string[]): string[] {
  return tables.flatMap((table) => Object.keys(record(past[table], table)));
}

function version(versions: unknown, name: string): string {
  return textOf(record(versions, 'versions')[name], name);
}
