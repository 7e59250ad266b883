import type { Config } from '../../config/config';
import { nearestWords, proposeNearest } from '../../config/rule';
import type { Rule } from '../../config/rule';

const BATCH = 'rollout_batch_size';
const GROUP = 'num_return_sequences_in_group';
const TRAIN = 'actor_train';

/** GPUs of `list(range(a,b))` or of a list of numbers. */
function deviceCount(config: Config): number | undefined {
  const value = config.value(`${TRAIN}.device_mapping`);
  if (value?.kind === 'list') return value.items.length;
  if (value?.kind !== 'str') return undefined;
  const range = /^list\(range\(\s*(?:(\d+)\s*,\s*)?(\d+)\s*\)\)$/.exec(value.value);
  if (range) return Number(range[2]) - Number(range[1] ?? 0);
  return /^\[\d+(?:\s*,\s*\d+)*\]$/.test(value.value) ? value.value.split(',').length : undefined;
}

/** Data-parallel workers of a Megatron trainer; undefined: not known, or another strategy. */
function megatronWorkers(config: Config): number | undefined {
  const strategy = `${TRAIN}.strategy_args`;
  if (config.text(`${strategy}.strategy_name`) !== 'megatron_train') return undefined;
  const gpus = deviceCount(config);
  const sizes = ['tensor_model_parallel_size', 'pipeline_model_parallel_size', 'context_parallel_size'].map(
    (name) => {
      const key = `${strategy}.strategy_config.${name}`;
      return config.isSet(key) ? config.count(key) : 1;
    },
  );
  let share = 1;
  for (const size of sizes) {
    if (size === undefined) return undefined;
    share *= size;
  }
  return gpus === undefined || gpus % share !== 0 ? undefined : gpus / share;
}

/** Source of all: roll/configs and roll/pipeline at 8eb27cc2. */
export const ROLL_RULES: readonly Rule[] = [
  {
    id: 'R3',
    check(config) {
      const batch = config.count(BATCH);
      const workers = megatronWorkers(config);
      if (batch === undefined || workers === undefined || batch % workers === 0 || !config.isSet(BATCH))
        return undefined;
      return {
        severity: 'error',
        message: `${BATCH} ${batch} is not divisible by ${workers} data-parallel Megatron workers${nearestWords(batch, (value) => value % workers === 0)}: the run hangs without a word.`,
        about: [BATCH, `${TRAIN}.device_mapping`],
        proposals: proposeNearest(config, BATCH, (value) => value % workers === 0),
      };
    },
  },
  {
    id: 'R4',
    check(config) {
      const [batch, group, workers] = [config.count(BATCH), config.count(GROUP), megatronWorkers(config)];
      const device = `${TRAIN}.training_args.per_device_train_batch_size`;
      const accumulation = `${TRAIN}.training_args.gradient_accumulation_steps`;
      const [perDevice, steps] = [config.count(device), config.count(accumulation)];
      if (batch === undefined || group === undefined || workers === undefined || batch % workers !== 0)
        return undefined;
      if (
        perDevice === undefined ||
        steps === undefined ||
        config.flag(`${TRAIN}.use_dynamic_batching_in_train`) === true
      )
        return undefined;
      if (!config.isSet(device) || !config.isSet(accumulation)) return undefined;
      const share = (batch * group) / workers;
      if (share % (perDevice * steps) === 0) return undefined;
      return {
        severity: 'error',
        message: `${batch} prompts × ${group} rollouts / ${workers} workers = ${share} is not divisible by ${perDevice} per device × ${steps} accumulated = ${perDevice * steps}. It fails after the first rollout.`,
        about: [accumulation, device, BATCH],
        proposals: proposeNearest(config, accumulation, (value) => share % (perDevice * value) === 0),
      };
    },
  },
  {
    id: 'R5',
    check(config) {
      const ratio = config.number('async_generation_ratio');
      const level = config.number('generate_opt_level');
      if (ratio === undefined || ratio <= 0 || level === undefined || level === 1) return undefined;
      return {
        severity: 'error',
        message: `async_generation_ratio ${ratio} needs generate_opt_level 1; it is ${level}.`,
        about: ['generate_opt_level', 'async_generation_ratio'],
        proposals: [{ key: 'generate_opt_level', value: '1' }],
      };
    },
  },
];
