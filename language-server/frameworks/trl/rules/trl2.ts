import { divisors, isCount, listWords, processWords } from '../../../config/numbers';
import { refused } from './rule';
import type { BatchRule, Violation } from './rule';

/**
 * TRL2: generation_batch_size is a multiple of per_device_train_batch_size × processes.
 * Source: GRPOConfig.__post_init__.
 */
export const trl2: BatchRule = {
  id: 'TRL2',
  check(batch, processes) {
    const { generationBatch, perDevice } = batch;
    if (typeof generationBatch !== 'number' || typeof perDevice !== 'number') return undefined;
    if (batch.stepsPerGeneration !== null) return undefined;
    if (perDevice === 0) {
      const message =
        'per_device_train_batch_size is 0 while generation_batch_size is set: TRL divides by it and stops with a ' +
        'ZeroDivisionError. Set at least 1.';
      return refused(message, 'perDevice', 'generationBatch');
    }
    if (processes === null) return forAnyProcesses(generationBatch, perDevice);
    const pass = perDevice * processes;
    if (generationBatch % pass === 0) return undefined;
    const message =
      `generation_batch_size ${generationBatch} is not a multiple of per_device_train_batch_size ${perDevice} × ` +
      `${processWords(processes)} = ${pass} rollouts, so TRL refuses it.`;
    return refused(message, 'generationBatch', 'perDevice');
  },
};

function forAnyProcesses(generationBatch: number, perDevice: number): Violation | undefined {
  if (!isCount(generationBatch) || !isCount(perDevice)) return undefined;
  if (generationBatch % perDevice !== 0) {
    const message =
      `generation_batch_size ${generationBatch} is not a multiple of per_device_train_batch_size ${perDevice}, so ` +
      'TRL refuses it for every number of processes.';
    return refused(message, 'generationBatch', 'perDevice');
  }
  const rounds = generationBatch / perDevice;
  // Beyond this the list of possible numbers of processes tells a person nothing.
  const allowed = rounds <= 1_000_000 ? ` (${listWords(divisors(rounds))})` : '';
  const message =
    `Valid when the number of processes divides ${generationBatch} / ${perDevice} = ${rounds}${allowed}: ` +
    'generation_batch_size must be a multiple of per_device_train_batch_size × processes.';
  return { kind: 'depends', message, marks: ['generationBatch', 'perDevice'], validAlone: true };
}
