import type { Finding } from '../../finding';
import { asNumber, kindName } from '../../yaml/pyValue';
import type { PyValue } from '../../yaml/pyValue';
import type { Batch } from './batch';
import { atValue } from './findings';
import type { TrlConfig } from './trlConfig';
import { valueOf } from './trlConfig';

/**
 * Values that the config's constructor computes with when the file is read: a wrong type or range there stops the
 * job at once. Source: TrainingArguments.__post_init__ and _validate_args (transformers 5.18), GRPOConfig (TRL 1.13).
 */
export function startFindings(config: TrlConfig, batch: Batch): Finding[] {
  return [...notComputable(config, batch), ...badRange(config)].flatMap(({ name, code, message }) => {
    const entry = config.file.entries.get(name);
    return entry ? [atValue(config.file, entry, { code, severity: 'error', message })] : [];
  });
}

interface Refusal {
  readonly name: string;
  readonly code: 'type' | 'range';
  readonly message: string;
}

const isNumber = (value: PyValue): boolean => asNumber(value) !== undefined || value.kind === 'int';
const isNull = (value: PyValue): boolean => value.kind === 'null';

function notComputable(config: TrlConfig, batch: Batch): Refusal[] {
  const unset = batch.stepsPerGeneration === null && batch.generationBatch === null;
  const bothSet = typeof batch.stepsPerGeneration === 'number' && typeof batch.generationBatch === 'number';
  const checks: readonly [
    name: string,
    active: boolean,
    allowed: (value: PyValue) => boolean,
    wanted: string,
  ][] = [
    ['num_generations', !bothSet, isNumber, 'a whole number'],
    ['per_device_train_batch_size', !bothSet, isNumber, 'a whole number'],
    ['gradient_accumulation_steps', unset, isNumber, 'a whole number'],
    ['per_device_eval_batch_size', batch.evaluates && !bothSet, isNumber, 'a whole number'],
    ['output_dir', true, (value) => value.kind === 'str' || isNull(value), 'text; put it in quotes'],
    ['logging_steps', strategy(config, 'logging_strategy') === 'steps', isNumber, 'a number'],
    ['save_steps', strategy(config, 'save_strategy') === 'steps', isNumber, 'a number'],
    [
      'eval_steps',
      strategy(config, 'eval_strategy') === 'steps',
      (value) => isNumber(value) || isNull(value),
      'a number',
    ],
    ['warmup_steps', true, isNumber, 'a number'],
    ['datasets', true, (value) => value.kind === 'list', 'a list of mappings, each with a path'],
    ['parallelism_config', true, isNull, 'null in a config file: it cannot be built from text'],
  ];
  return checks.flatMap(([name, active, allowed, wanted]) => {
    const value = valueOf(config, name);
    if (!active || !value || allowed(value)) return [];
    const message = `${name} must be ${wanted}, but YAML reads ${kindName(value)} here. TRL computes with it at once and stops.`;
    return [{ name, code: 'type' as const, message }];
  });
}

function badRange(config: TrlConfig): Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (name: string, message: string): void =>
    void refusals.push({ name, code: 'range', message });
  const empty = valueOf(config, 'torch_empty_cache_steps');
  if (empty && !isNull(empty) && !(isWholeKind(empty) && (asNumber(empty) ?? 0) > 0)) {
    refuse(
      'torch_empty_cache_steps',
      'torch_empty_cache_steps must be a whole number above 0, or null. TRL stops.',
    );
  }
  const warmup = numberOf(config, 'warmup_steps');
  if (warmup !== undefined && warmup < 0) {
    refuse('warmup_steps', `warmup_steps is ${warmup}; it must not be negative. TRL stops.`);
  }
  for (const kind of ['logging', 'eval', 'save']) {
    const name = `${kind}_steps`;
    const steps = numberOf(config, name);
    if (steps === undefined || strategy(config, `${kind}_strategy`) !== 'steps') continue;
    if (kind === 'logging' && steps === 0) {
      refuse(
        name,
        'logging_steps is 0 while logging_strategy is steps: TRL stops. Set 1 or more, or logging_strategy: "no".',
      );
    } else if (steps > 1 && !Number.isInteger(steps)) {
      refuse(
        name,
        `${name} is ${steps}: up to 1 it is a share of all steps, above 1 it must be whole. TRL stops.`,
      );
    }
  }
  return refusals;
}

function isWholeKind(value: PyValue): boolean {
  return value.kind === 'int' || value.kind === 'bool';
}

function numberOf(config: TrlConfig, name: string): number | undefined {
  const value = valueOf(config, name);
  return value && asNumber(value);
}

function strategy(config: TrlConfig, name: string): string | undefined {
  const value = valueOf(config, name);
  return value?.kind === 'str' ? value.value : undefined;
}
