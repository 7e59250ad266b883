import type { Finding, FindingSeverity, Fix } from '../../finding';
import { ELSEWHERE } from './elsewhere';
import { atKey, fixOf } from './findings';
import { KeyIndex, plainKey } from '../../config/nearestKey';
import { isBefore, parseRelease } from '../../version/release';
import type { Field, RemovedKey, Schema } from './schema';
import type { TrlConfig } from './trlConfig';
import { versionLabel } from './trlConfig';
import type { FileEntry } from './trlFile';
import { shorten } from './typeFindings';

/** Whether TRL knows the key, in the release that will read it. */
export function keyFindings(config: TrlConfig, entry: FileEntry): Finding[] {
  const field = config.schema.fields.get(entry.name);
  if (field) return [...tooNew(config, field, entry), ...deprecated(config, field, entry)];
  if (entry.name === 'env' || entry.name === 'self') return [];
  if (entry.name === 'help') return [helpKey(config, entry)];
  if (config.schema.launcherKeys.has(entry.name) || entry.name === 'num_processes')
    return launcherKey(config, entry);
  const removed = config.schema.removed.get(entry.name);
  if (removed) return removedKey(config, removed, entry);
  return unknownKey(config, entry);
}

function helpKey(config: TrlConfig, entry: FileEntry): Finding {
  const message =
    'The parser takes the key help for its own option, and the script then gets one object too many and stops. ' +
    'Rename or remove it.';
  return atKey(config.file, entry, { code: 'shape', severity: 'warning', message });
}

function tooNew(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  if (field.since === null || !isBefore(config.version, parseRelease(field.since))) return [];
  const message = `${field.name} came with TRL ${field.since}; ${versionLabel(config)} does not have it. ${unreadWords(config)}`;
  return [atKey(config.file, entry, { code: 'tooNew', severity: 'warning', message })];
}

function deprecated(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  if (!field.deprecated || isBefore(config.version, parseRelease(field.deprecated.since))) return [];
  const { since, replacedBy } = field.deprecated;
  const message = `${field.name} is deprecated since TRL ${since}; ${replacedBy} takes its place.`;
  const fixes = renameTo(config, entry, replacedBy);
  return [
    atKey(config.file, entry, { code: 'deprecated', severity: 'hint', message, fixes, tag: 'deprecated' }),
  ];
}

function launcherKey(config: TrlConfig, entry: FileEntry): Finding[] {
  if (config.launcher === 'any' || config.launcher === 'trl') return [];
  const message = `${entry.name} is an option of \`accelerate launch\`. Only \`trl grpo --config\` hands it on. ${unreadWords(config)}`;
  const severity = config.launcher === 'strict' ? 'error' : 'warning';
  return [atKey(config.file, entry, { code: 'unknown', severity, message })];
}

function removedKey(config: TrlConfig, removed: RemovedKey, entry: FileEntry): Finding[] {
  const isTrl = removed.library === 'trl';
  if (isTrl && removed.removed !== null && isBefore(config.version, parseRelease(removed.removed))) return [];
  const when = removed.removed === null ? 'is gone from' : `was removed in`;
  const library = `${isTrl ? 'TRL' : 'transformers'}${removed.removed === null ? '' : ` ${removed.removed}`}`;
  const instead = removed.replacedBy === null ? '' : ` ${removed.replacedBy} takes its place.`;
  const note = removed.note === null ? '' : ` ${removed.note}`;
  // Which transformers goes with an old TRL is not known.
  const uncertain = !isTrl && isBefore(config.version, [1, 0]);
  const message = `${entry.name} ${when} ${library}.${instead}${note} ${unreadWords(config)}`;
  const fixes = [...renameTo(config, entry, removed.replacedBy), ...remove(config, entry)];
  const severity = uncertain ? 'information' : severityOf(config, 'warning');
  return [atKey(config.file, entry, { code: 'removed', severity, message, fixes, tag: 'deprecated' })];
}

