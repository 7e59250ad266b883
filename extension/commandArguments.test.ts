import { describe, expect, it } from 'vitest';
import { addressArgument, promptNode, runsNode, steeringNode } from './commandArguments';
import { Row } from './views/rowTree';

describe('arguments of commands', () => {
  it('are the nodes of our rows', () => {
    const run = { kind: 'run', key: 'live:r' };
    expect(runsNode(new Row('run live:r', run, {}))).toBe(run);
    const prompt = { kind: 'prompt', row: { prompt: 'p', group: 'g' } };
    expect(promptNode(new Row('prompt p g', prompt, {}))).toEqual({ prompt: 'p', group: 'g' });
    expect(promptNode({ prompt: 'p' })).toEqual({ prompt: 'p', group: null });
    const row = { command: 'c', action: 'skip', state: 'applied', author: 'a', sentence: 's' };
    expect(steeringNode(new Row('1 c', row, {}))).toBe(row);
    expect(addressArgument({ address: 'ws://127.0.0.1:1' })).toEqual({
      address: 'ws://127.0.0.1:1',
      token: null,
    });
  });

  it.each([
    undefined,
    null,
    'run',
    3,
    {},
    { kind: 'run' },
    { kind: 'found', found: {} },
    { kind: 'step', key: 'k' },
    { prompt: 3 },
  ])('are none when they are %j', (value) => {
    expect([runsNode(value), promptNode(value), steeringNode(value), addressArgument(value)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
