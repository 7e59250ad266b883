import type { Strings } from '../../protocol/panels/messages';

/**
 * Texts for the pages. A page has its English texts, by `<group>.<key>`; a translation bundle of VS Code may hold
 * the same keys, and those stand above the English ones.
 *
 * @param bundle `l10n.bundle`: what VS Code loaded for the display language; undefined in English.
 */
export function panelStrings(bundle: Readonly<Record<string, unknown>> | undefined): Strings {
  const out: Record<string, string> = {};
  for (const [key, text] of Object.entries(bundle ?? {})) {
    if (/^[a-z][A-Za-z]*\.[a-z][A-Za-z0-9]*$/.test(key) && typeof text === 'string') out[key] = text;
  }
  return out;
}
