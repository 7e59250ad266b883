import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packNumbers, unpackNumbers } from './numbers';

/** JSON as VS Code carries it: typed arrays beside the text. */
function throughJson(value: unknown): unknown {
  const kept: unknown[] = [];
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    ArrayBuffer.isView(inner) ? { kept: kept.push(inner) - 1 } : inner,
  );
  return JSON.parse(text, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && 'kept' in inner ? kept[Number(inner.kept)] : inner,
  );
}

const leaf = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree')),
    fc.array(fc.double()),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('tree')),
  ),
}));

/** JSON has no −0: it is the one number that may change. */
const plainZero = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_k, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? `#${v}` : v)),
  );

describe('numbers of panel data', () => {
  it('come through JSON with NaN and infinities', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const back = unpackNumbers(throughJson(packNumbers(value)));
        expect(plainZero(back)).toEqual(plainZero(value));
      }),
    );
  });

  it('stay the very same object when there is nothing to pack', () => {
    const value = { list: [1, 2, null, 'x'], inner: { bytes: new Int8Array(3) } };
    expect(packNumbers(value)).toBe(value);
    expect(unpackNumbers(value)).toBe(value);
  });

  it('would be lost without packing', () => {
    expect(throughJson({ value: [Number.NaN] })).toEqual({ value: [null] });
    expect(unpackNumbers(throughJson(packNumbers({ value: [Number.NaN, 1] })))).toEqual({
      value: [Number.NaN, 1],
    });
  });
});
