import type { ConfigFramework } from '../../protocol/editor/editor';

/**
 * The same idea in every framework: what each calls it. Source: the frameworks' own schemas; the unit is what the
 * number counts there.
 */
export interface Idea {
  readonly words: string;
  readonly names: Partial<Readonly<Record<ConfigFramework, string>>>;
}

export const IDEAS: readonly Idea[] = [
  {
    words: 'rollouts per prompt',
    names: {
      trl: 'num_generations',
      verl: 'actor_rollout_ref.rollout.n',
      openrlhf: 'rollout.n_samples_per_prompt',
      skyrl: 'generator.n_samples_per_prompt',
      areal: 'gconfig.n_samples',
      slime: 'n-samples-per-prompt',
      roll: 'num_return_sequences_in_group',
      'nemo-rl': 'grpo.num_generations_per_prompt',
      'prime-rl': 'orchestrator.group_size',
      'ms-swift': 'num_generations',
    },
  },
  {
    words: 'prompts (or rollouts) per step',
    names: {
      trl: 'generation_batch_size',
      verl: 'data.train_batch_size',
      openrlhf: 'rollout.batch_size',
      skyrl: 'trainer.train_batch_size',
      areal: 'train_dataset.batch_size',
      slime: 'rollout-batch-size',
      roll: 'rollout_batch_size',
      'nemo-rl': 'grpo.num_prompts_per_step',
      'prime-rl': 'orchestrator.batch_size',
      'ms-swift': 'generation_batch_size',
    },
  },
  {
    words: 'batch of an optimizer step',
    names: {
      verl: 'actor_rollout_ref.actor.ppo_mini_batch_size',
      openrlhf: 'train.batch_size',
      skyrl: 'trainer.policy_mini_batch_size',
      slime: 'global-batch-size',
      'nemo-rl': 'policy.train_global_batch_size',
    },
  },
  {
    words: 'longest answer in tokens',
    names: {
      trl: 'max_completion_length',
      verl: 'data.max_response_length',
      openrlhf: 'rollout.max_new_tokens',
      skyrl: 'generator.sampling_params.max_generate_length',
      areal: 'gconfig.max_new_tokens',
      slime: 'rollout-max-response-len',
      roll: 'response_length',
      'nemo-rl': 'policy.generation.max_new_tokens',
      'prime-rl': 'orchestrator.train.sampling.max_completion_tokens',
      'ms-swift': 'max_completion_length',
    },
  },
  {
    words: 'sampling temperature',
    names: {
      trl: 'temperature',
      verl: 'actor_rollout_ref.rollout.temperature',
      openrlhf: 'rollout.temperature',
      skyrl: 'generator.sampling_params.temperature',
      areal: 'gconfig.temperature',
      slime: 'rollout-temperature',
      roll: 'actor_infer.generating_args.temperature',
      'nemo-rl': 'policy.generation.temperature',
      'prime-rl': 'orchestrator.train.sampling.temperature',
      'ms-swift': 'temperature',
    },
  },
  {
    words: 'dropping groups whose rewards are all equal',
    names: {
      verl: 'algorithm.filter_groups.enable',
      openrlhf: 'algo.dynamic_filtering_enable',
      skyrl: 'trainer.algorithm.dynamic_sampling.type',
      slime: 'dynamic-sampling-filter-path',
      'nemo-rl': 'grpo.use_dynamic_sampling',
      'ms-swift': 'dynamic_sample',
    },
  },
  {
    words: 'staleness of rollouts in policy versions',
    names: {
      skyrl: 'trainer.fully_async.max_staleness_steps',
      areal: 'rollout.max_head_offpolicyness',
      openrlhf: 'train.async_queue_size',
      roll: 'async_generation_ratio',
      'nemo-rl': 'grpo.async_grpo.max_trajectory_age_steps',
      'prime-rl': 'orchestrator.max_off_policy_steps',
    },
  },
];

/** Short names that people carry over from another framework: last part, underscores → idea. */
const CARRIED: ReadonlyMap<string, Idea> = new Map(
  IDEAS.flatMap((idea) =>
    [...Object.values(idea.names)].map((name) => [lastPart(name), idea] as const),
  ).filter(
    ([name]) => !['n', 'batch_size', 'temperature', 'type', 'enable', 'max_new_tokens'].includes(name),
  ),
);

function lastPart(name: string): string {
  return (name.split('.').at(-1) ?? name).replaceAll('-', '_');
}

/** The key of this framework for what another calls so; undefined where there is none. */
export function carriedOver(framework: ConfigFramework, name: string): string | undefined {
  const own = CARRIED.get(lastPart(name))?.names[framework];
  return own !== undefined && lastPart(own) !== lastPart(name) ? own : undefined;
}

/** What other frameworks call a key, as a line for a person; empty where nothing is known. */
export function elsewhereWords(framework: ConfigFramework, name: string): string {
  const idea = IDEAS.find((each) => each.names[framework] === name);
  if (!idea) return '';
  return Object.entries(idea.names)
    .filter(([other]) => other !== framework)
    .map(([other, key]) => `${other} \`${key}\``)
    .join(' · ');
}
