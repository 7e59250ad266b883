import { readContainer, writeContainer } from '../policy/binaryContainer';
import { JsonFields } from '../policy/jsonFields';
import { parameterCount, viewParameters } from '../policy/policyParameters';
import { readShape } from '../policy/weights';
import { GrpoTrainer } from './grpoTrainer';
import type { GrpoOptions } from './grpoTrainer';

const MAGIC = 'RSCK';
const VERSION = 1;
const WHAT = 'checkpoint of the sample run';

export interface RestoredTrainer {
  readonly trainer: GrpoTrainer;
  /** What the caller saved beside the trainer, for example the step and its plan. */
  readonly extra: unknown;
}

/**
 * The whole state of a trainer as bytes: weights, Adam's moments, counters, options, seed. Draws need no
 * state (they are looked up by seed, key and position), so a run that is started from these bytes goes
 * on exactly as the one that saved them.
 * @param extra JSON of the caller's own, handed back by loadCheckpoint
 */
export function saveCheckpoint(trainer: GrpoTrainer, extra: unknown): Uint8Array {
  const { parameters, adam } = trainer;
  const header = {
    version: VERSION,
    shape: parameters.shape,
    seed: trainer.seed,
    options: trainer.options,
    updates: trainer.updates,
    adamUpdates: adam.updates,
    extra,
  };
  return writeContainer(MAGIC, header, [Float32Array.from(parameters.values), adam.first, adam.second]);
}

/** Reads a checkpoint. Throws an Error that says what is wrong with it. */
export function loadCheckpoint(bytes: Uint8Array): RestoredTrainer {
  const { header, arrays } = readContainer(bytes, MAGIC, WHAT, (json) => {
    const fields = new JsonFields(json, 'header');
    if (fields.integer('version') !== VERSION) {
      throw new Error(`This ${WHAT} has version ${fields.integer('version')}; version ${VERSION} is needed.`);
    }
    const count = parameterCount(readShape(fields.fields('shape')));
    return [count, count, count];
  });
  const fields = new JsonFields(header, 'header');
  const parameters = viewParameters(readShape(fields.fields('shape')), arrays[0]!);
  const trainer = new GrpoTrainer(parameters, fields.number('seed'), readOptions(fields.fields('options')));
  trainer.updates = fields.integer('updates');
  trainer.adam.restore(arrays[1]!, arrays[2]!, fields.integer('adamUpdates'));
  return { trainer, extra: fields.value('extra') };
}

function readOptions(fields: JsonFields): GrpoOptions {
  const adam = fields.fields('adam');
  return {
    learningRate: fields.number('learningRate'),
    clipLow: fields.number('clipLow'),
    clipHigh: fields.number('clipHigh'),
    minibatches: fields.integer('minibatches', 1),
    epochs: fields.integer('epochs', 1),
    normaliser: fields.string('normaliser') === 'rollouts' ? 'rollouts' : 'tokens',
    adam: {
      beta1: adam.number('beta1'),
      beta2: adam.number('beta2'),
      epsilon: adam.number('epsilon'),
      maxGradNorm: adam.number('maxGradNorm'),
    },
  };
}
