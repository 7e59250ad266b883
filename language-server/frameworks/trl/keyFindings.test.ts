import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../../protocol/editor/editor';
import { openConfig } from '../../openConfig';
import { applyFix } from '../../testing/applyFix';
import { recordedVerdicts } from '../../testing/recordedVerdicts';
import { readYaml } from '../../yaml/readYaml';
import { readDirective } from '../../directive';
import { checkTrl } from './checkTrl';
import { loadSchema } from './loadSchema';
import { KeyIndex } from '../../config/nearestKey';
import { trlConfig } from './trlConfig';
import { TrlFile } from './trlFile';
import type { Finding } from '../../finding';

const BASE = 'model_name_or_path: org/model\nnum_generations: 8\n';

async function about(line: string, settings = DEFAULT_EDITOR_SETTINGS): Promise<Finding[]> {
  const text = BASE + line;
  const findings = (await openConfig(text, 'config.yaml', settings))?.findings ?? [];
  return findings.filter((finding) => finding.range.start.line >= 2);
}

/** Keys of public recipes that TRL 1.13 does not have and that are no typing errors. Source: open-r1, philschmid. */
const OWN_KEYS = [
  'system_prompt',
  'dataset_prompt_column',
  'dataset_id_or_path',
  'callbacks',
  'benchmarks',
  'code_language',
  'code_provider',
  'code_eval_test_batch_size',
  'wandb_project',
  'wandb_entity',
  'wandb_run_group',
  'dataset_splits',
  'max_seq_length',
  'packing',
  'chat_template',
  'tokenizer_name_or_path',
  'dataset_mixture',
  'parallel_code_exec_per_proc',
];

describe('unknown keys', () => {
  it.each(OWN_KEYS)('%s, a key of a script of its own, is a hint at most', async (key) => {
    const findings = await about(`${key}: 1\n`);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['trl.unknown', 'hint']]);
  });

  it('the hint can be switched off', async () => {
    expect(await about('system_prompt: x\n', { ...DEFAULT_EDITOR_SETTINGS, unknownKeys: 'off' })).toEqual([]);
  });

  it.each([
    ['num_generation', 'num_generations'],
    ['learnign_rate', 'learning_rate'],
    ['num_train_epoch', 'num_train_epochs'],
    ['per-device-train-batch-size', 'per_device_train_batch_size'],
    ['useVllm', 'use_vllm'],
    ['USE_VLLM', 'use_vllm'],
    ['max_completion_len', 'max_completion_length'],
    ['loss_typ', 'loss_type'],
    ['scale_reward', 'scale_rewards'],
    ['temperatur', 'temperature'],
    ['topk', 'top_k'],
    ['group_size', 'num_generations'],
    ['num_sample_generations', 'num_generations'],
    ['model_name', 'model_name_or_path'],
    ['num-epochs', 'num_train_epochs'],
    ['vllm_max_model_len', 'vllm_max_model_length'],
    ['torch_dtype', 'dtype'],
  ])('%s: offers %s', async (key, meant) => {
    const text = `per_device_train_batch_sizes: 1\nlearning_rates: 1\n${key}: 1 # why\nreward_funcs: [a]\nmax_steps: 1\nlogging_first_step: true\nnum_completions_to_print: 1\n`;
    const config = await openConfig(text, 'grpo/config.yaml', DEFAULT_EDITOR_SETTINGS);
    const finding = config?.findings.find((each) => each.about[0] === key);
    expect(finding?.severity).toBe('warning');
    expect(finding?.message).toContain(meant);
    const rename = finding?.fixes.find((fix) => fix.title === `Rename to ${meant}`);
    expect(rename && applyFix(text, rename)).toBe(text.replace(`${key}: 1 # why`, `${meant}: 1 # why`));
  });

  it('offers no rename to a key that is there already', async () => {
    const [finding] = await about('num_generation: 4\n');
    expect(finding?.fixes.map((fix) => fix.title)).toEqual(['Remove num_generation']);
    const fix = finding?.fixes[0];
    expect(fix && applyFix(`${BASE}num_generation: 4\n`, fix)).toBe(BASE);
  });

  it('says that a removed key is gone, from the release on that removed it', async () => {
    const [gone] = await about('max_prompt_length: 512\n');
    expect(gone?.code).toBe('trl.removed');
    expect(gone?.message).toContain('removed in TRL 0.28');
    expect(await about('max_prompt_length: 512 # x\n# rolloutscope: version=0.27\n')).toEqual([]);
    const [near] = await about('max_prompt_len: 512\n');
    expect(near?.message).toContain('Did you mean max_prompt_length? That key is gone, too.');
  });

  it('says that a key is newer than the release', async () => {
    const [finding] = await about('entropy_coef: 0.1\n# rolloutscope: version=1.7\n');
    expect([finding?.code, finding?.severity]).toEqual(['trl.tooNew', 'warning']);
    expect(await about('entropy_coef: 0.1\n# rolloutscope: version=1.8\n')).toEqual([]);
  });

  it('says that keys below a section of their own are not read', async () => {
    const [finding] = await about('grpo: {temperature: 0.5, x: 1}\n');
    expect(finding?.code).toBe('trl.section');
    expect(finding?.message).toContain('temperature has no effect');
  });

  it('knows what `trl grpo` hands on, and that others do not', async () => {
    expect(await about('accelerate_config: zero3\nmain_process_port: 29500\n')).toEqual([]);
    const [finding] = await about('main_process_port: 29500\n', {
      ...DEFAULT_EDITOR_SETTINGS,
      launcher: 'script',
    });
    expect(finding?.message).toContain('option of `accelerate launch`');
  });

  it('speaks about every key that TRL did not know, and every deprecated one, in the recorded configs', () => {
    const schema = loadSchema();
    for (const each of recordedVerdicts().filter(({ script }) => script === null)) {
      const settings = { ...DEFAULT_EDITOR_SETTINGS, launcher: 'script' as const, worldSize: each.processes };
      const file = new TrlFile(each.yaml, readYaml(each.yaml));
      const findings = checkTrl(trlConfig(file, schema, readDirective(''), settings));
      const told = new Set(
        findings
          .filter(({ code }) => /unknown|nearMiss|removed|section|shape/.test(code))
          .map(({ about: [key] }) => key),
      );
      expect([each.id, ...each.unknown].filter((key) => key !== each.id && !told.has(key))).toEqual([]);
      expect(
        [...told].filter((key) => key !== 'help' && key !== undefined && !each.unknown.includes(key)),
      ).toEqual([]);
      const old = findings
        .filter(({ code }) => code === 'trl.deprecated')
        .flatMap(({ about: [key] }) => key ?? []);
      expect([each.id, ...each.deprecated].filter((key) => key !== each.id && !old.includes(key))).toEqual(
        [],
      );
    }
  });
});

describe('KeyIndex', () => {
  it('keeps legal neighbours apart and stays silent between two as near', () => {
    const index = new KeyIndex(['top_k', 'top_p', 'beta', 'delta', 'bf16', 'fp16']);
    expect(index.nearest('top_k')?.name).toBe('top_k');
    expect(index.nearest('top_x')).toBeUndefined();
    expect(index.nearest('n')).toBeUndefined();
    expect(new KeyIndex(['model_revision']).nearest('hub_model_revision')).toBeUndefined();
  });
});
