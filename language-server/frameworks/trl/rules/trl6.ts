import { evalGroup, exact } from '../batch';
import type { Batch, BatchKey } from '../batch';
import { greatestCommonDivisor, isCount, processWords } from '../../../config/numbers';
import { refused } from './rule';
import type { BatchRule } from './rule';

/**
 * TRL6: with evaluation on, per_device_eval_batch_size × processes is a multiple of num_generations_eval
 * (of num_generations where that is unset). Source: GRPOConfig.__post_init__.
 */
export const trl6: BatchRule = {
  id: 'TRL6',
  check(batch, processes) {
    const { perDeviceEval } = batch;
    const group = evalGroup(batch);
    if (!batch.evaluates || typeof perDeviceEval !== 'number' || group === undefined || group === 0)
      return undefined;
    const name = batch.generationsEval
      ? 'num_generations_eval'
      : 'num_generations (num_generations_eval is not set)';
    if (processes === null) {
      if (!isCount(perDeviceEval) || !isCount(group)) return undefined;
      const step = group / greatestCommonDivisor(group, perDeviceEval);
      if (step === 1) return undefined;
      const message =
        `Valid when the number of processes is a multiple of ${step}: evaluation is on, and ` +
        `per_device_eval_batch_size ${perDeviceEval} × processes must be a multiple of ${name} ${group}.`;
      return { kind: 'depends', message, marks: marksOf(batch), validAlone: false };
    }
    const total = exact(perDeviceEval * processes);
    if (total === undefined || total % group === 0) return undefined;
    return refused(
      `Evaluation is on, and per_device_eval_batch_size ${perDeviceEval} × ${processWords(processes)} = ${total} ` +
        `rollouts is not divisible by ${name} ${group}, so TRL refuses the file.`,
      ...marksOf(batch),
    );
  },
};

function marksOf(batch: Batch): BatchKey[] {
  return ['perDeviceEval', batch.generationsEval ? 'generationsEval' : 'generations'];
}
