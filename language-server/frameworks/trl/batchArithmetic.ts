import type { ConfigBatch } from '../../../protocol/editor/editor';
import { passesPerRound, roundSize } from './batch';
import type { Batch } from './batch';
import { isCount } from '../../config/numbers';

/**
 * The arithmetic of a config whose numbers are all known and come out even; null otherwise.
 * A round of `r` rollouts holds r / G prompts and feeds passes × iterations / accumulation optimizer steps.
 */
export function wholeBatch(batch: Batch, processes: number | null): ConfigBatch | null {
  if (processes === null) return null;
  const { perDevice, accumulation, generations, iterations } = batch;
  const round = roundSize(batch, processes);
  const passes = passesOf(batch, processes);
  if (round === undefined || passes === undefined || !isCount(round)) return null;
  if (!isNumber(perDevice) || !isNumber(accumulation) || !isNumber(generations) || !isNumber(iterations))
    return null;
  if (![perDevice, accumulation, generations, iterations].every(isCount) || round % generations !== 0)
    return null;
  return {
    rolloutsPerRound: round,
    promptsPerRound: round / generations,
    rolloutsPerPrompt: generations,
    rolloutsPerOptimizerStep: perDevice * accumulation * processes,
    optimizerStepsPerRound: (passes * iterations) / accumulation,
  };
}

/** Forward passes of each process in a generation round. */
function passesOf(batch: Batch, processes: number): number | undefined {
  if (typeof batch.generationBatch !== 'number') return passesPerRound(batch);
  if (typeof batch.stepsPerGeneration === 'number' || !isNumber(batch.perDevice)) return undefined;
  const passes = batch.generationBatch / (batch.perDevice * processes);
  return Number.isInteger(passes) ? passes : undefined;
}

/**
 * The same as lines for a person, with the numbers put in; W stands for a number of processes that is not known.
 * Empty where a number is missing.
 */
export function arithmeticLines(batch: Batch, processes: number | null): string[] {
  const { perDevice, accumulation, generations, iterations, generationBatch } = batch;
  if (!isNumber(perDevice) || !isNumber(accumulation) || !isNumber(generations)) return [];
  const fixed = isNumber(generationBatch);
  const passes = passesPerRound(batch);
  if (!fixed && passes === undefined) return [];
  const count = processes === null ? 'W' : String(processes);
  const device = `${perDevice} per device`;
  const round = fixed
    ? `${generationBatch} rollouts (generation_batch_size)`
    : `${device} × ${passes ?? ''} forward passes × ${count} processes = ${scaled(perDevice * (passes ?? 0), processes)} rollouts`;
  const lines = [`generation round: ${round}`];
  const total = fixed ? generationBatch : perDevice * (passes ?? 0);
  const isScaled = !fixed && processes === null;
  if (generations > 0) {
    const prompts = (fixed ? total : total * (processes ?? 1)) / generations;
    lines.push(
      `prompts a round: ${isScaled ? `${shown(prompts)} × W` : shown(prompts)}, each with ${generations} rollouts`,
    );
  }
  lines.push(
    `optimizer step: ${device} × ${accumulation} accumulated × ${count} processes = ${scaled(perDevice * accumulation, processes)} rollouts`,
  );
  const whole = wholeBatch(batch, processes ?? 1);
  if (whole && isNumber(iterations) && !isScaledByProcesses(fixed, processes)) {
    lines.push(`optimizer steps a round: ${shown(whole.optimizerStepsPerRound)}`);
  }
  if (!fixed)
    lines.push(
      `rewards: each process scores ${perDevice * (passes ?? 0)} rollouts a round; a group may be spread over processes`,
    );
  return lines;
}

/** With a fixed generation batch, the passes of a process depend on how many processes share it. */
function isScaledByProcesses(fixed: boolean, processes: number | null): boolean {
  return fixed && processes === null;
}

function scaled(perProcess: number, processes: number | null): string {
  return processes === null ? `${perProcess} × W` : String(perProcess * processes);
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number';
}

/**
 * Expected share of groups whose rewards are all equal, for rewards of 0 and 1 at a pass rate:
 * p^G + (1 − p)^G.
 */
export function expectedZeroGradientShare(passRate: number, generations: number): number {
  return passRate ** generations + (1 - passRate) ** generations;
}
