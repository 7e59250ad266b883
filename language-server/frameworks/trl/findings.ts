import type { Finding, FindingSeverity, Fix, TextEdit } from '../../finding';
import type { FileEntry, TrlFile } from './trlFile';

interface Marked {
  readonly code: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly about?: readonly string[];
  readonly fixes?: readonly Fix[];
  readonly tag?: Finding['tag'];
}

/** A finding at the value of an entry; at its key where the value is empty. */
export function atValue(file: TrlFile, entry: FileEntry, marked: Marked): Finding {
  const node = entry.value.end > entry.value.start ? entry.value : entry.key;
  return at(file, node.start, node.end, { about: [entry.name], ...marked });
}

/** A finding at the key of an entry. */
export function atKey(file: TrlFile, entry: FileEntry, marked: Marked): Finding {
  return at(file, entry.key.start, entry.key.end, { about: [entry.name], ...marked });
}

/** A finding at a stretch of the text: UTF-16 offsets, end exclusive. */
export function at(file: TrlFile, start: number, end: number, marked: Marked): Finding {
  return {
    code: `trl.${marked.code}`,
    severity: marked.severity,
    message: marked.message,
    range: file.positions.range(start, end),
    about: marked.about ?? [],
    fixes: marked.fixes ?? [],
    tag: marked.tag ?? null,
  };
}

/** A fix of one edit; none where the edit cannot be made. */
export function fixOf(title: string, edit: TextEdit | undefined, preferred = false): Fix[] {
  return edit ? [{ title, edits: [edit], preferred }] : [];
}
