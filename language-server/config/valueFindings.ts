import type { Finding } from '../finding';
import { editDistance } from '../text/editDistance';
import { kindName } from '../yaml/pyValue';
import type { PyValue } from '../yaml/pyValue';
import type { Config } from './config';
import { shorten } from './keyFindings';
import type { Marks } from './marks';
import type { ConfigEntry } from './model';
import type { SchemaKey } from './schema';
import type { FrameworkSpec } from './spec';

const OUTCOMES = {
  refused: 'The run stops when it reads this.',
  late: 'The run stops, or does something else, where the value is used.',
};

/** Whether each value is of the key's type and among its choices. Unknown values are passed over. */
export function valueFindings(spec: FrameworkSpec, config: Config, marks: Marks): Finding[] {
  return config.model.entries.flatMap((entry) => {
    const key = config.schema.keys.get(entry.name);
    const isLast = config.entry(entry.name) === entry;
    if (!key || !entry.value || !isLast || entry.how === 'inherited') return [];
    return valueFinding(spec, config, marks, key, entry, entry.value);
  });
}

function valueFinding(
  spec: FrameworkSpec,
  config: Config,
  marks: Marks,
  key: SchemaKey,
  entry: ConfigEntry,
  value: PyValue,
): Finding[] {
  const outcome = spec.badValues(config, key);
  const severity = outcome === 'refused' ? 'error' : 'warning';
  const wanted = wrongType(key, value);
  if (wanted !== undefined) {
    const message = `${key.name} takes ${wanted}; this is ${shown(value)}. ${OUTCOMES[outcome]}`;
    return [marks.at(entry.valuePlace, { code: 'type', severity, message, about: [key.name] })];
  }
  if (key.choices.length === 0 || value.kind !== 'str' || key.choices.includes(value.value)) return [];
  const message = `${key.name} is one of ${key.choices.join(', ')}; ${shown(value)} is not. ${OUTCOMES[outcome]}`;
  const near = nearestChoice(key.choices, value.value);
  const edit = near === undefined ? undefined : marks.replaceValue(entry, near);
  const fixes = edit ? [{ title: `Write ${near ?? ''}`, edits: [edit], preferred: true }] : [];
  return [marks.at(entry.valuePlace, { code: 'enum', severity, message, about: [key.name], fixes })];
}

/** What the key takes, where the value is certainly something else. Null is a way to say "not set" everywhere. */
function wrongType(key: SchemaKey, value: PyValue): string | undefined {
  if (value.kind === 'null' || key.open) return undefined;
  if (value.kind === 'str' && value.value === '???') return undefined;
  switch (key.type) {
    case 'int':
      if (value.kind === 'float' && !Number.isInteger(value.value)) return 'a whole number';
      return value.kind === 'str' || isContainer(value) ? 'a whole number' : undefined;
    case 'float':
      return value.kind === 'str' || isContainer(value) ? 'a number' : undefined;
    case 'bool':
      return value.kind === 'str' || value.kind === 'float' || isContainer(value)
        ? 'true or false'
        : undefined;
    case 'str':
    case 'list':
    case 'dict':
    case 'switch':
    case 'any':
      return undefined;
  }
}

function isContainer(value: PyValue): boolean {
  return value.kind === 'list' || value.kind === 'dict';
}

function shown(value: PyValue): string {
  return value.kind === 'str' ? `the text "${shorten(value.value)}"` : kindName(value);
}

function nearestChoice(choices: readonly string[], text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll('-', '_');
  return choices
    .map((choice) => ({
      choice,
      distance: editDistance(plain, choice.toLowerCase().replaceAll('-', '_'), 2),
    }))
    .filter(({ choice, distance }) => distance <= 2 && distance < choice.length)
    .sort((a, b) => a.distance - b.distance)[0]?.choice;
}
