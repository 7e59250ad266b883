import type { ConfigFramework, EditorSettings } from '../protocol/editor/editor';
import type { Directive } from './directive';
import type { OpenConfig } from './openConfig';

export type ConfigLanguage = 'yaml' | 'toml' | 'shellscript';

/** Reads files beside the one that is open: parents of `defaults:`, configs that a script names. */
export interface ConfigFiles {
  /**
   * @param from path or address of the file that names it
   * @param relative what it says: a path relative to its own folder
   * @returns null where there is none, or it cannot be read, or is too long
   */
  read(from: string, relative: string): Promise<{ readonly path: string; readonly text: string } | null>;
}

/** A text that may be an experiment config. */
export interface ConfigSource {
  readonly text: string;
  /** The file's path or address. */
  readonly path: string;
  readonly language: ConfigLanguage;
  readonly files: ConfigFiles;
}

/** Everything the server knows about one framework's configs. See docs/architecture.md on how to add one. */
export interface Framework {
  readonly id: ConfigFramework;
  /**
   * Reads a text as this framework's config. Null when the text holds none: a template, or a script that starts
   * nothing of this framework. Never throws; the same source gives the same answer.
   */
  open(source: ConfigSource, directive: Directive, settings: EditorSettings): Promise<OpenConfig | null>;
}

/** For texts without a place in a file system. */
export const NO_FILES: ConfigFiles = { read: async () => null };
