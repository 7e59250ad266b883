import { WireError } from './wireError';

/**
 * Handle → string of one incarnation, as a reader keeps it over reconnects. Handles are dense from 0, given by
 * the job, never reused; a piece may repeat what is known but not contradict it.
 */
export class StringTable {
  readonly values: string[] = [];

  get size(): number {
    return this.values.length;
  }

  /** @throws WireError `malformed` when the piece leaves a gap, holds something else than text, or contradicts the table. */
  add(from: number, values: readonly unknown[]): void {
    if (from > this.values.length) {
      throw new WireError(
        'malformed',
        `strings: begins at handle ${from}, the table ends at ${this.values.length}`,
      );
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value !== 'string') {
        throw new WireError('malformed', `strings.values[${i}]: not a string`);
      }
      const handle = from + i;
      if (handle === this.values.length) {
        this.values.push(value);
      } else if (this.values[handle] !== value) {
        throw new WireError('malformed', `strings: handle ${handle} was given twice`);
      }
    }
  }

  /** The string of a handle that a read batch holds; −1 gives null. */
  get(handle: number): string | null {
    return handle < 0 ? null : (this.values[handle] ?? null);
  }
}

/** String → handle, as a writer keeps it. */
export class StringPool {
  private readonly handles = new Map<string, number>();
  readonly values: string[] = [];

  handle(value: string): number {
    let handle = this.handles.get(value);
    if (handle === undefined) {
      handle = this.values.length;
      this.values.push(value);
      this.handles.set(value, handle);
    }
    return handle;
  }
}
