import { describe, expect, it } from 'vitest';
import { imitate } from '../training/warmStart';
import { Rng } from '../../methods/random';
import { TENSOR_NAMES, initialParameters, parameterCount, viewParameters } from './policyParameters';
import { SequencePass } from './sequencePass';
import type { TrainingSequence } from './packedSequences';

const SHAPE = { vocabulary: 7, hidden: 6, query: 3, positions: 4 };

function doublePrecision(seed: number) {
  const start = initialParameters(SHAPE, Rng.from(seed).fork('start'));
  const parameters = viewParameters(SHAPE, Float64Array.from(start.values));
  const random = Rng.from(seed).fork('copy');
  // Biases and the copy matrix start at zero, where a wrong gradient could hide.
  for (const name of ['copy', 'headBias', 'candidateBias'] as const) {
    const tensor = parameters.tensors[name];
    for (let i = 0; i < tensor.length; i++) tensor[i] = random.float() - 0.5;
  }
  return parameters;
}

function sequences(seed: number, lengths: readonly number[]): TrainingSequence[] {
  const random = Rng.from(seed).fork('text');
  return lengths.map((length, i) => ({
    tokens: Array.from({ length }, () => random.below(SHAPE.vocabulary)),
    promptLength: 1 + (i % 5),
    ...(i === 1 ? { isTarget: (position: number) => position % 2 === 0 } : {}),
  }));
}

describe('sequence pass', () => {
  it('has the gradient that finite differences show, for every parameter', () => {
    const parameters = doublePrecision(1);
    const gradient = viewParameters(SHAPE, new Float64Array(parameterCount(SHAPE)));
    const scratch = viewParameters(SHAPE, new Float64Array(parameterCount(SHAPE)));
    const pass = new SequencePass(parameters, (length) => new Float64Array(length));
    const texts = sequences(2, [9, 5, 12, 6, 2, 12, 7]);
    imitate(pass, texts, gradient);
    const epsilon = 1e-5;
    for (const name of TENSOR_NAMES) {
      const tensor = parameters.tensors[name];
      let greatest = 0;
      for (let i = 0; i < tensor.length; i++) {
        const held = tensor[i]!;
        tensor[i] = held + epsilon;
        const above = imitate(pass, texts, scratch);
        tensor[i] = held - epsilon;
        const below = imitate(pass, texts, scratch);
        tensor[i] = held;
        const numeric = (above - below) / (2 * epsilon);
        const own = gradient.tensors[name][i]!;
        greatest = Math.max(greatest, Math.abs(own));
        expect(Math.abs(own - numeric), `${name}[${i}]`).toBeLessThan(1e-8 + 1e-6 * Math.abs(numeric));
      }
      expect(greatest, `${name} takes part`).toBeGreaterThan(1e-4);
    }
  });

  it('gives each sequence the same logits alone and in a batch, to the last bit', () => {
    const parameters = initialParameters(SHAPE, Rng.from(3).fork('start'));
    const texts = sequences(4, [9, 5, 12, 6, 3, 8]);
    const batched = new SequencePass(parameters);
    batched.forward(texts);
    const alone = new SequencePass(parameters);
    texts.forEach((text, s) => {
      alone.forward([text]);
      let own = 0;
      batched.outputs.forEach((output, i) => {
        if (output.sequence !== s) return;
        expect(alone.outputs[own]!.position).toBe(output.position);
        const a = alone.logitsOffset(own++);
        const b = batched.logitsOffset(i);
        for (let v = 0; v < SHAPE.vocabulary; v++) {
          expect(alone.head.out[a + v]).toBe(batched.head.out[b + v]);
        }
      });
      expect(own).toBe(alone.outputs.length);
    });
  });

  it('predicts nothing of an empty batch and of texts without targets', () => {
    const pass = new SequencePass(initialParameters(SHAPE, Rng.from(5).fork('start')));
    pass.forward([]);
    expect(pass.outputs).toEqual([]);
    pass.forward([{ tokens: [1, 2, 3], promptLength: 3 }]);
    expect(pass.outputs).toEqual([]);
  });
});
