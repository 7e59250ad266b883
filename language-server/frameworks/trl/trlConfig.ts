import type { ConfigLauncher, EditorSettings, FactSource } from '../../../protocol/editor/editor';
import type { Directive } from '../../directive';
import { asNumber } from '../../yaml/pyValue';
import type { PyValue } from '../../yaml/pyValue';
import { convertFileValue, defaultValue } from './convert';
import { isBefore, parseRelease } from '../../version/release';
import type { Release } from '../../version/release';
import type { Plain } from '../../json/jsonShape';
import type { Field, Schema } from './schema';
import type { FileEntry, TrlFile } from './trlFile';

/** A config file together with what is known about the program that will read it. */
export interface TrlConfig {
  readonly file: TrlFile;
  readonly schema: Schema;
  readonly version: Release;
  readonly versionText: string;
  readonly versionFrom: FactSource;
  /** Number of training processes; null: not known. */
  readonly processes: number | null;
  readonly processesFrom: FactSource | null;
  readonly launcher: ConfigLauncher;
  readonly settings: EditorSettings;
}

/** Joins the file with its comment and the settings: what the file says about itself wins over the settings. */
export function trlConfig(
  file: TrlFile,
  schema: Schema,
  directive: Directive,
  settings: EditorSettings,
): TrlConfig {
  const launcher = directive.launcher ?? settings.launcher;
  const versionText = directive.version ?? settings.frameworkVersion ?? schema.versions.trl;
  const versionFrom = directive.version ? 'comment' : settings.frameworkVersion ? 'setting' : 'latest';
  const named = launcher === 'any' || launcher === 'trl' ? countOf(file.entries.get('num_processes')) : null;
  const processes = directive.processes ?? named ?? settings.worldSize;
  const known = directive.processes !== null ? 'comment' : named !== null ? 'file' : 'setting';
  return {
    file,
    schema,
    version: parseRelease(versionText),
    versionText,
    versionFrom,
    processes,
    processesFrom: processes === null ? null : known,
    launcher,
    settings,
  };
}

function countOf(entry: FileEntry | undefined): number | null {
  const number = entry && asNumber(entry.value.value);
  return number !== undefined && Number.isInteger(number) && number > 0 ? number : null;
}

/** The value that TRL ends up with for a field: the file's, converted, else the default of the release. */
export function valueOf(config: TrlConfig, name: string): PyValue | undefined {
  const field = config.schema.fields.get(name);
  if (!field) return undefined;
  const entry = config.file.entries.get(name);
  return entry
    ? convertFileValue(field, entry.value.value)
    : defaultValue(field, defaultIn(field, config.version));
}

/** A field's default in a release. */
export function defaultIn(field: Field, version: Release): Plain {
  const earlier = field.defaultsBefore.find(({ before }) => isBefore(version, parseRelease(before)));
  return earlier ? earlier.value : field.default;
}

/** "TRL 1.13", with the reason where the release was not named by anyone. */
export function versionLabel(config: TrlConfig): string {
  const name = `TRL ${config.versionText}`;
  return config.versionFrom === 'latest' ? `${name} (assumed: the newest known)` : name;
}
