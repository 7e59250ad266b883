import type { Finding, FindingSeverity, Fix } from '../finding';
import type { Config } from './config';
import type { Marks } from './marks';
import type { ConfigEntry } from './model';
import { KeyIndex, plainKey } from './nearestKey';
import type { FrameworkSchema, SchemaKey } from './schema';
import type { FrameworkSpec, UnknownKeys } from './spec';
import { carriedOver } from './vocabulary';

const OUTCOMES: Readonly<Record<UnknownKeys, string>> = {
  refused: 'The run stops when it reads this.',
  ignored: 'It is passed over without a word.',
  unsaid: '',
};

/** Whether the framework knows each key, in the version that will read it. */
export function keyFindings(spec: FrameworkSpec, config: Config, marks: Marks): Finding[] {
  return config.model.entries
    .filter((entry) => entry.how !== 'inherited')
    .flatMap((entry) => keyFinding(spec, config, marks, entry));
}

function keyFinding(spec: FrameworkSpec, config: Config, marks: Marks, entry: ConfigEntry): Finding[] {
  const { keys, notes } = config.schema;
  const key = keys.get(entry.name);
  if (key && config.isKnown(key)) return entry.written === null ? [] : [abbreviated(marks, entry)];
  if (isFree(config, entry.name)) return [];
  const policy = spec.unknownKeys(config, entry);
  const removed = key?.removed ?? null;
  if (key && removed === null) {
    const message = `${entry.name} came with ${config.schema.title} ${key.since ?? ''}; ${config.versionLabel} does not have it. ${OUTCOMES[policy]}`;
    return [at(marks, entry, 'tooNew', loud(policy), message.trim())];
  }
  const note = notes.get(entry.name);
  if (removed !== null || note?.use !== undefined || note?.instead !== undefined) {
    const now = note?.use === undefined ? (note?.instead ?? '') : `${note.use} takes its place.`;
    const since = removed === null ? 'is no key of' : `was removed in`;
    const where = removed === null ? config.versionLabel : `${config.schema.title} ${removed}`;
    const message = `${entry.name} ${since} ${where}. ${now} ${OUTCOMES[policy]}`.replace(/ +/g, ' ').trim();
    const fixes = rename(marks, entry, note?.use);
    // Of an assumed version the last word is not certain.
    const isCertain = policy === 'refused' && config.versionFrom !== 'latest';
    const finding = at(marks, entry, 'removed', isCertain ? 'error' : 'warning', message, fixes);
    return [{ ...finding, tag: 'deprecated' }];
  }
  return unknown(config, marks, entry, policy);
}

/** Below a mapping with free keys, or a value that the schema does not look into. */
function isFree({ schema }: Config, name: string): boolean {
  const parts = name.split('.');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const above = schema.keys.get(parts.slice(0, length).join('.').replace(/\[\]$/, ''));
    if (!above) continue;
    return above.open || (above.type !== 'dict' && above.type !== 'list');
  }
  return false;
}

function unknown(config: Config, marks: Marks, entry: ConfigEntry, policy: UnknownKeys): Finding[] {
  const { schema } = config;
  const guess = guessOf(config, entry, policy);
  if (guess !== undefined) {
    const severity = policy === 'refused' && entry.how === 'plain' ? 'error' : 'warning';
    const message = `${config.versionLabel} has no key ${shorten(entry.name)}. Did you mean ${guess}? ${OUTCOMES[policy]}`;
    return [at(marks, entry, 'nearMiss', severity, message.trim(), rename(marks, entry, guess))];
  }
  if (policy === 'unsaid') return [];
  const severity = policy === 'refused' || isWellKnown(schema, entry.name) ? 'warning' : 'hint';
  const message = `${config.versionLabel} has no key ${shorten(entry.name)}. ${OUTCOMES[policy]}`;
  return [{ ...at(marks, entry, 'unknown', severity, message), tag: 'unnecessary' }];
}

/** Whether the section is one whose keys are all in the schema. */
function isWellKnown(schema: FrameworkSchema, name: string): boolean {
  const section = name.split('.').slice(0, -1).join('.');
  return section === '' || schema.keys.get(section)?.type === 'dict';
}

