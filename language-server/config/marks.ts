import type { Finding, FindingSeverity, Fix, TextEdit } from '../finding';
import type { Positions } from '../text/positions';
import type { Config } from './config';
import type { ConfigEntry, Place } from './model';
import type { Proposal } from './rule';

interface Marked {
  readonly code: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly about: readonly string[];
  readonly fixes?: readonly Fix[];
  readonly tag?: Finding['tag'];
}

/** Turns what is to be said about a config into findings at places of its text. */
export class Marks {
  readonly #config: Config;
  readonly #positions: Positions;

  constructor(config: Config, positions: Positions) {
    this.#config = config;
    this.#positions = positions;
  }

  at(place: Place, { code, severity, message, about, fixes, tag }: Marked): Finding {
    return {
      code: `${this.#config.schema.framework}.${code}`,
      severity,
      message,
      range: this.#positions.range(place.start, place.end),
      about,
      fixes: fixes ?? [],
      tag: tag ?? null,
    };
  }

  /** At the first of the keys that this text sets: its value where that can be changed; else at the head. */
  atKeys(marked: Marked): Finding {
    for (const name of marked.about) {
      const entry = this.#config.entry(name);
      if (!entry || entry.how === 'inherited') continue;
      return this.at(entry.valuePlace.end > entry.valuePlace.start ? entry.valuePlace : entry.key, marked);
    }
    return this.at(this.#config.model.head, marked);
  }

  /** Fixes that can be made by one plain edit; the first is the preferred one. */
  fixes(proposals: readonly Proposal[]): Fix[] {
    return proposals.flatMap(({ key, value }, index) => {
      const entry = this.#config.entry(key);
      const edit = entry && this.replaceValue(entry, value);
      return edit ? [{ title: `Set ${key} to ${value}`, edits: [edit], preferred: index === 0 }] : [];
    });
  }

  replaceValue(entry: ConfigEntry, newText: string): TextEdit | undefined {
    if (!entry.replaceable || entry.how === 'inherited') return undefined;
    const { start, end } = entry.valuePlace;
    return { range: this.#positions.range(start, end), newText };
  }

  replace({ start, end }: Place, newText: string): TextEdit {
    return { range: this.#positions.range(start, end), newText };
  }
}
