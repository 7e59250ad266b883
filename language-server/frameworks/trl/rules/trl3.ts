import { exact, passesPerRound, roundSize } from '../batch';
import type { Batch, BatchKey } from '../batch';
import { greatestCommonDivisor, isCount, processWords } from '../../../config/numbers';
import { refused } from './rule';
import type { BatchRule, Violation } from './rule';

/**
 * TRL3: the rollouts of a generation round are a multiple of num_generations, so that every group is whole.
 * The round is generation_batch_size, or per_device_train_batch_size × processes × (steps_per_generation or
 * gradient_accumulation_steps); before 0.18 per_device_train_batch_size × processes.
 * Source: GRPOConfig.__post_init__.
 */
export const trl3: BatchRule = {
  id: 'TRL3',
  check(batch, processes) {
    const { generations } = batch;
    if (typeof generations !== 'number' || generations === 0) return undefined;
    if (bothSet(batch)) return undefined;
    if (processes === null && typeof batch.generationBatch !== 'number')
      return forAnyProcesses(batch, generations);
    const round = roundSize(batch, processes ?? 1);
    if (round === undefined || round % generations === 0) return undefined;
    const message =
      `${roundWords(batch, round, processes ?? 1)} is not divisible by num_generations ${generations}, so the last ` +
      'group would be cut and TRL refuses the file.';
    return refused(message, ...marksOf(batch));
  },
};

function forAnyProcesses(batch: Batch, generations: number): Violation | undefined {
  const passes = passesPerRound(batch);
  if (typeof batch.perDevice !== 'number' || passes === undefined) return undefined;
  const perProcess = exact(batch.perDevice * passes);
  if (perProcess === undefined || !isCount(perProcess) || !isCount(generations)) return undefined;
  const step = generations / greatestCommonDivisor(generations, perProcess);
  if (step === 1) return undefined;
  const message =
    `Valid when the number of processes is a multiple of ${step}: ${productWords(batch)} = ${perProcess} rollouts ` +
    `a process, and all processes together must hold whole groups of num_generations ${generations}.`;
  return { kind: 'depends', message, marks: marksOf(batch), validAlone: false };
}

function bothSet(batch: Batch): boolean {
  return typeof batch.generationBatch === 'number' && batch.stepsPerGeneration !== null;
}

function roundWords(batch: Batch, round: number, processes: number): string {
  if (typeof batch.generationBatch === 'number') return `generation_batch_size ${round}`;
  return `${productWords(batch)} × ${processWords(processes)} = ${round} rollouts`;
}

function productWords(batch: Batch): string {
  const device = `per_device_train_batch_size ${batch.perDevice ?? ''}`;
  if (batch.roundIsOnePass) return device;
  const passes = batch.stepsPerGeneration === null ? 'gradient_accumulation_steps' : 'steps_per_generation';
  return `${device} × ${passes} ${passesPerRound(batch) ?? ''}`;
}

function marksOf(batch: Batch): BatchKey[] {
  if (typeof batch.generationBatch === 'number') return ['generations', 'generationBatch', 'perDevice'];
  const passes = batch.stepsPerGeneration === null ? 'accumulation' : 'stepsPerGeneration';
  return ['generations', passes, 'perDevice'];
}
