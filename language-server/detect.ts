import type { ConfigFramework } from '../protocol/editor/editor';
import { editDistance } from './text/editDistance';

/** Top-level keys that a text seems to set, broken or not: the names alone, in order. */
export function topLevelKeys(text: string): string[] {
  return [...text.matchAll(/^\uFEFF?["']?([A-Za-z_][\w-]*)["']?[ \t]*:(?=\s|$)/gm)].map(
    (match) => match[1] ?? '',
  );
}

/** A file with one of these at the top is a config of something else, however much it looks like TRL's GRPO. */
const FOREIGN: ReadonlySet<string> = new Set([
  'actor_rollout_ref', // verl
  'algorithm', // verl, SkyRL
  'apiVersion', // Kubernetes
  'base_model', // axolotl
  'compute_environment', // accelerate
  'defaults', // Hydra, NeMo RL
  'gconfig', // AReaL
  'normalize_advantages', // TRL's RLOO
  'num_return_sequences_in_group', // ROLL
  'num_samples_per_prompt_rollout', // open-instruct
  'reward_clip_range', // TRL's RLOO
  'rlhf_type', // ms-swift
  'rl', // axolotl
  'rollout_batch_size', // ROLL, EasyR1
  'stage', // LLaMA-Factory
]);

/** Keys that TRL's GRPO has and its other trainers do not, or hardly. */
const GRPO_ONLY: ReadonlySet<string> = new Set([
  'epsilon_high',
  'generation_batch_size',
  'importance_sampling_level',
  'loss_type',
  'mask_truncated_completions',
  'max_completion_length',
  'num_completions_to_print',
  'num_generations_eval',
  'num_iterations',
  'reward_funcs',
  'reward_weights',
  'scale_rewards',
  'steps_per_generation',
  'top_entropy_quantile',
  'use_vllm',
  'vllm_mode',
]);

/** Keys of any training file of the transformers family. */
const TRAINING: ReadonlySet<string> = new Set([
  'dataset_name',
  'gradient_accumulation_steps',
  'learning_rate',
  'logging_steps',
  'max_steps',
  'model_name_or_path',
  'num_train_epochs',
  'output_dir',
  'per_device_train_batch_size',
  'save_strategy',
]);

/**
 * Which framework's experiment file this is, from its top-level keys; null when it is none or in doubt.
 *
 * @param path the file's path or address; only breaks ties.
 */
export function detectFramework(text: string, path: string): ConfigFramework | null {
  const keys = new Set(topLevelKeys(text));
  if ([...keys].some((key) => FOREIGN.has(key))) return null;
  const training = count(keys, TRAINING);
  const grpo = count(keys, GRPO_ONLY);
  const hasGroupSize = [...keys].some(isGroupSize);
  if (hasGroupSize && training + grpo > 0) return 'trl';
  if (grpo >= 2 && training > 0) return 'trl';
  const named = /(?:^|[/\\_.-])grpo(?:[/\\_.-]|$)/i.test(path);
  return named && training >= 2 ? 'trl' : null;
}

function isGroupSize(key: string): boolean {
  const plain = key.replaceAll('-', '_').toLowerCase();
  return plain.length > 10 && editDistance(plain, 'num_generations', 2) <= 2;
}

function count(keys: ReadonlySet<string>, known: ReadonlySet<string>): number {
  return [...keys].filter((key) => known.has(key)).length;
}
