import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../protocol/editor/editor';
import type { ConfigFiles } from '../framework';
import { openConfig } from '../openConfig';

/**
 * Public configs rebuilt from their keys and values; each is a trap for a rule without its condition. None may give an
 * error. Source: the repositories at the commits of the facts page on public configs.
 */
const main = (...words: string[]): string =>
  `set -x\npython3 -m verl.trainer.main_ppo \\\n  ${words.join(' \\\n  ')} "$@"\n`;
const sky = (...words: string[]): string =>
  `uv run -m skyrl.train.entrypoints.main_base ${words.join(' ')} $@\n`;
const areal = (n: number, size: string, batch: number): string =>
  `gconfig:\n  n_samples: ${n}\nactor:\n  reward_norm:\n    mean_level: group\n    std_level: group\n    group_size: ${size}\ntrain_dataset:\n  batch_size: ${batch}\n`;
const prime = (body: string): string => `max_steps = 20\n[orchestrator]\n${body}`;

const FILES: readonly [name: string, path: string, framework: string, text: string][] = [
  ['areal gsm8k_grpo', 'a.yaml', 'areal', areal(4, '${gconfig.n_samples}', 256)],
  ['areal boba_grpo', 'a.yaml', 'areal', areal(16, '16', 32)],
  [
    'areal ppo with a critic',
    'a.yaml',
    'areal',
    'gconfig:\n  n_samples: 1\ntrain_dataset:\n  batch_size: 256\n',
  ],
  ['areal online_rollout', 'a.yaml', 'areal', areal(1, '1', 4)],
  [
    'areal endless staleness',
    'a.yaml',
    'areal',
    'gconfig:\n  n_samples: 8\nrollout:\n  max_head_offpolicyness: 1000000000\n',
  ],
  [
    'roll rlvr_megatron',
    'a.yaml',
    'roll',
    'rollout_batch_size: 64\nnum_return_sequences_in_group: 8\nactor_train:\n  device_mapping: list(range(0,16))\n  strategy_args:\n    strategy_name: megatron_train\n  training_args:\n    per_device_train_batch_size: 1\n    gradient_accumulation_steps: 32\n',
  ],
  [
    'roll rlvr_fsdp2',
    'a.yaml',
    'roll',
    'rollout_batch_size: 16\nnum_return_sequences_in_group: 8\nactor_train:\n  device_mapping: list(range(0,32))\n  strategy_args:\n    strategy_name: fsdp2_train\n  training_args:\n    per_device_train_batch_size: 1\n    gradient_accumulation_steps: 4\n',
  ],
  [
    'roll topr',
    'a.yaml',
    'roll',
    'rollout_batch_size: 512\nnum_return_sequences_in_group: 1\nadv_estimator: topr\n',
  ],
  [
    'roll None as text',
    'a.yaml',
    'roll',
    'rollout_batch_size: 64\nnum_return_sequences_in_group: 8\nreward_norm: None\n',
  ],
  [
    'nemo base',
    'a.yaml',
    'nemo-rl',
    'grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\npolicy:\n  train_global_batch_size: 512\n  dtensor_cfg:\n    lora_cfg:\n      lora_dtype: None\n',
  ],
  [
    'nemo child',
    'child.yaml',
    'nemo-rl',
    'defaults: base.yaml\ngrpo:\n  num_prompts_per_step: 64\n  num_generations_per_prompt: 32\npolicy:\n  train_global_batch_size: ${mul:${grpo.num_prompts_per_step},8}\n',
  ],
  [
    'nemo smoke',
    'a.yaml',
    'nemo-rl',
    'grpo:\n  num_prompts_per_step: 2\n  num_generations_per_prompt: 4\npolicy:\n  train_global_batch_size: 8\n',
  ],
  [
    'nemo recipe over a lost parent',
    'a.yaml',
    'nemo-rl',
    'defaults: ../../nowhere.yaml\ngrpo:\n  num_prompts_per_step: 3\npolicy:\n  model_name: x\n',
  ],
  ['prime reverse-text', 'rl.toml', 'prime-rl', prime('batch_size = 128\ngroup_size = 16\n')],
  [
    'prime rae',
    'rl.toml',
    'prime-rl',
    prime('batch_size = 32\ngroup_size = 1\n[orchestrator.algo]\ntype = "rae"\n'),
  ],
  [
    'prime concurrency',
    'rl.toml',
    'prime-rl',
    prime(
      'batch_size = 128\ngroup_size = 8\n[orchestrator.concurrency]\ninitial_inflight = 64\nmax_inflight = 256\n',
    ),
  ],
  ['prime group unset', 'rl.toml', 'prime-rl', prime('batch_size = 512\n')],
  [
    'verl qwen3 8b',
    'run.sh',
    'verl',
    main(
      'data.train_batch_size=1024',
      'actor_rollout_ref.rollout.n=5',
      'actor_rollout_ref.actor.ppo_mini_batch_size=256',
      'actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=32',
      'algorithm.adv_estimator=grpo',
      'trainer.n_gpus_per_node=8',
    ),
  ],
  [
    'verl dapo recipe',
    'run.sh',
    'verl',
    'python3 -m recipe.dapo.main_dapo data.train_batch_size=512 actor_rollout_ref.rollout.n=16 actor_rollout_ref.actor.ppo_mini_batch_size=32 algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc trainer.n_gpus_per_node=8 trainer.nnodes=16\n',
  ],
  [
    'verl fully async',
    'run.sh',
    'verl',
    'python -m verl.experimental.fully_async_policy.fully_async_main data.train_batch_size=0 data.gen_batch_size=1 actor_rollout_ref.rollout.n=16\n',
  ],
  [
    'verl distillation',
    'run.sh',
    'verl',
    main(
      'data.train_batch_size=128',
      'actor_rollout_ref.rollout.n=1',
      'algorithm.adv_estimator=grpo',
      'distillation.enabled=True',
      'actor_rollout_ref.actor.use_dynamic_bsz=True',
      'actor_rollout_ref.actor.ppo_mini_batch_size=128',
    ),
  ],
  [
    'verl megatron',
    'run.sh',
    'verl',
    main(
      'model_engine=megatron',
      'data.train_batch_size=64',
      'actor_rollout_ref.rollout.n=5',
      'actor_rollout_ref.actor.use_dynamic_bsz=True',
      'actor_rollout_ref.actor.ppo_mini_batch_size=64',
      'trainer.n_gpus_per_node=8',
      'trainer.nnodes=16',
    ),
  ],
  [
    'verl yaml',
    'ppo.yaml',
    'verl',
    "hydra:\n  searchpath: []\ndefaults:\n  - actor@actor_rollout_ref.actor: dp_actor\n  - _self_\nactor_rollout_ref:\n  rollout:\n    'n': 1\n    name: ???\n    prompt_length: ${oc.select:data.max_prompt_length,512}\nalgorithm:\n  adv_estimator: gae\n",
  ],
  [
    'skyrl 32b',
    'run.sh',
    'skyrl',
    sky(
      'trainer.train_batch_size=32',
      'trainer.policy_mini_batch_size=32',
      'generator.n_samples_per_prompt=4',
      'trainer.placement.policy_num_gpus_per_node=8',
      'trainer.placement.policy_num_nodes=2',
      'trainer.micro_train_batch_size_per_gpu=8',
    ),
  ],
  [
    'skyrl dapo',
    'run.sh',
    'skyrl',
    sky(
      'trainer.train_batch_size=512',
      'trainer.policy_mini_batch_size=32',
      'generator.n_samples_per_prompt=16',
      'trainer.placement.policy_num_gpus_per_node=8',
      'trainer.placement.policy_num_nodes=2',
      'trainer.micro_train_batch_size_per_gpu=2',
      'trainer.algorithm.dynamic_sampling.type=null',
    ),
  ],
  [
    'slime qwen3 4b',
    'run.sh',
    'slime',
    'A=(\n  --rollout-batch-size 32\n  --n-samples-per-prompt 8\n  --global-batch-size 256\n  --num-rollout 3000\n)\nray job submit -- python3 train.py "${A[@]}" --tensor-model-parallel-size 2 --sequence-parallel\n',
  ],
  [
    'slime steps per rollout',
    'run.sh',
    'slime',
    'python3 train.py --rollout-batch-size 128 --n-samples-per-prompt 8 --num-rollout 100 --num-steps-per-rollout 4 --over-sampling-batch-size 256\n',
  ],
  [
    'openrlhf dapo',
    'run.sh',
    'openrlhf',
    'python3 -m openrlhf.cli.train_ppo_ray --rollout.batch_size 128 --rollout.n_samples_per_prompt 8 --train.batch_size 128 --algo.advantage.estimator group_norm --algo.dynamic_filtering_enable --algo.dynamic_filtering_range 0.0 1.0 --reward.remote_url r.py\n',
  ],
  [
    'openrlhf ppo',
    'run.sh',
    'openrlhf',
    'python3 -m openrlhf.cli.train_ppo_ray --rollout.batch_size 1024 --train.batch_size 128 --actor.adam.lr 5e-7\n',
  ],
];

