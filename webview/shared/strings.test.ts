import { afterEach, describe, expect, it } from 'vitest';
import { defineTexts, fill, setStrings } from './strings';

const text = defineTexts('example', { plain: 'Events', gaps: '{done} of {all}' } as const);

afterEach(() => setStrings({}));

describe('texts', () => {
  it('are English until the host gives others', () => {
    expect(text('plain')).toBe('Events');
    setStrings({ 'example.plain': 'Ereignisse', 'other.plain': 'x' });
    expect(text('plain')).toBe('Ereignisse');
  });

  it('get their gaps filled, in the translation’s own order', () => {
    expect(text('gaps', { done: 3, all: '12' })).toBe('3 of 12');
    setStrings({ 'example.gaps': 'von {all}: {done}' });
    expect(text('gaps', { done: 3, all: 12 })).toBe('von 12: 3');
  });

  it('never fill a gap twice: what stands in a value stays', () => {
    expect(fill('{a} {b}', { a: '{b}', b: 'x' })).toBe('{b} x');
    expect(fill('{unknown}', {})).toBe('{unknown}');
  });
});