function unknownKey(config: TrlConfig, entry: FileEntry): Finding[] {
  const guess = guessOf(config, entry);
  if (guess) {
    const message = `${versionLabel(config)} has no key ${shorten(entry.name)}. ${guess.words} ${unreadWords(config)}`;
    const fixes = [...renameTo(config, entry, guess.name), ...remove(config, entry)];
    return [
      atKey(config.file, entry, {
        code: 'nearMiss',
        severity: severityOf(config, 'warning'),
        message,
        fixes,
      }),
    ];
  }
  const section = keysInside(config, entry);
  if (section.length > 0) {
    const message = `TRL's keys stand at the top level; nothing below ${shorten(entry.name)} is read, so ${section.join(', ')} has no effect. ${unreadWords(config)}`;
    return [atKey(config.file, entry, { code: 'section', severity: severityOf(config, 'warning'), message })];
  }
  const severity = severityOf(config, 'hint');
  if (severity === 'hint' && config.settings.unknownKeys === 'off') return [];
  const message = `${versionLabel(config)} has no key ${shorten(entry.name)}. Right if your own script reads it. ${unreadWords(config)}`;
  return [atKey(config.file, entry, { code: 'unknown', severity, message, tag: 'unnecessary' })];
}

interface Guess {
  readonly name: string;
  readonly words: string;
}

function guessOf(config: TrlConfig, entry: FileEntry): Guess | undefined {
  if (entry.value.value.kind === 'dict') return undefined;
  const elsewhere = ELSEWHERE.get(plainKey(entry.name));
  if (elsewhere)
    return { name: elsewhere.name, words: `What ${elsewhere.from} call so is ${elsewhere.name} here.` };
  const near = indexOf(config.schema).nearest(entry.name);
  if (!near) return undefined;
  const gone = config.schema.removed.get(near.name);
  if (!gone) return { name: near.name, words: `Did you mean ${near.name}?` };
  const after = gone.replacedBy === null ? (gone.note ?? '') : `Use ${gone.replacedBy}.`;
  return {
    name: gone.replacedBy ?? near.name,
    words: `Did you mean ${near.name}? That key is gone, too. ${after}`.trim(),
  };
}

const INDEXES = new WeakMap<Schema, KeyIndex>();

function indexOf(schema: Schema): KeyIndex {
  const known = INDEXES.get(schema);
  if (known) return known;
  const index = new KeyIndex([...schema.fields.keys(), ...schema.removed.keys(), ...schema.launcherKeys]);
  INDEXES.set(schema, index);
  return index;
}

/** Keys of TRL inside a mapping that TRL does not read. */
function keysInside(config: TrlConfig, entry: FileEntry): string[] {
  if (entry.value.value.kind !== 'dict') return [];
  return entry.value.value.entries.flatMap(({ key }) =>
    key.value.kind === 'str' && config.schema.fields.has(key.value.value) ? [key.value.value] : [],
  );
}

/** What becomes of a key that no dataclass has. */
function unreadWords(config: TrlConfig): string {
  const ignored = 'ignores it without a word';
  switch (config.launcher) {
    case 'trl':
      return '`trl grpo` hands it to `accelerate launch`, which stops.';
    case 'script':
      return `TRL's script ${ignored}.`;
    case 'strict':
      return 'The parser refuses the file.';
    case 'any':
      return `\`accelerate launch grpo.py\` ${ignored}; \`trl grpo\` stops.`;
  }
}

function severityOf(config: TrlConfig, otherwise: FindingSeverity): FindingSeverity {
  return config.launcher === 'trl' || config.launcher === 'strict' ? 'error' : otherwise;
}

function renameTo(config: TrlConfig, entry: FileEntry, name: string | null): Fix[] {
  // Renaming to a key that is there already would only make a duplicate; a gone key is no better than a wrong one.
  if (name === null || config.file.entries.has(name) || !config.schema.fields.has(name)) return [];
  return fixOf(`Rename to ${name}`, config.file.replace(entry.key, name), true);
}

function remove(config: TrlConfig, entry: FileEntry): Fix[] {
  return fixOf(`Remove ${shorten(entry.name)}`, config.file.removeKey(entry.name));
}