const PARENT =
  'grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\npolicy:\n  train_global_batch_size: 512\n';
const files: ConfigFiles = {
  read: async (_, name) => (name === 'base.yaml' ? { path: 'base.yaml', text: PARENT } : null),
};

describe('a public config', () => {
  it.each(FILES)('%s has no error', async (_, path, framework, text) => {
    const config = await openConfig(text, path, DEFAULT_EDITOR_SETTINGS, null, files);
    expect(config?.description.framework).toBe(framework);
    expect(
      config?.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    ).toEqual([]);
  });

  it('is judged over its parent', async () => {
    const text = 'defaults: base.yaml\npolicy:\n  train_global_batch_size: 500\n';
    const config = await openConfig(text, 'child.yaml', DEFAULT_EDITOR_SETTINGS, null, files);
    expect(config?.findings.map(({ code, range }) => [code, range.start.line])).toEqual([['nemo-rl.N4', 2]]);
  });

  it('whose parents go in a circle is read all the same', async () => {
    const circle: ConfigFiles = {
      read: async (_, name) => ({ path: name, text: 'defaults: a.yaml\ngrpo: {}\n' }),
    };
    const text = 'defaults: a.yaml\ngrpo:\n  num_prompts_per_step: 1\npolicy: {}\n';
    expect(await openConfig(text, 'x.yaml', DEFAULT_EDITOR_SETTINGS, null, circle)).not.toBeNull();
  });
});

