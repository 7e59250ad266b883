import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../protocol/editor/editor';
import type { EditorSettings } from '../../protocol/editor/editor';
import { openConfig } from '../openConfig';

/**
 * Reports of users, as small as they can be made, and the finding that would have helped.
 * Source: the threads named; facts page on user reports, section 0.
 */
const verl = (words: string): string => `python3 -m verl.trainer.main_ppo ${words}\n`;
const VERL = 'actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 trainer.nnodes=1';
const CASES: readonly [
  thread: string,
  path: string,
  text: string,
  code: string,
  severity: string,
  words: string,
  settings?: Partial<EditorSettings>,
][] = [
  [
    'trl#2858',
    'a.yaml',
    'num_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 1\nlearning_rate: 1e-6\n',
    'trl.TRL3',
    'error',
    '8',
    { worldSize: 1, launcher: 'script' },
  ],
  ['trl PR #3199', 'a.yaml', 'num_generations: 1\nlearning_rate: 1e-6\n', 'trl.TRL4', 'error', '2'],
  [
    'open-r1#249',
    'a.yaml',
    'num_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 1\nlearning_rate: 1e-6\n',
    'trl.TRL3',
    'error',
    '7',
    { worldSize: 7, launcher: 'script' },
  ],
  [
    'trl#3980',
    'a.yaml',
    'num_generations: 8\ngeneration_batch_size: 8\nsteps_per_generation: 1\nlearning_rate: 1e-6\n',
    'trl.TRL1',
    'error',
    'steps_per_generation',
  ],
  [
    'verl#473',
    'run.sh',
    verl(`${VERL} data.train_batch_size=1 trainer.n_gpus_per_node=2 actor_rollout_ref.rollout.n=1`),
    'verl.V1',
    'error',
    '1 prompts × 1 rollouts = 1 is not divisible by 2 GPUs',
  ],
  [
    'verl#1191, #1785',
    'run.sh',
    verl(`${VERL} trainer.n_gpus_per_node=1`),
    'verl.V9',
    'error',
    'Set rollout.tensor_model_parallel_size=1',
  ],
  [
    'verl#405',
    'run.sh',
    verl(
      `${VERL} trainer.n_gpus_per_node=8 data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=8 actor_rollout_ref.rollout.n=1`,
    ),
    'verl.V6',
    'error',
    'gradient accumulation becomes 0',
  ],
  [
    'ROLL PR #135',
    'a.yaml',
    'rollout_batch_size: 60\nnum_return_sequences_in_group: 8\nactor_train:\n  device_mapping: list(range(0,16))\n  strategy_args:\n    strategy_name: megatron_train\n',
    'roll.R3',
    'error',
    'hangs',
  ],
  [
    'unsloth PR #8330',
    'a.yaml',
    'num_generations: 8\nlearnign_rate: 1e-6\nmax_steps: 3\n',
    'trl.nearMiss',
    'warning',
    'learning_rate',
  ],
  [
    'trl#4358',
    'a.yaml',
    'num_generations: 8\nmax_prompt_length: 512\nlearning_rate: 1e-6\n',
    'trl.removed',
    'warning',
    'max_prompt_length',
  ],
  [
    'axolotl PR #3113',
    'a.yaml',
    'num_generations: 8\nmax_prompt_len: 512\nlearning_rate: 1e-6\n',
    'trl.nearMiss',
    'warning',
    'max_prompt_length',
  ],
  [
    'NeMo RL PR #3595',
    'a.yaml',
    'grpo:\n  num_prompts_per_step: 32\npolicy:\n  model_name: x\ndata:\n  filter_overlong_prompts: true\n',
    'nemo-rl.unknown',
    'warning',
    'passed over',
  ],
  ['verl#4424', 'run.sh', verl(`${VERL} actor_rollout_ref.rollout.mode=sync`), 'verl.V8', 'error', 'async'],
  [
    'verl#1080',
    'run.sh',
    verl(`${VERL} actor_rollout_ref.actor.fsdp_config.grad_offload=False`),
    'verl.removed',
    'warning',
    'no gradient offload',
  ],
  [
    'ms-swift#4958',
    'run.sh',
    'swift rlhf --rlhf_type grpo --model x --max_prompt_length 512\n',
    'ms-swift.removed',
    'warning',
    'max_length',
  ],
  [
    'DAPO#28',
    'run.sh',
    'python3 -m recipe.dapo.main_dapo algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc algorithm.filter_groups.max_num_gen_batches=10 actor_rollout_ref.rollout.n=16\n',
    'verl.V13',
    'warning',
    '72 %',
  ],
  [
    'slime PR #2218',
    'run.sh',
    'python3 train.py --rollout-batch-size 64 --num-rollout 10 --over-sampling-batch-size 32\n',
    'slime.L3',
    'error',
    '32',
  ],
  [
    'CoursIA#10603',
    'run.sh',
    verl(`${VERL} algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=2`),
    'verl.smallGroup',
    'hint',
    '70 %',
  ],
  [
    'verl PR #7581',
    'run.sh',
    verl(`${VERL} algorithm.adv_estimator=rloo_vectorized actor_rollout_ref.rollout.n=1`),
    'verl.V10',
    'warning',
    'every advantage is 0',
  ],
  [
    'AReaL PR #1413',
    'a.yaml',
    'gconfig:\n  n_samples: 8\nactor:\n  reward_norm:\n    mean_level: group\n    std_level: group\n    group_size: 4\n',
    'areal.A1',
    'warning',
    '4 differs from gconfig.n_samples 8',
  ],
  [
    'X-R1#22',
    'a.yaml',
    'num_generations: 4\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 1\nlearning_rate: 1e-6\n',
    'trl.TRL3',
    'error',
    '3',
    { worldSize: 3, launcher: 'script' },
  ],
  [
    'SkyRL run_no_seq_pack.sh',
    'run.sh',
    'uv run -m skyrl.train.entrypoints.main_base trainer.placement.policy_num_gpus_per_node=4 trainer.train_batch_size=16 trainer.policy_mini_batch_size=4 trainer.micro_train_batch_size_per_gpu=8 generator.n_samples_per_prompt=5 $@\n',
    'skyrl.S3',
    'error',
    '4 prompts × 5 rollouts // 4 workers = 5',
  ],
  [
    'ROLL use_additional_prompts',
    'a.yaml',
    'rollout_batch_size: 64\nnum_return_sequences_in_group: 8\nuse_additional_prompts: true\n',
    'roll.removed',
    'warning',
    'is_use_additional_prompts',
  ],
  [
    'verl PR #6795',
    'run.sh',
    verl(`${VERL} actor_rollout_ref.rollout.single_turn_response_length=512`),
    'verl.removed',
    'warning',
    'data.max_response_length',
  ],
  [
    'OpenRLHF renamed flags',
    'run.sh',
    'python3 -m openrlhf.cli.train_ppo_ray --n_samples_per_prompt 8\n',
    'openrlhf.removed',
    'warning',
    'rollout.n_samples_per_prompt',
  ],
  [
    'prime-rl group of one',
    'rl.toml',
    '[orchestrator]\nbatch_size = 64\n',
    'prime-rl.P6',
    'information',
    'its default',
  ],
  [
    'prime-rl uneven batch',
    'rl.toml',
    '[orchestrator]\nbatch_size = 64\ngroup_size = 5\n',
    'prime-rl.P2',
    'error',
    'nearest: 65 or 60',
  ],
  [
    'prime-rl typo',
    'rl.toml',
    '[orchestrator]\ngroup_sise = 8\n',
    'prime-rl.nearMiss',
    'error',
    'orchestrator.group_size',
  ],
  [
    'comment in a continuation',
    'run.sh',
    'python3 -m verl.trainer.main_ppo \\\n  data.train_batch_size=64 \\\n  # trainer.nnodes=1 \\\n  trainer.n_gpus_per_node=8\n',
    'verl.commentInContinuation',
    'warning',
    'no arguments',
  ],
];

