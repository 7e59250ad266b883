import type { Finding } from '../../finding';
import { kindName } from '../../yaml/pyValue';
import type { PyNode } from '../../yaml/pyValue';
import { at, atValue } from './findings';
import type { Field } from './schema';
import type { TrlConfig } from './trlConfig';
import type { FileEntry, TrlFile } from './trlFile';
import { shorten } from './typeFindings';

/** What TrlParser needs of the file as a whole. Source: TrlParser.parse_args_and_config. */
export function structureFindings({ file }: TrlConfig): Finding[] {
  if (file.root.value.kind !== 'dict') {
    const message = `A TRL config is a mapping of keys to values, but YAML reads ${kindName(file.root.value)} here. TRL stops.`;
    return [at(file, file.root.start, file.root.end, { code: 'shape', severity: 'error', message })];
  }
  return [...keyShapes(file), ...environment(file), ...duplicates(file)];
}

function keyShapes(file: TrlFile): Finding[] {
  if (file.root.value.kind !== 'dict') return [];
  return file.root.value.entries.flatMap(({ key }) => {
    if (key.value.kind === 'str' && key.value.value !== 'self') return [];
    const why =
      key.value.kind === 'str'
        ? 'The key self collides with a name inside the parser'
        : `YAML reads ${kindName(key.value)} as this key, and a key must be text`;
    const message = `${why}. TRL stops. Rename it, or put it in quotes if that is what you mean.`;
    return [
      at(file, key.start, key.end, { code: 'shape', severity: 'error', message, about: [file.slice(key)] }),
    ];
  });
}

function environment(file: TrlFile): Finding[] {
  const entry = file.entries.get('env');
  if (!entry) return [];
  const value = entry.value.value;
  if (value.kind !== 'dict') {
    const message = `env must be a mapping of variable names to values, but YAML reads ${kindName(value)} here. TRL stops.`;
    return [atValue(file, entry, { code: 'shape', severity: 'error', message })];
  }
  return value.entries
    .filter(({ key }) => key.value.kind !== 'str')
    .map(({ key }) => {
      const message = `A variable name must be text, but YAML reads ${kindName(key.value)} here. TRL stops.`;
      return at(file, key.start, key.end, { code: 'shape', severity: 'error', message, about: ['env'] });
    });
}

function duplicates(file: TrlFile): Finding[] {
  return file.duplicates.map(({ earlier, later }) => {
    const line = file.positions.at(later.start).line + 1;
    const message = `${shorten(file.slice(earlier))} is set again on line ${line}. The last value wins, without a word; this one has no effect.`;
    const about = [file.slice(earlier)];
    const marked = { code: 'duplicate', severity: 'warning', message, about, tag: 'unnecessary' } as const;
    return at(file, earlier.start, earlier.end, marked);
  });
}

/** Mappings inside a field, and text that is read as JSON. */
export function nestedFindings(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  const value = entry.value.value;
  if (field.json && value.kind === 'str') return jsonFindings(config, entry, value.value);
  if (field.name === 'datasets') return datasetFindings(config, entry);
  const allowed = config.schema.nested.get(field.name);
  return allowed ? nestedKeys(config, field.name, entry.value, allowed) : [];
}

function jsonFindings(config: TrlConfig, entry: FileEntry, text: string): Finding[] {
  // Python's JSON also takes NaN and Infinity; those texts are left alone.
  if (!text.startsWith('{') || /NaN|Infinity/.test(text) || isJson(text)) return [];
  const message = `The text of ${entry.name} starts with a brace, so TRL reads it as JSON, which it is not. TRL stops. Write it as a YAML mapping without quotes.`;
  return [atValue(config.file, entry, { code: 'type', severity: 'error', message })];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function datasetFindings(config: TrlConfig, entry: FileEntry): Finding[] {
  const value = entry.value.value;
  const allowed = config.schema.nested.get('datasets[]') ?? [];
  if (value.kind === 'list')
    return value.items.flatMap((item) => nestedKeys(config, 'datasets', item, allowed));
  if (value.kind !== 'str') return [];
  const message =
    'datasets takes a list of mappings, each with a path; a single text stops TRL. For one data set use dataset_name.';
  return [atValue(config.file, entry, { code: 'type', severity: 'error', message })];
}

function nestedKeys(
  { file }: TrlConfig,
  name: string,
  node: PyNode,
  allowed: readonly { readonly name: string; readonly required: boolean }[],
): Finding[] {
  if (node.value.kind !== 'dict') return [];
  const present = new Set(
    node.value.entries.map(({ key }) => (key.value.kind === 'str' ? key.value.value : '')),
  );
  const names = allowed.map((key) => key.name);
  const unknown = node.value.entries
    .filter(({ key }) => key.value.kind !== 'str' || !names.includes(key.value.value))
    .map(({ key }) => {
      const message = `${shorten(file.slice(key))} is no key of ${name}: it takes ${names.join(', ')}. TRL stops.`;
      return at(file, key.start, key.end, { code: 'type', severity: 'error', message, about: [name] });
    });
  const missing = allowed
    .filter((key) => key.required && !present.has(key.name))
    .map((key) => {
      const message = `An item of ${name} needs the key ${key.name}. TRL stops.`;
      return at(file, node.start, node.end, { code: 'type', severity: 'error', message, about: [name] });
    });
  return [...unknown, ...missing];
}
