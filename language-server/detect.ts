import type { ConfigFramework } from '../protocol/editor/editor';
import type { ConfigLanguage } from './framework';
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

/** What makes a YAML file one of a framework beyond doubt, by its top-level keys. Other than TRL's: see below. */
const YAML_SIGNS: readonly (readonly [
  ConfigFramework,
  (keys: ReadonlySet<string>, text: string) => boolean,
])[] = [
  ['verl', (keys) => keys.has('actor_rollout_ref')],
  ['areal', (keys) => keys.has('gconfig') && !keys.has('actor_rollout_ref')],
  ['nemo-rl', (keys, text) => isNemo(keys, text)],
  [
    'roll',
    (keys) =>
      keys.has('rollout_batch_size') &&
      (keys.has('actor_train') || keys.has('num_return_sequences_in_group')),
  ],
  ['ms-swift', (keys) => keys.has('rlhf_type')],
];

/** A recipe gives only what it changes over a parent: the parent's path and one of the sections. */
function isNemo(keys: ReadonlySet<string>, text: string): boolean {
  if (['sft', 'dpo', 'rm', 'distillation', 'env_vars'].some((key) => keys.has(key))) return false;
  const sections = ['grpo', 'policy', 'loss_fn', 'cluster'].filter((key) => keys.has(key)).length;
  if (keys.has('grpo') && sections >= 2) return true;
  if (/^grpo:[ \t]*\r?\n(?:[ \t]+.*\r?\n)*?[ \t]+num_prompts_per_step:/m.test(text)) return true;
  return sections > 0 && /^defaults:[ \t]*(?:\r?\n[ \t]*-[ \t]*)?["']?[^\s"']+\.ya?ml/m.test(text);
}

/** Programs of a framework that a script starts, as their names stand in its text. */
const SCRIPT_SIGNS: readonly (readonly [ConfigFramework, RegExp])[] = [
  [
    'verl',
    /\bverl\.(?:trainer|experimental)\.[\w.]*\bmain\w*|\brecipe\.\w+\.main_\w+|actor_rollout_ref\.rollout\./,
  ],
  ['openrlhf', /\bopenrlhf\.cli\.train_ppo_ray\b/],
  [
    'skyrl',
    /\bskyrl(?:_train)?\.[\w.]*main\w*|\bgenerator\.n_samples_per_prompt\b|\btrainer\.policy_mini_batch_size\b/,
  ],
  ['slime', /--rollout-batch-size\b/],
  ['ms-swift', /\bswift rlhf\b|\bmegatron rlhf\b/],
];

/**
 * Which framework's experiment file this is, from its text; null when it is none or in doubt.
 *
 * @param path the file's path or address; only breaks ties.
 */
export function detectFramework(
  text: string,
  path: string,
  language: ConfigLanguage = 'yaml',
): ConfigFramework | null {
  if (language === 'shellscript') return only(SCRIPT_SIGNS.filter(([, sign]) => sign.test(text)));
  if (language === 'toml') return isPrime(text) ? 'prime-rl' : null;
  const keys = new Set(topLevelKeys(text));
  return only(YAML_SIGNS.filter(([, sign]) => sign(keys, text))) ?? (isTrl(keys, path) ? 'trl' : null);
}

/** The only candidate: two frameworks in one text are a doubt. */
function only(found: readonly (readonly [ConfigFramework, unknown])[]): ConfigFramework | null {
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

function isPrime(text: string): boolean {
  return /^[ \t]*\[+[ \t]*orchestrator[\].]/m.test(text) || /^orchestrator\.[\w.]+[ \t]*=/m.test(text);
}

function isTrl(keys: ReadonlySet<string>, path: string): boolean {
  if ([...keys].some((key) => FOREIGN.has(key))) return false;
  const training = count(keys, TRAINING);
  const grpo = count(keys, GRPO_ONLY);
  const hasGroupSize = [...keys].some(isGroupSize);
  if (hasGroupSize && training + grpo > 0) return true;
  if (grpo >= 2 && training > 0) return true;
  const named = /(?:^|[/\\_.-])grpo(?:[/\\_.-]|$)/i.test(path);
  return named && training >= 2;
}

/** The language of a file by its name, or by its first line. */
export function languageOf(path: string, text: string): ConfigLanguage {
  if (/\.toml$/i.test(path)) return 'toml';
  if (/\.(?:sh|bash|slurm|sbatch)$/i.test(path) || /^#!.*\b(?:ba|z|da)?sh\b/.test(text)) return 'shellscript';
  return 'yaml';
}

function isGroupSize(key: string): boolean {
  const plain = key.replaceAll('-', '_').toLowerCase();
  return plain.length > 10 && editDistance(plain, 'num_generations', 2) <= 2;
}

function count(keys: ReadonlySet<string>, known: ReadonlySet<string>): number {
  return [...keys].filter((key) => known.has(key)).length;
}
