import type { PyValue } from '../yaml/pyValue';
import { cutAtEquals, entryOf } from './launch';
import type { Launch } from './launch';
import type { ConfigEntry } from './model';

const OVERRIDE = /^(\+\+|\+|~)?([A-Za-z_][\w.@/[\]-]*)$/;

/**
 * Dotted overrides `a.b=v`, with Hydra's `+`, `++` and `~` where `hydra` is set.
 * Options of the launcher itself (`--config-name=x`) are passed over.
 *
 * @param read the value of an override's text
 */
export function readOverrides(
  launch: Launch,
  read: (text: string) => PyValue | null,
  hydra: boolean,
): ConfigEntry[] {
  return launch.words.flatMap((word) => {
    const cut = cutAtEquals(word);
    const whole = cut ? null : deletion(word.parts);
    const text = cut?.before.text ?? whole?.text ?? null;
    const match = text === null ? null : OVERRIDE.exec(text);
    if (!match || (whole && match[1] !== '~')) return [];
    const [, prefix = '', name = ''] = match;
    if (!hydra && prefix !== '') return [];
    const before = cut?.before ?? whole;
    if (!before) return [];
    const shift = before.isWritten ? prefix.length : 0;
    const key = { start: before.start + shift, end: before.end };
    return [entryOf(name, key, cut?.value ?? [], read, HOW[prefix] ?? 'plain')];
  });
}

const HOW: Readonly<Record<string, ConfigEntry['how']>> = { '+': 'add', '++': 'force', '~': 'delete' };

/** `~a.b` without a value. */
function deletion(parts: Launch['words'][number]['parts']): (typeof parts)[number] | null {
  const [only, more] = parts.filter((part) => part.text !== '');
  return only && !more && only.text?.startsWith('~') === true ? only : null;
}

/** The value of a launcher's own option `--name=v` or `--name v`; undefined where it is not there, null: not known. */
export function launcherOption(launch: Launch, name: string): string | null | undefined {
  for (const [index, word] of launch.words.entries()) {
    const text = word.parts.map((part) => part.text ?? '\u0000').join('');
    if (text.startsWith(`--${name}=`)) return known(text.slice(name.length + 3));
    if (text !== `--${name}`) continue;
    const next = launch.words[index + 1];
    return next === undefined ? undefined : known(next.parts.map((part) => part.text ?? '\u0000').join(''));
  }
  return undefined;
}

function known(text: string): string | null {
  return text.includes('\u0000') ? null : text;
}