/** The key that was probably meant: near in its own section, moved to another one, or another framework's word. */
function guessOf(config: Config, entry: ConfigEntry, policy: UnknownKeys): string | undefined {
  const { schema } = config;
  const parts = entry.name.split('.');
  const own = parts.at(-1) ?? '';
  const section = parts.slice(0, -1).join('.');
  const isNew = (name: string): boolean => {
    const key = schema.keys.get(name);
    return key !== undefined && config.isKnown(key);
  };
  const spelled = parts.map((part) => plainKey(part)).join('.');
  if (spelled !== entry.name && isNew(spelled)) return spelled;
  const near = indexOf(schema, section).nearest(own)?.name;
  if (near !== undefined) {
    const name = section === '' ? near : `${section}.${near}`;
    if (isNew(name) && !config.isSet(name)) return name;
  }
  // Where keys may be legal that the schema does not hold, only a slip of the pen is told.
  if (policy === 'unsaid') return undefined;
  const carried = carriedOver(schema.framework, own);
  if (carried !== undefined && isNew(carried)) return carried;
  return movedTo(schema, entry.name).find((name) => isNew(name));
}

/** Keys of the same last part whose section has been left out or got too much. */
function movedTo(schema: FrameworkSchema, name: string): string[] {
  const own = plainKey(name.split('.').at(-1) ?? '');
  if (own.length < 6) return [];
  const found = [...schema.keys.keys()].filter((each) => {
    const last = each.split('.').at(-1) ?? '';
    return last === own && each !== name;
  });
  return found.length === 1 ? found : [];
}

const INDEXES = new WeakMap<FrameworkSchema, Map<string, KeyIndex>>();

function indexOf(schema: FrameworkSchema, section: string): KeyIndex {
  let sections = INDEXES.get(schema);
  if (!sections) {
    const names = new Map<string, string[]>();
    for (const name of schema.keys.keys()) {
      const dot = name.lastIndexOf('.');
      const group = dot < 0 ? '' : name.slice(0, dot);
      names.set(group, [...(names.get(group) ?? []), name.slice(dot + 1)]);
    }
    sections = new Map([...names].map(([group, own]) => [group, new KeyIndex(own)]));
    INDEXES.set(schema, sections);
  }
  return sections.get(section) ?? new KeyIndex([]);
}

function abbreviated(marks: Marks, entry: ConfigEntry): Finding {
  const message = `${entry.written ?? ''} is taken for ${entry.name}, because it is the beginning of that option alone. A later version with another option of this beginning refuses it; write it out.`;
  return at(marks, entry, 'abbreviated', 'information', message, rename(marks, entry, entry.name));
}

function rename(marks: Marks, entry: ConfigEntry, name: string | undefined): Fix[] {
  if (name === undefined) return [];
  const from = entry.name.split('.');
  const to = name.split('.');
  // A YAML or TOML key is written without its sections: only its own part can change by a plain edit.
  const isWhole = entry.key.end - entry.key.start >= (entry.written ?? entry.name).length;
  const isSameSection = from.slice(0, -1).join('.') === to.slice(0, -1).join('.');
  if (!isWhole && !isSameSection) return [];
  const newText = isWhole ? name : (to.at(-1) ?? name);
  return [{ title: `Rename to ${newText}`, edits: [marks.replace(entry.key, newText)], preferred: true }];
}

function at(
  marks: Marks,
  entry: ConfigEntry,
  code: string,
  severity: FindingSeverity,
  message: string,
  fixes: readonly Fix[] = [],
): Finding {
  return marks.at(entry.key, { code, severity, message, about: [entry.name], fixes });
}

function loud(policy: UnknownKeys): FindingSeverity {
  if (policy === 'refused') return 'error';
  return policy === 'ignored' ? 'warning' : 'information';
}

export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Keys that are known in the version, for completion. */
export function knownKeys(config: Config): SchemaKey[] {
  return [...config.schema.keys.values()].filter((key) => config.isKnown(key));
}
