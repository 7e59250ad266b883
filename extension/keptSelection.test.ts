import { describe, expect, it } from 'vitest';
import { KeptSelection } from './keptSelection';
import { SelectionStore } from './selection';

function window(memory: Map<string, unknown>, open: string) {
  const selection = new SelectionStore();
  new KeptSelection({
    get: (key) => memory.get(key),
    update: (key, value) => Promise.resolve(void memory.set(key, value)),
  }).follow(selection, (run) => run === open);
  return selection;
}

describe('the selection over a reload', () => {
  it('is selected again when its run is open again', () => {
    const memory = new Map<string, unknown>();
    window(memory, 'live:r').select({ run: 'live:r', step: 3, prompt: 'p', group: 'g' });
    expect(window(memory, 'live:r').value).toMatchObject({ run: 'live:r', step: 3, prompt: 'p', group: 'g' });
    expect(window(memory, 'live:other').value.run).toBeNull();
  });

  it.each([undefined, 'x', { run: 3 }, { run: 'live:r', step: 'three' }])(
    'is nothing when what was kept is %j',
    (kept) => {
      expect(window(new Map([['rolloutscope.selection', kept]]), 'live:r').value.run).toBeNull();
    },
  );
});
