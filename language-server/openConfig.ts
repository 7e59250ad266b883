import type { ConfigDescription, ConfigFramework, EditorSettings } from '../protocol/editor/editor';
import { detectFramework, languageOf } from './detect';
import { readDirective } from './directive';
import type { Finding } from './finding';
import { NO_FILES } from './framework';
import type { ConfigFiles, ConfigLanguage, ConfigSource } from './framework';
import { loadFramework } from './frameworks/registry';

/** What a person sees at a place of the text. */
export interface Hover {
  readonly markdown: string;
  /** UTF-16 offsets, end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value';
  /** One line: type and default. */
  readonly detail: string;
  readonly markdown: string;
  readonly insertText: string;
}

/** A text that was found to be a config of a known framework, and all that can be asked about it. Offsets are UTF-16. */
export interface OpenConfig {
  readonly findings: readonly Finding[];
  readonly description: Omit<ConfigDescription, 'uri' | 'documentVersion' | 'findings'>;
  hover(offset: number): Hover | null;
  complete(offset: number): Completion[];
}

/** Beyond this, nobody wrote the file by hand, and reading it would hold up the answers for other files. */
export const LONGEST_TEXT = 1_000_000;

/**
 * Reads a text as an experiment config. Null when it is none of a known framework, a template, too long, or switched
 * off. The same text, files and settings give the same answer; no text makes it throw.
 *
 * @param path the file's path or address; only breaks ties in telling the framework
 * @param language null: by the path and the first line
 */
export async function openConfig(
  text: string,
  path: string,
  settings: EditorSettings,
  language: ConfigLanguage | null = null,
  files: ConfigFiles = NO_FILES,
): Promise<OpenConfig | null> {
  if (!settings.enable || text.length > LONGEST_TEXT) return null;
  const source = { text, path, language: language ?? languageOf(path, text), files };
  const directive = readDirective(text);
  const id = directive.framework ?? frameworkBySettings(source, settings);
  if (id === null || id === 'none') return null;
  const framework = await loadFramework(id);
  return framework.open(source, directive, settings);
}

function frameworkBySettings(
  { text, path, language }: ConfigSource,
  { framework }: EditorSettings,
): ConfigFramework | null {
  if (framework === 'none') return null;
  // Named outright, a file with a training config's keys needs no further sign of GRPO.
  const found = detectFramework(text, framework === 'trl' ? 'grpo' : path, language);
  return framework === 'auto' || found === framework ? found : null;
}
