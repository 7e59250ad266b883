import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rng } from '../../methods/random';
import { addOuterSum, multiplyTransposed, transpose } from './matmul';

function filled(length: number, label: string): Float32Array {
  const random = Rng.from(7).fork(label);
  return Float32Array.from({ length }, () => random.float() - 0.5);
}

const sizes = fc.tuple(
  fc.integer({ min: 0, max: 11 }),
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 9 }),
);

describe('matrix products', () => {
  it('multiplyTransposed equals one sum an element, to the last bit, inside offset rows', () => {
    fc.assert(
      fc.property(sizes, ([rows, cols, depth]) => {
        const x = { data: filled(3 + rows * (depth + 2), 'x'), offset: 3, stride: depth + 2 };
        const w = filled(cols * depth, 'w');
        const out = { data: new Float32Array(1 + rows * (cols + 1)), offset: 1, stride: cols + 1 };
        multiplyTransposed(out, x, w, rows, cols, depth);
        for (let r = 0; r < rows; r++) {
          for (let c = 0; c < cols; c++) {
            let sum = 0;
            for (let k = 0; k < depth; k++) sum += x.data[3 + r * x.stride + k]! * w[c * depth + k]!;
            expect(out.data[1 + r * out.stride + c]).toBe(Math.fround(sum));
          }
          expect(out.data[1 + r * out.stride + cols]).toBe(0);
        }
      }),
    );
  });

  it('addOuterSum adds the sum over the rows, also over several chunks', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(1, 63, 64, 65, 130), ([, m, n], rows) => {
        const y = { data: filled(rows * (m + 1), 'y'), offset: 1, stride: m + 1 };
        const x = { data: filled(rows * n, 'x'), offset: 0, stride: n };
        const sum = new Float64Array(m * n).fill(2);
        addOuterSum(sum, { ...y, offset: 0 }, x, rows, m, n);
        for (let i = 0; i < m; i++) {
          for (let j = 0; j < n; j++) {
            let expected = 2;
            for (let r = 0; r < rows; r++) expected += y.data[r * (m + 1) + i]! * x.data[r * n + j]!;
            expect(sum[i * n + j]).toBeCloseTo(expected, 9);
          }
        }
      }),
    );
  });

  it('transpose swaps rows and columns', () => {
    const into = new Float32Array(6);
    transpose(into, Float32Array.of(1, 2, 3, 4, 5, 6), 2, 3);
    expect([...into]).toEqual([1, 4, 2, 5, 3, 6]);
  });
});