describe('a reported case', () => {
  it.each(CASES)('%s', async (_, path, text, code, severity, words, settings = {}) => {
    const config = await openConfig(text, path, { ...DEFAULT_EDITOR_SETTINGS, ...settings });
    const found = (config?.findings ?? []).filter((finding) => finding.code === code);
    expect([...new Set(found.map((finding) => finding.severity))]).toEqual([severity]);
    expect(found[0]?.message).toContain(words);
  });
});

describe('a finding in a script', () => {
  it('stands where the value can be changed, and its fix changes it there', async () => {
    const text = `bs=\${BS:-64}\nmini=48\n${verl(`${VERL} trainer.n_gpus_per_node=8 data.train_batch_size=$bs actor_rollout_ref.actor.ppo_mini_batch_size=$mini actor_rollout_ref.rollout.n=4`)}`;
    const config = await openConfig(text, 'run.sh', DEFAULT_EDITOR_SETTINGS);
    const finding = config?.findings.find(({ code }) => code === 'verl.V3');
    expect(finding?.range).toEqual({ start: { line: 1, character: 5 }, end: { line: 1, character: 7 } });
    expect(finding?.fixes.map(({ title }) => title)).toEqual([
      'Set actor_rollout_ref.actor.ppo_mini_batch_size to 32',
      'Set actor_rollout_ref.actor.ppo_mini_batch_size to 64',
    ]);
  });

  it('keeps silent where a number is not known', async () => {
    const text = verl(`${VERL} data.train_batch_size=$BS trainer.n_gpus_per_node=$(nvidia-smi -L | wc -l)`);
    const config = await openConfig(text, 'run.sh', DEFAULT_EDITOR_SETTINGS);
    expect(config?.findings).toEqual([]);
  });

  it('takes the last of equal overrides', async () => {
    const text = verl(`${VERL} data.train_batch_size=64 trainer.n_gpus_per_node=8 data.train_batch_size=1`);
    const config = await openConfig(text, 'run.sh', DEFAULT_EDITOR_SETTINGS);
    expect(config?.findings.map(({ code }) => code)).toContain('verl.V1');
  });
});
