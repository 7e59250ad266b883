import { describe, expect, it } from 'vitest';
import { loadSchema } from './loadSchema';
import { MEANINGS } from './meanings';

describe('MEANINGS', () => {
  it('explains every key of the schema and nothing else', () => {
    expect(Object.keys(MEANINGS).sort()).toEqual([...loadSchema().fields.keys()].sort());
  });
});
