import { effect, signal, type Signal } from '@preact/signals';
import { readState, writeState } from './host';

/**
 * What a person chose in a panel (zoom, filter, sort), kept by VS Code over hiding and reloading. Each entry
 * has its own version: an entry of another version is dropped, never misread.
 */
interface Entry {
  readonly version: number;
  readonly value: unknown;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const saved = new Map<string, Entry>();
const state = readState();
const savedUi = isRecord(state) && isRecord(state['ui']) ? state['ui'] : {};
for (const [key, entry] of Object.entries(savedUi)) {
  if (isRecord(entry) && typeof entry['version'] === 'number') {
    saved.set(key, { version: entry['version'], value: entry['value'] });
  }
}

let writing = false;
const writeSoon = (): void => {
  if (writing) return;
  writing = true;
  setTimeout(() => {
    writing = false;
    const before = readState();
    writeState({ ...(isRecord(before) ? before : {}), ui: Object.fromEntries(saved) });
  }, 100);
};

/**
 * A signal that outlives the page. Call once, at module level.
 *
 * @param read turns what was saved into a value, or gives undefined when it cannot be used.
 */
export const uiState = <T>(
  key: string,
  version: number,
  initial: T,
  read: (value: unknown) => T | undefined,
): Signal<T> => {
  const entry = saved.get(key);
  const value = signal<T>((entry?.version === version ? read(entry.value) : undefined) ?? initial);
  let first = true;
  effect(() => {
    const next = value.value;
    if (first) first = false;
    else {
      saved.set(key, { version, value: next });
      writeSoon();
    }
  });
  return value;
};

export const readText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
export const readNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
export const readFlag = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined;
export const readOneOf =
  <T extends string>(words: readonly T[]) =>
  (value: unknown): T | undefined =>
    words.find((word) => word === value);
