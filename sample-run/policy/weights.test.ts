import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { VOCABULARY_SIZE } from '../tasks/vocabulary';
import { initialParameters } from './policyParameters';
import { loadWeights, saveWeights } from './weights';

const SHAPE = { vocabulary: VOCABULARY_SIZE, hidden: 5, query: 3, positions: 4 };
const PARAMETERS = initialParameters(SHAPE, Rng.from(1).fork('start'));
const BYTES = saveWeights(PARAMETERS, { seed: 1 });

describe('weights file', () => {
  it('comes back as it was saved, also from the middle of a larger buffer', () => {
    const larger = new Uint8Array(BYTES.length + 7);
    larger.set(BYTES, 3);
    const loaded = loadWeights(larger.subarray(3, 3 + BYTES.length));
    expect(loaded.parameters.values).toEqual(PARAMETERS.values);
    expect(loaded.parameters.shape).toEqual(SHAPE);
    expect(loaded.recipe).toEqual({ seed: 1 });
    expect(loaded.checksum).toMatch(/^[0-9a-f]{8}$/);
  });

  it('refuses every cut and a damaged byte with a message that says what to do', () => {
    for (let length = 0; length < BYTES.length; length += 97) {
      expect(() => loadWeights(BYTES.subarray(0, length))).toThrow(/not a usable weights file.*again/);
    }
    const damaged = BYTES.slice();
    damaged[damaged.length - 2]! ^= 1;
    expect(() => loadWeights(damaged)).toThrow(/checksum is wrong/);
    expect(() => loadWeights(new TextEncoder().encode('{"not":"weights"}'))).toThrow(/other bytes/);
  });

  it('refuses weights of another vocabulary', () => {
    const at = new TextDecoder('latin1').decode(BYTES).indexOf('Units');
    const renamed = BYTES.slice();
    renamed[at] = 'X'.charCodeAt(0);
    expect(() => loadWeights(renamed)).toThrow(/another vocabulary/);
  });
});
