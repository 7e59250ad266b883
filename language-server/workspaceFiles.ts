import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ConfigFiles, ConfigLanguage } from './framework';

const LONGEST_FILE = 1_000_000;

/**
 * Files beside an open one: as the editor has them where they are open, else from the disk.
 *
 * @param openText the text of an open document by its address; undefined where it is not open
 */
export function workspaceFiles(openText: (uri: string) => string | undefined): ConfigFiles {
  return {
    async read(from, relative) {
      try {
        const uri = new URL(relative, from);
        if (uri.protocol !== 'file:') return null;
        const open = openText(uri.href);
        if (open !== undefined) return { path: uri.href, text: open };
        const path = fileURLToPath(uri);
        const { size } = await stat(path);
        return size > LONGEST_FILE ? null : { path: uri.href, text: await readFile(path, 'utf8') };
      } catch {
        // Not there, not readable, or no path at all: the config is then not whole, and its rules keep silent.
        return null;
      }
    },
  };
}

/** The language of an open document; null where the editor's own name for it says nothing. */
export function languageById(id: string): ConfigLanguage | null {
  return id === 'yaml' || id === 'toml' || id === 'shellscript' ? id : null;
}
