import { describe, expect, it } from 'vitest';
import { NO_SELECTION, type Selection } from '../protocol/panels/selection';
import { SelectionStore, narrowed } from './selection';

const ALL: Selection = {
  run: 'live:a',
  incarnation: 1,
  step: 4,
  prompt: 'p',
  group: 'g',
  rollout: 'r',
  node: 'n',
};

describe('the selection', () => {
  it.each([
    ['another run leaves everything', { run: 'live:b' }, { ...NO_SELECTION, run: 'live:b' }],
    [
      'another step keeps the prompt',
      { step: 5 },
      { ...ALL, step: 5, group: null, rollout: null, node: null },
    ],
    [
      'following the newest step',
      { step: null },
      { ...ALL, step: null, group: null, rollout: null, node: null },
    ],
    ['another rollout leaves the node', { rollout: 'r2' }, { ...ALL, rollout: 'r2', node: null }],
    [
      'what is chosen together stays',
      { prompt: 'q', group: 'h', node: 'm' },
      { ...ALL, prompt: 'q', group: 'h', rollout: null, node: 'm' },
    ],
    ['the same again changes nothing', { prompt: 'p' }, ALL],
    ['one level up', { node: null }, { ...ALL, node: null }],
  ])('%s', (_what, part, after) => {
    expect(narrowed(ALL, part)).toEqual(after);
  });

  it('tells of a change once', () => {
    const store = new SelectionStore();
    const told: Selection[] = [];
    store.onDidChange((value) => void told.push(value));
    store.select({ prompt: 'p' });
    store.select({ prompt: 'p' });
    expect(told).toEqual([{ ...NO_SELECTION, prompt: 'p' }]);
  });
});
