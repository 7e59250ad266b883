import { asNumber } from '../../yaml/pyValue';
import { isBefore } from '../../version/release';
import type { TrlConfig } from './trlConfig';
import { valueOf } from './trlConfig';

/** A number that TRL computes with; null: set to null or unset; undefined: not to be known, so rules skip. */
export type BatchNumber = number | null | undefined;

/**
 * The numbers of TRL's batch arithmetic, as the file and the defaults give them.
 * Units: rollouts ("completions" in TRL's words) unless said otherwise.
 */
export interface Batch {
  /** Rollouts a process holds in one forward pass. */
  readonly perDevice: BatchNumber;
  /** Forward passes an optimizer step. */
  readonly accumulation: BatchNumber;
  /** Rollouts a prompt. */
  readonly generations: BatchNumber;
  /** Written with a dot, as in 4.0. */
  readonly generationsIsFloat: boolean;
  /** Forward passes a generation round; null: as accumulation. */
  readonly stepsPerGeneration: BatchNumber;
  /** Rollouts a generation round over all processes; null: derived. */
  readonly generationBatch: BatchNumber;
  /** Optimizer rounds over the same rollouts. */
  readonly iterations: BatchNumber;
  readonly evaluates: boolean;
  readonly perDeviceEval: BatchNumber;
  /** Null: as generations. */
  readonly generationsEval: BatchNumber;
  /** Before 0.18 a generation round was one forward pass on every process. */
  readonly roundIsOnePass: boolean;
}

/** Keys of {@link Batch} that a person can set, in TRL's names. */
export const BATCH_KEYS = {
  perDevice: 'per_device_train_batch_size',
  accumulation: 'gradient_accumulation_steps',
  generations: 'num_generations',
  stepsPerGeneration: 'steps_per_generation',
  generationBatch: 'generation_batch_size',
  iterations: 'num_iterations',
  perDeviceEval: 'per_device_eval_batch_size',
  generationsEval: 'num_generations_eval',
} as const;

export type BatchKey = keyof typeof BATCH_KEYS;

export function readBatch(config: TrlConfig): Batch {
  const read = (key: BatchKey): BatchNumber => {
    const value = valueOf(config, BATCH_KEYS[key]);
    if (!value) return undefined;
    return value.kind === 'null' ? null : asNumber(value);
  };
  const roundIsOnePass = isBefore(config.version, [0, 18]);
  const strategy = valueOf(config, 'eval_strategy');
  return {
    perDevice: read('perDevice'),
    accumulation: read('accumulation'),
    generations: read('generations'),
    generationsIsFloat: valueOf(config, BATCH_KEYS.generations)?.kind === 'float',
    stepsPerGeneration: roundIsOnePass ? 1 : read('stepsPerGeneration'),
    generationBatch: roundIsOnePass ? null : read('generationBatch'),
    iterations: read('iterations'),
    evaluates: strategy?.kind === 'str' && (strategy.value === 'steps' || strategy.value === 'epoch'),
    perDeviceEval: read('perDeviceEval'),
    generationsEval: read('generationsEval'),
    roundIsOnePass,
  };
}

/** Rollouts a generation round for a number of processes; undefined where a number is missing. */
export function roundSize(batch: Batch, processes: number): number | undefined {
  if (batch.generationBatch === undefined) return undefined;
  if (batch.generationBatch !== null) return batch.generationBatch;
  const passes = passesPerRound(batch);
  if (passes === undefined || typeof batch.perDevice !== 'number') return undefined;
  return exact(batch.perDevice * processes * passes);
}

/** Forward passes a generation round where no generation batch is set; undefined where a number is missing. */
export function passesPerRound(batch: Batch): number | undefined {
  const passes = batch.stepsPerGeneration === null ? batch.accumulation : batch.stepsPerGeneration;
  return passes ?? undefined;
}

/** The group size of evaluation; undefined where a number is missing. */
export function evalGroup(batch: Batch): number | undefined {
  if (batch.generationsEval === undefined) return undefined;
  // Python's `or`: 0 and null both fall back.
  return batch.generationsEval || (batch.generations ?? undefined);
}

/** Undefined for a number that a double may have rounded. */
export function exact(value: number): number | undefined {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}
