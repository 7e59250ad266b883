import { describe, expect, it } from 'vitest';
import { ERRORS, ERROR_KINDS } from './errors';

describe('the table of errors', () => {
  it('has an entry for every kind and no other', () => {
    expect(Object.keys(ERRORS).sort()).toEqual([...ERROR_KINDS].sort());
  });

  it.each(ERROR_KINDS)('%s says what is so in whole sentences, without fuss', (kind) => {
    const text = ERRORS[kind].message({ where: 'ws://127.0.0.1:1', detail: 'the detail' });
    expect(text).toMatch(/^[A-Z0-9w].*\.$/s);
    expect(text).not.toMatch(/[!{}]|oops|sorry|please|something went wrong/i);
  });
});
