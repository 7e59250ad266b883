import type { ConfigFramework } from '../../protocol/editor/editor';
import type { Plain } from '../json/jsonShape';
import type { Config } from './config';
import type { SchemaKey } from './schema';
import { elsewhereWords } from './vocabulary';

const TYPES: Readonly<Record<SchemaKey['type'], string>> = {
  int: 'a whole number',
  float: 'a number',
  bool: 'true or false',
  str: 'text',
  list: 'a list',
  dict: 'a section',
  switch: 'no value: it is switched on by being there',
  any: 'a value',
};

/** The documentation of a key, as Markdown of our own words and numbers only. */
export function describeKey(framework: ConfigFramework, config: Config, key: SchemaKey): string {
  const note = config.schema.notes.get(key.name);
  const parts = [`**${key.name}**${note?.unit ? ` · counts ${note.unit}` : ''}`];
  if (note?.meaning !== undefined) parts.push(note.meaning);
  parts.push(facts(config, key).join('  \n'));
  const elsewhere = elsewhereWords(framework, key.name);
  if (elsewhere !== '') parts.push(`Elsewhere: ${elsewhere}`);
  return parts.join('\n\n');
}

/** One line: type and default. */
export function detailOf(config: Config, key: SchemaKey): string {
  const standard = config.defaultOf(key);
  return `${TYPES[key.type]}${standard === undefined ? '' : ` · default ${plainWords(standard)}`}`;
}

function facts(config: Config, key: SchemaKey): string[] {
  const standard = config.defaultOf(key);
  const lines = [
    `Takes ${TYPES[key.type]}${key.nullable ? ' or null' : ''}.` +
      (standard === undefined
        ? ''
        : ` Default in ${config.schema.title} ${config.versionText}: \`${plainWords(standard)}\`.`),
  ];
  if (key.choices.length > 0)
    lines.push(`One of ${key.choices.map((choice) => `\`${choice}\``).join(', ')}.`);
  if (key.since !== null) lines.push(`Since ${config.schema.title} ${key.since}.`);
  for (const [version, value] of key.before) {
    lines.push(`Before ${config.schema.title} ${version} the default was \`${plainWords(value)}\`.`);
  }
  return lines;
}

function plainWords(value: Plain): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
