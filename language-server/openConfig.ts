import type { ConfigDescription, EditorSettings } from '../protocol/editor/editor';
import { detectFramework } from './detect';
import { readDirective } from './directive';
import type { Finding } from './finding';

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
 * off. The same text and settings give the same answer; no text makes it throw.
 *
 * @param path the file's path or address; only breaks ties in telling the framework
 */
export async function openConfig(
  text: string,
  path: string,
  settings: EditorSettings,
): Promise<OpenConfig | null> {
  if (!settings.enable || text.length > LONGEST_TEXT) return null;
  const directive = readDirective(text);
  const framework = directive.framework ?? frameworkBySettings(text, path, settings);
  if (framework === null || framework === 'none') return null;
  // Loaded on first need: most files in a workspace are no config of any framework.
  const { openTrl } = await import('./frameworks/trl/openTrl');
  return openTrl(text, directive, settings);
}

function frameworkBySettings(text: string, path: string, settings: EditorSettings): 'trl' | null {
  if (settings.framework === 'none') return null;
  // Named outright, a file with a training config's keys needs no further sign of GRPO.
  return detectFramework(text, settings.framework === 'trl' ? 'grpo' : path);
}
