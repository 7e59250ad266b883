import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../../protocol/editor/editor';
import { openConfig } from '../../openConfig';

/**
 * Public recipes, rebuilt from their keys and values. None may give an error, whatever the number of processes is.
 * Source: huggingface/open-r1 @1416fa0c recipes, huggingface/trl @f2cd5771 examples; facts page on public configs.
 */
const COMMON = `
model_revision: main
torch_dtype: bfloat16
attn_implementation: flash_attention_2
dataset_prompt_column: problem
system_prompt: "You are a helpful assistant. <think>\\n...\\n</think>"
chat_template: "{% for message in messages %}{{ message['content'] }}{% endfor %}"
bf16: true
use_vllm: true
do_eval: false
gradient_checkpointing: true
gradient_checkpointing_kwargs:
  use_reentrant: false
hub_strategy: every_save
learning_rate: 1.0e-06
log_completions: true
log_level: info
logging_first_step: true
logging_steps: 1
logging_strategy: steps
lr_scheduler_type: cosine_with_min_lr
lr_scheduler_kwargs:
  min_lr_rate: 0.1
max_prompt_length: 512
max_steps: -1
num_train_epochs: 1
overwrite_output_dir: true
push_to_hub: true
report_to:
- wandb
reward_funcs:
- accuracy
- format
- tag_count
reward_weights:
- 1.0
- 1.0
- 1.0
save_strategy: "epoch"
save_total_limit: 1
seed: 42
warmup_ratio: 0.1
callbacks:
- push_to_hub_revision
benchmarks:
- math_500
wandb_project: x
`;

const GRPO: readonly [name: string, own: string][] = [
  [
    'config_demo 1.5B',
    'per_device_train_batch_size: 16\ngradient_accumulation_steps: 4\nnum_generations: 16\ntemperature: 0.7\nmax_completion_length: 2048\n',
  ],
  [
    'config_demo_code',
    'per_device_train_batch_size: 16\ngradient_accumulation_steps: 4\nnum_generations: 14\nbeta: 0.01\ncode_language: python\n',
  ],
  [
    'config_codeforces',
    'per_device_train_batch_size: 4\ngradient_accumulation_steps: 32\nnum_generations: 16\nloss_type: dr_grpo\nscale_rewards: false\neval_strategy: "no"\nvllm_device: auto\n',
  ],
];

const OTHERS: readonly [name: string, path: string, text: string][] = [
  [
    'an SFT/DPO example',
    'examples/cli_configs/example_config.yaml',
    'model_name_or_path: Qwen/Qwen2.5-0.5B\ndataset_name: stanfordnlp/imdb\nreport_to: none\nlearning_rate: 0.0001\nlr_scheduler_type: cosine\n',
  ],
  [
    'an SFT recipe',
    'recipes/sft/config_demo.yaml',
    'model_name_or_path: a/b\ndataset_name: c/d\nper_device_train_batch_size: 16\ngradient_accumulation_steps: 8\nlearning_rate: 1.0e-05\nmax_length: 16384\npacking: true\n',
  ],
  [
    'an accelerate config',
    'accelerate_configs/zero3.yaml',
    'compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\nnum_processes: 8\nmixed_precision: bf16\n',
  ],
  [
    'NeMo RL',
    'examples/configs/grpo_math_1B.yaml',
    'grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\npolicy:\n  train_global_batch_size: 512\n',
  ],
  [
    'NeMo RL, inherited',
    'examples/configs/grpo_math_8B.yaml',
    'defaults: grpo_math_1B.yaml\ngrpo:\n  num_prompts_per_step: 64\n',
  ],
  [
    'ROLL',
    'examples/rlvr/grpo/rlvr_config.yaml',
    'rollout_batch_size: 64\nnum_return_sequences_in_group: 8\nmax_steps: 500\nlogging_steps: 1\nper_device_train_batch_size: 1\n',
  ],
  ['AReaL', 'examples/math/gsm8k_grpo.yaml', 'gconfig:\n  n_samples: 4\ntrain_dataset:\n  batch_size: 256\n'],
  [
    'ms-swift',
    'grpo.yaml',
    'rlhf_type: grpo\nmodel: a/b\nnum_generations: 8\nper_device_train_batch_size: 1\n',
  ],
  ['RLOO', 'rloo.yaml', 'num_generations: 8\nnormalize_advantages: true\nlearning_rate: 1e-6\n'],
  ['a compose file', 'compose.yaml', 'services:\n  web:\n    image: nginx\n'],
  ['a template', 'grpo/x.yaml', 'num_generations: {{ n }}\nlearning_rate: 1e-6\n'],
  ['nothing', 'grpo/x.yaml', ''],
];

describe('public configs', () => {
  it.each(GRPO)('%s has no error for any number of processes', async (_, own) => {
    for (const worldSize of [null, 1, 7, 8]) {
      for (const launcher of ['any', 'script'] as const) {
        // config_demo_code runs on 7 processes: its header says so.
        if (own.includes('num_generations: 14') && worldSize !== null && worldSize !== 7) continue;
        const config = await openConfig(COMMON + own, 'config.yaml', {
          ...DEFAULT_EDITOR_SETTINGS,
          worldSize,
          launcher,
        });
        expect(config).not.toBeNull();
        const loud = config?.findings.filter(({ severity }) => severity === 'error');
        expect(loud?.map(({ message }) => message)).toEqual([]);
      }
    }
  });

  it('warn only about keys that are gone', async () => {
    const config = await openConfig(COMMON + (GRPO[0]?.[1] ?? ''), 'config.yaml', {
      ...DEFAULT_EDITOR_SETTINGS,
      worldSize: 8,
    });
    const warned = config?.findings
      .filter(({ severity }) => severity === 'warning')
      .flatMap(({ about }) => about);
    expect(warned?.sort()).toEqual([
      'max_prompt_length',
      'overwrite_output_dir',
      'torch_dtype',
      'warmup_ratio',
    ]);
  });

  it.each(OTHERS)('%s is not taken for TRL, and has no error', async (_, path, text) => {
    const config = await openConfig(text, path, DEFAULT_EDITOR_SETTINGS);
    expect(config?.description.framework).not.toBe('trl');
    expect(config?.findings.filter(({ severity }) => severity === 'error') ?? []).toEqual([]);
  });
});