describe('what is none of these', () => {
  it.each([
    ['a build script', 'build.sh', '#!/bin/bash\nset -e\nmake -j8\npython3 setup.py install\n'],
    ['a training script of another kind', 'train.sh', 'torchrun train.py --lr 1e-3\n'],
    ['a Cargo file', 'Cargo.toml', '[package]\nname = "x"\n'],
    ['a pyproject', 'pyproject.toml', '[project]\nname = "orchestrator"\n'],
    ['a template of a script', 'x.yaml', 'grpo:\n  num_prompts_per_step: {{ n }}\npolicy:\n  x: 1\n'],
    ['a workflow', 'ci.yaml', 'on: push\njobs:\n  test:\n    steps: []\n'],
  ])('%s is left alone', async (_, path, text) => {
    expect(await openConfig(text, path, DEFAULT_EDITOR_SETTINGS)).toBeNull();
  });
});

describe('no text', () => {
  it('makes it throw, or gives two answers', async () => {
    for (const [, path, , text] of FILES) {
      for (let at = 0; at <= text.length; at += 7) {
        for (const broken of [
          text.slice(0, at),
          `${text.slice(0, at)}\t"[${text.slice(at)}`,
          text.slice(at),
        ]) {
          const first = await openConfig(broken, path, DEFAULT_EDITOR_SETTINGS, null, files);
          const second = await openConfig(broken, path, DEFAULT_EDITOR_SETTINGS, null, files);
          expect(second?.findings).toEqual(first?.findings);
          first?.hover(at);
          first?.complete(at);
        }
      }
    }
  });
});
