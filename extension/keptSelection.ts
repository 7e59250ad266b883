import { Value } from '@sinclair/typebox/value';
import { Select } from '../protocol/panels/validate';
import type { Disposable } from './lifecycle';
import type { Memory } from './runs/runRegistry';
import type { SelectionStore } from './selection';

const KEY = 'rolloutscope.selection';

/** The selection over a reload of the window: what was looked at is looked at again. */
export class KeptSelection {
  constructor(private readonly memory: Memory) {}

  /**
   * Selects what was selected when the window was closed, if its run is open again, and keeps what is selected
   * from then on.
   */
  follow(selection: SelectionStore, isOpen: (run: string) => boolean): Disposable {
    const kept = this.memory.get(KEY);
    if (Value.Check(Select, kept) && kept.run != null && isOpen(kept.run)) selection.select(kept);
    return selection.onDidChange((value) => void this.memory.update(KEY, value));
  }
}
