import { describe, expect, it } from 'vitest';
import { NO_SELECTION, type RunHeader } from '../protocol/panels/selection';
import { contextValues } from './contextKeys';
import { runHeader } from './runs/header';

const HEADER: RunHeader = {
  ...runHeader({ key: 'live:r', name: 'r', where: 'w' }, null),
  state: 'live',
  canSteer: true,
  capabilities: ['steer.pause.now', 'steer.allocate.fixed-total', 'steer.fork'],
};
const of = (header: RunHeader | null, selection = NO_SELECTION) => {
  const values = contextValues({
    header,
    selection,
    tokenRefused: false,
    sampleRunning: false,
    found: 0,
    promptsFiltered: false,
  });
  return Object.entries(values).flatMap(([key, value]) => (value ? [key.replace('rolloutscope.', '')] : []));
};

describe('context keys', () => {
  it('are all false when nothing is attached', () => {
    expect(of(null)).toEqual([]);
  });

  it('enable what the job can do, and only over a connection that may steer', () => {
    expect(of(HEADER)).toEqual(['attached', 'canSteer', 'can.pause', 'can.fork']);
    expect(of({ ...HEADER, canSteer: false })).toEqual(['attached']);
    expect(of({ ...HEADER, state: 'recorded', canSteer: false })).toEqual(['attached', 'recorded']);
  });

  it('say that a run is paused, that it is lost, and what is selected', () => {
    expect(of({ ...HEADER, paused: { mode: 'now', by: '', since: 0 } })).toContain('paused');
    expect(of({ ...HEADER, state: 'lost', canSteer: false })).toEqual(['attached', 'lost']);
    expect(of(HEADER, { ...NO_SELECTION, prompt: 'p', rollout: 'r' })).toEqual(
      expect.arrayContaining(['selection.prompt', 'selection.rollout']),
    );
    expect(of(HEADER, { ...NO_SELECTION, group: 'g' })).toContain('selection.group');
    expect(of(HEADER, { ...NO_SELECTION, node: 'n' })).toContain('selection.node');
  });
});
