/** What a key counts: the words of the batch arithmetic. */
export type Unit = 'rollouts' | 'tokens' | 'steps' | 'seconds' | 'share';

export interface Meaning {
  readonly unit: Unit | null;
  readonly text: string;
}

const says = (text: string): Meaning => ({ unit: null, text });
const counts = (unit: Unit, text: string): Meaning => ({ unit, text });

/** What each key of a TRL GRPO config means, in our own words. TRL's "completion" is a rollout here. */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  // Batch
  num_generations: counts(
    'rollouts',
    'Rollouts sampled for each prompt in a step. They form one group, and each is rewarded relative to the others, so at least 2. A group whose rewards are all equal gives no gradient.',
  ),
  num_generations_eval: counts(
    'rollouts',
    'Group size of evaluation. Unset: as in training, which makes evaluation as many times more expensive.',
  ),
  per_device_train_batch_size: counts(
    'rollouts',
    'Rollouts that one process puts through the model in one forward pass. Since TRL 0.15 it counts rollouts, not prompts.',
  ),
  gradient_accumulation_steps: counts(
    'steps',
    'Forward and backward passes whose gradients are added up before one optimizer step.',
  ),
  generation_batch_size: counts(
    'rollouts',
    'Rollouts made in one generation round over all processes: prompts of the round × num_generations. Excludes steps_per_generation.',
  ),
  steps_per_generation: counts(
    'steps',
    'Forward passes that one generation round feeds. Unset: gradient_accumulation_steps, so a round feeds exactly one optimizer step. Excludes generation_batch_size.',
  ),
  num_iterations: counts(
    'steps',
    'How often the same rollouts are trained on before new ones are made (μ of GRPO). Above 1 the later passes are off-policy and the clipping starts to matter.',
  ),
  per_device_eval_batch_size: counts('rollouts', 'Rollouts that one process handles at once in evaluation.'),
  max_steps: counts(
    'steps',
    'Optimizer steps of the whole run; takes precedence over num_train_epochs. -1: by epochs.',
  ),
  num_train_epochs: says(
    'Passes over the data set. Steps follow from the prompts of a round; prompts that do not fill a last round are left out.',
  ),
  shuffle_dataset: says('Whether prompts are taken in random order.'),
  dataloader_drop_last: says('Whether a last, smaller batch is dropped.'),
  auto_find_batch_size: says(
    'Halves the batch when memory runs out. GRPO refuses it, because groups would be cut.',
  ),

  // Sampling
  max_completion_length: counts(
    'tokens',
    'Longest rollout. A rollout that reaches it is truncated and usually gets no reward.',
  ),
  temperature: says(
    'Randomness of sampling. Low values make the rollouts of a group alike, and alike rollouts give no gradient. Write 2.0, not 2.',
  ),
  top_p: counts(
    'share',
    'Samples only from the likeliest tokens that make up this probability; 1.0 is off. Below 1 the probabilities used in training differ from those sampled from.',
  ),
  top_k: counts(
    'tokens',
    'Samples only from this many likeliest tokens; 0 is off. 1 makes all rollouts equal.',
  ),
  min_p: counts('share', 'Drops tokens less likely than this share of the likeliest token.'),
  repetition_penalty: says('Above 1 makes tokens that already appeared less likely. Write 2.0, not 2.'),
  generation_kwargs: says('Further arguments of generation; they win over the keys of this file.'),
  chat_template_kwargs: says('Arguments handed to the chat template, for example to switch thinking on.'),
  cache_implementation: says('Kind of key-value cache in generation without vLLM.'),
  mask_truncated_completions: says(
    'Keeps truncated rollouts out of the loss. If all are truncated, nothing is learnt.',
  ),
  max_tool_calling_iterations: says('Most tool calls of one rollout.'),

  // vLLM
  use_vllm: says('Generates with vLLM instead of transformers.'),
  vllm_mode: says('colocate: vLLM shares the GPUs of training. server: it runs as a server of its own.'),
  vllm_model_impl: says("Whether vLLM uses its own model code or transformers'."),
  vllm_enable_sleep_mode: says('Frees the memory of vLLM while the optimizer works.'),
  vllm_structured_outputs_regex: says('A regular expression that every rollout must match.'),
  vllm_server_base_url: says('Address of the vLLM server; host and port are then ignored.'),
  vllm_server_host: says('Host of the vLLM server.'),
  vllm_server_port: says('Port of the vLLM server.'),
  vllm_server_timeout: counts('seconds', 'How long to wait for the vLLM server to come up.'),
  vllm_group_port: says('Port over which new weights are sent to the vLLM server.'),
  vllm_gpu_memory_utilization: counts('share', "Share of each GPU's memory that a colocated vLLM takes."),
  vllm_max_model_length: counts('tokens', 'Longest prompt plus rollout that vLLM makes room for.'),
  vllm_tensor_parallel_size: says('GPUs over which a colocated vLLM splits the model.'),
  vllm_importance_sampling_correction: says(
    'Corrects for vLLM and the trainer giving different probabilities to the same tokens.',
  ),
  vllm_importance_sampling_mode: says('Whether that correction clips or masks, by token or by sequence.'),
  vllm_importance_sampling_clip_max: says('Upper bound of the correction ratio; null: none.'),
  vllm_importance_sampling_clip_min: says('Lower bound of the correction ratio; null: none.'),
  vllm_importance_sampling_cap: says('The older name of vllm_importance_sampling_clip_max.'),
  use_transformers_continuous_batching: says("Generates with transformers' continuous batching engine."),
  transformers_continuous_batching_config: says('Arguments of that engine.'),
  use_transformers_paged: says('The older name of use_transformers_continuous_batching.'),
  ds3_gather_for_generation: says(
    'With DeepSpeed ZeRO-3: gathers the weights for generation. Faster, but the model must fit on one GPU.',
  ),

  // Rewards and advantages
  reward_funcs: says('List of reward functions: names that TRL knows, or dotted paths to your own.'),
  reward_model_name_or_path: says('A reward model that scores the rollouts.'),
  reward_weights: says('One weight for each reward function, in their order.'),
  scale_rewards: says(
    'Divides advantages by the spread of rewards: of the group, of the batch, or not at all (none).',
  ),
  multi_objective_aggregation: says(
    'With several rewards: add them first and normalise the sum, or normalise each and add.',
  ),

  // Loss
  loss_type: says(
    'How the losses of tokens are averaged: over the rollout (grpo), over all tokens of the batch (dapo, bnpo), by a constant (dr_grpo), or one of the newer forms.',
  ),
  beta: says('Weight of the KL distance to the reference model. 0: no reference model is loaded.'),
  epsilon: says('Clip range of the probability ratio, below 1.'),
  epsilon_high: says('Clip range above 1. Unset: as epsilon. DAPO proposes 0.28.'),
  delta: says(
    'Second upper bound of the ratio, for negative advantages (two-sided clipping). Should be above 1 + epsilon_high.',
  ),
  importance_sampling_level: says(
    'Whether the probability ratio is taken by token or for the whole rollout (GSPO).',
  ),
  top_entropy_quantile: counts(
    'share',
    'Trains only on this share of the tokens, those of the highest entropy. 1.0: all.',
  ),
  entropy_coef: says('Weight of a bonus for high entropy. 0: none.'),
  use_adaptive_entropy: says('Adjusts entropy_coef at every step to hold the entropy at entropy_target.'),
  entropy_coef_min: says('Least entropy_coef that the adjustment may reach.'),
  entropy_coef_max: says('Greatest entropy_coef that the adjustment may reach.'),
  entropy_coef_delta: says('How far entropy_coef moves in one step.'),
  entropy_target: says('Mean entropy of a token, in nats, that the adjustment aims at.'),
  off_policy_mask_threshold: says(
    'Leaves out rollouts with a negative advantage that have drifted further than this from the policy that made them.',
  ),
  use_bias_correction_kl: says(
    'Weights the KL term by the probability ratio, so that its gradient is unbiased.',
  ),
  sapo_temperature_neg: says('Softness of the SAPO gate for negative advantages.'),
  sapo_temperature_pos: says('Softness of the SAPO gate for positive advantages. 0 gives NaN.'),
  vespo_k_pos: says('Exponent of the VESPO weight for positive advantages.'),
  vespo_k_neg: says('Exponent of the VESPO weight for negative advantages.'),
  vespo_lambda_pos: says('Decay of the VESPO weight for positive advantages.'),
  vespo_lambda_neg: says('Decay of the VESPO weight for negative advantages.'),
  sync_ref_model: says('Moves the reference model towards the policy from time to time. Needs beta above 0.'),
  ref_model_mixup_alpha: counts('share', "The policy's share when the reference model is moved."),
  ref_model_sync_steps: counts('steps', 'Steps between two such moves.'),
  router_aux_loss_coef: says('Weight of the loss that balances the experts of a mixture-of-experts model.'),
  label_smoothing_factor: says('Label smoothing; without use in GRPO.'),

  // Logging
  log_completions: says(
    'Logs rollouts: printed, sent to the tracker, and written to output_dir/completions.',
  ),
  log_multimodal: says('Logs images and other media with the rollouts.'),
  num_completions_to_print: counts('rollouts', 'How many rollouts are printed. Unset: all.'),
  log_unique_prompts: says('Logs each prompt once.'),
  log_completions_hub_repo: says('Hub repository for logged rollouts. Needs log_completions.'),
  logging_strategy: says('When figures are logged: by steps, by epoch, or never ("no", in quotes).'),
  logging_steps: counts('steps', 'Steps between two log lines; below 1 a share of all steps.'),
  logging_first_step: says('Logs the first step, too.'),
  logging_nan_inf_filter: says('Leaves NaN and infinite losses out of the logged mean, which hides them.'),
  log_on_each_node: says('Logs on every machine, not on the first only.'),
  log_level: says('Verbosity of the main process.'),
  log_level_replica: says('Verbosity of the other processes.'),
  report_to: says('Trackers that get the figures, such as wandb or trackio; none for none.'),
  run_name: says('Name of the run in the tracker.'),
  project: says('Project in Trackio.'),
  trackio_space_id: says('Space that shows the Trackio board.'),
  trackio_bucket_id: says('Bucket that stores the Trackio data.'),
  trackio_static_space_id: says('Static Space for the Trackio board.'),
  disable_tqdm: says('No progress bars.'),
  include_num_input_tokens_seen: says('Counts the tokens read so far, at some cost.'),

  // Evaluation and saving
  eval_strategy: says('When to evaluate: by steps, by epoch, or never ("no", in quotes).'),
  eval_steps: counts(
    'steps',
    'Steps between two evaluations; below 1 a share of all steps. Unset: logging_steps.',
  ),
  eval_delay: says('Steps or epochs before the first evaluation.'),
  eval_on_start: says('Evaluates before the first step.'),
  eval_accumulation_steps: counts('steps', 'Evaluation steps after which results move to the CPU.'),
  eval_do_concat_batches: says('Joins the results of all evaluation batches.'),
  eval_use_gather_object: says('Gathers nested results from all processes.'),
  batch_eval_metrics: says('Computes metrics batch by batch to save memory.'),
  include_for_metrics: says('What compute_metrics gets besides predictions.'),
  prediction_loss_only: says('Evaluation returns only the loss.'),
  do_train: says('For scripts of your own; without use in training itself.'),
  do_eval: says('For scripts of your own; switched on by eval_strategy.'),
  do_predict: says('For scripts of your own.'),
  output_dir: says('Folder for checkpoints and logs. Unset: trainer_output.'),
  save_strategy: says('When to save: by steps, by epoch, at the best result, or never ("no", in quotes).'),
  save_steps: counts('steps', 'Steps between two checkpoints; below 1 a share of all steps.'),
  save_total_limit: says('How many checkpoints are kept.'),
  save_only_model: says('Saves weights without optimizer state; such a checkpoint cannot be resumed.'),
  save_on_each_node: says('Saves on every machine.'),
  enable_jit_checkpoint: says('Saves a checkpoint when the job is told to stop.'),
  load_best_model_at_end: says(
    'Loads the best checkpoint at the end. Save and evaluation schedules must match.',
  ),
  metric_for_best_model: says('Metric that decides which checkpoint is the best.'),
  greater_is_better: says('Whether that metric is better when higher.'),
  resume_from_checkpoint: says('Checkpoint folder to go on from.'),
  ignore_data_skip: says('When resuming, starts with the first prompts again.'),
  restore_callback_states_from_checkpoint: says('When resuming, restores the state of callbacks.'),
  push_to_hub: says('Uploads checkpoints to the Hub.'),
  hub_model_id: says('Hub repository of the model.'),
  hub_strategy: says('What is uploaded, and when.'),
  hub_token: says('Access token of the Hub. Better kept out of files.'),
  hub_private_repo: says('Makes the Hub repository private.'),
  hub_always_push: says('Uploads even while an earlier upload runs.'),
  hub_revision: says('Branch of the Hub repository.'),

  // Model and data
  model_name_or_path: says('Model to train: a name on the Hub, or a folder.'),
  model_revision: says('Branch, tag or commit of the model.'),
  model_init_kwargs: says('Further arguments for loading the model.'),
  trust_remote_code: says('Runs Python code that comes with the model. Only for models you trust.'),
  dtype: says('Number type in which the weights are loaded.'),
  attn_implementation: says('Attention code, such as sdpa or flash_attention_2.'),
  disable_dropout: says('No dropout, so that the same text has the same probability each time.'),
  cast_lm_head_to_fp32: says(
    'Computes the last layer in 32 bits. Only for models whose embeddings are not tied.',
  ),
  dataset_name: says('Data set: a name on the Hub, or a folder.'),
  dataset_config: says('Configuration of that data set.'),
  dataset_train_split: says('Split to train on.'),
  dataset_test_split: says('Split to evaluate on.'),
  dataset_streaming: says('Reads the data set piece by piece.'),
  datasets: says('Several data sets to mix: a list of mappings, each with a path.'),
  streaming: says('Reads the mixed data sets piece by piece.'),
  test_split_size: says('Share or number of rows of the mixture that is set aside for evaluation.'),
  ignore_bias_buffers: says(
    'Keeps bias buffers out of distributed training; for old models that fail with them.',
  ),
  remove_unused_columns: says(
    'Drops all columns but prompt. Reward functions that read other columns then fail.',
  ),
  label_names: says('Columns that hold labels.'),
  pad_to_multiple_of: counts('tokens', 'Pads prompts and rollouts to a multiple of this length.'),

  // Adapters and quantization
  use_peft: says('Trains a LoRA adapter instead of all weights.'),
  lora_r: says('Rank of the adapter.'),
  lora_alpha: says('Scale of the adapter.'),
  lora_dropout: counts('share', 'Dropout inside the adapter.'),
  lora_target_modules: says('Modules that get an adapter.'),
  lora_target_parameters: says('Parameters that get an adapter.'),
  lora_modules_to_save: says('Modules that are trained in full beside the adapter.'),
  lora_task_type: says('Task type for PEFT; CAUSAL_LM for GRPO.'),
  use_rslora: says('Scales the adapter by the root of its rank.'),
  use_dora: says('Adapts direction and size of weights apart.'),
  load_in_8bit: says('Loads the base weights in 8 bits.'),
  load_in_4bit: says('Loads the base weights in 4 bits. Excludes load_in_8bit.'),
  bnb_4bit_quant_type: says('4-bit format: nf4 or fp4.'),
  use_bnb_nested_quant: says('Quantizes the quantization constants, too.'),
  bnb_4bit_quant_storage: says('Type in which 4-bit weights are stored.'),

  // Optimizer
  learning_rate: says('Peak learning rate. YAML reads 1e-6 as text, which TRL converts; both forms work.'),
  lr_scheduler_type: says('Course of the learning rate.'),
  lr_scheduler_kwargs: says('Arguments of that course; some need them.'),
  warmup_steps: counts(
    'steps',
    'Steps in which the learning rate rises from 0; below 1 a share of all steps.',
  ),
  optim: says('Optimizer.'),
  optim_args: says('Further arguments of the optimizer.'),
  optim_target_modules: says('Modules for optimizers that treat some apart (GaLore, APOLLO).'),
  weight_decay: says('Weight decay.'),
  adam_beta1: says('First decay of Adam.'),
  adam_beta2: says('Second decay of Adam.'),
  adam_epsilon: says('Epsilon of Adam.'),
  max_grad_norm: says('Gradients longer than this are scaled down.'),
  neftune_noise_alpha: says('Noise on embeddings; meant for supervised training.'),
  average_tokens_across_devices: says(
    'Averages over the tokens of all processes instead of each on its own.',
  ),
  seed: says('Seed of the run.'),
  data_seed: says('Seed of the order of prompts. Unset: seed.'),
  full_determinism: says('Repeatable results, at some cost.'),

  // Precision, memory, machines
  bf16: says('Trains in bfloat16. Unset: on, unless fp16 is. Needs a GPU that can, or use_cpu.'),
  fp16: says('Trains in float16. Excludes bf16.'),
  bf16_full_eval: says('Evaluates in bfloat16 throughout.'),
  fp16_full_eval: says('Evaluates in float16 throughout.'),
  tf32: says('TensorFloat-32 on GPUs that have it.'),
  gradient_checkpointing: says('Saves memory by computing activations twice.'),
  gradient_checkpointing_kwargs: says('Arguments of gradient checkpointing.'),
  torch_empty_cache_steps: counts('steps', 'Steps between emptying the cache of GPU memory. Whole, above 0.'),
  torch_compile: says('Compiles the model.'),
  torch_compile_backend: says('Backend of the compiler.'),
  torch_compile_mode: says('Mode of the compiler.'),
  use_liger_kernel: says("Liger's faster kernels. They exclude some loss options."),
  liger_kernel_config: says('Which Liger kernels are used.'),
  use_cache: says('Key-value cache in the forward pass of training; off by default.'),
  use_cpu: says('Trains on the CPU.'),
  accelerator_config: says('Settings of the Accelerator object, as a mapping.'),
  parallelism_config: says(
    'Sequence and context parallelism. GRPO does not support it, and text cannot build it.',
  ),
  deepspeed: says('DeepSpeed configuration: a mapping or the path of a file.'),
  fsdp: says('Modes of fully sharded training.'),
  fsdp_config: says('Configuration of fully sharded training.'),
  ddp_find_unused_parameters: says('Looks for parameters without gradient in distributed training.'),
  ddp_bucket_cap_mb: says('Size of gradient buckets, in MB.'),
  ddp_broadcast_buffers: says('Broadcasts buffers in distributed training.'),
  ddp_static_graph: says('Promises that the graph never changes.'),
  ddp_backend: says('Backend of distributed training.'),
  ddp_timeout: counts('seconds', 'How long processes wait for each other. Long generations may need more.'),
  local_rank: says('Set by the launcher.'),
  dataloader_num_workers: says('Processes that load data.'),
  dataloader_pin_memory: says('Pins memory for faster copies to the GPU.'),
  dataloader_persistent_workers: says('Keeps the loading processes alive between epochs.'),
  dataloader_prefetch_factor: says(
    'Batches that each loading process prepares. Needs dataloader_num_workers.',
  ),
  dataloader_multiprocessing_context: says('How loading processes are started.'),
  dataloader_in_order: says('Hands out batches in their order.'),
  train_sampling_strategy: says("Order of the training rows; GRPO's own sampler repeats prompts on top."),
  length_column_name: says('Column with precomputed lengths.'),
  debug: says('Debug modes.'),
  skip_memory_metrics: says('No memory report.'),
};
