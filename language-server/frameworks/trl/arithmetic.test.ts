import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../../protocol/editor/editor';
import { readDirective } from '../../directive';
import { recordedVerdicts } from '../../testing/recordedVerdicts';
import type { RecordedVerdict } from '../../testing/recordedVerdicts';
import type { PyValue } from '../../yaml/pyValue';
import { readYaml } from '../../yaml/readYaml';
import { readBatch, roundSize } from './batch';
import { arithmeticLines, expectedZeroGradientShare, wholeBatch } from './batchArithmetic';
import { loadSchema } from './loadSchema';
import { trlConfig, valueOf } from './trlConfig';
import type { TrlConfig } from './trlConfig';
import { TrlFile } from './trlFile';

function open(each: RecordedVerdict): TrlConfig {
  const settings = { ...DEFAULT_EDITOR_SETTINGS, worldSize: each.processes, launcher: 'script' as const };
  return trlConfig(new TrlFile(each.yaml, readYaml(each.yaml)), loadSchema(), readDirective(''), settings);
}

const ACCEPTED = recordedVerdicts().filter((each) => each.script === null);

describe('the arithmetic of accepted configs', () => {
  it('is what TRL computed', () => {
    let compared = 0;
    for (const each of ACCEPTED) {
      const { gbs, groups, G: generations, opt, W: processes } = each.batch ?? {};
      if (typeof gbs !== 'number' || typeof generations !== 'number') continue;
      const batch = readBatch(open(each));
      expect([each.id, roundSize(batch, each.processes)]).toEqual([each.id, gbs]);
      const whole = wholeBatch(batch, each.processes);
      if (!whole || typeof opt !== 'number') continue;
      compared += 1;
      expect(processes).toBe(each.processes);
      expect([each.id, whole.promptsPerRound, whole.rolloutsPerPrompt]).toEqual([
        each.id,
        groups,
        generations,
      ]);
      expect([each.id, whole.rolloutsPerOptimizerStep]).toEqual([each.id, opt]);
    }
    expect(compared).toBeGreaterThan(900);
  });

  it('has the values that TRL ended up with', () => {
    // Values that the constructor derives or rewrites; everything else must be as the file and the defaults say.
    const derived = new Set([
      'do_eval',
      'bf16',
      'output_dir',
      'report_to',
      'eval_steps',
      'logging_steps',
      'save_steps',
      'debug',
      'scale_rewards',
    ]);
    const batch = new Set([
      'generation_batch_size',
      'steps_per_generation',
      'vllm_importance_sampling_clip_max',
    ]);
    let compared = 0;
    for (const each of ACCEPTED) {
      const config = open(each);
      for (const [name, expected] of Object.entries(each.resolved)) {
        // Text that is read as JSON is only checked, not read.
        if (derived.has(name) || batch.has(name) || config.schema.fields.get(name)?.json) continue;
        const value = valueOf(config, name);
        const isTextual =
          value?.kind === 'str' || value?.kind === 'bool' || value?.kind === 'int' || value?.kind === 'null';
        if (!value || !isTextual) continue;
        compared += 1;
        expect([each.id, name, pairOf(value)]).toEqual([each.id, name, expected]);
      }
    }
    expect(compared).toBeGreaterThan(10_000);
  });
});

function pairOf(value: PyValue): unknown {
  if (value.kind === 'null') return ['null'];
  if (value.kind === 'int') return ['int', Number(value.value)];
  return 'value' in value ? [value.kind, value.value] : [value.kind];
}

describe('arithmeticLines', () => {
  const text = 'per_device_train_batch_size: 16\ngradient_accumulation_steps: 4\nnum_generations: 14\n';
  const batch = readBatch(
    trlConfig(new TrlFile(text, readYaml(text)), loadSchema(), readDirective(text), DEFAULT_EDITOR_SETTINGS),
  );

  it('puts the numbers in', () => {
    expect(arithmeticLines(batch, 7)).toEqual([
      'generation round: 16 per device × 4 forward passes × 7 processes = 448 rollouts',
      'prompts a round: 32, each with 14 rollouts',
      'optimizer step: 16 per device × 4 accumulated × 7 processes = 448 rollouts',
      'optimizer steps a round: 1',
      'rewards: each process scores 64 rollouts a round; a group may be spread over processes',
    ]);
  });

  it('leaves W where the number of processes is not known', () => {
    expect(arithmeticLines(batch, null).slice(0, 2)).toEqual([
      'generation round: 16 per device × 4 forward passes × W processes = 64 × W rollouts',
      'prompts a round: 4.57 × W, each with 14 rollouts',
    ]);
  });
});

describe('expectedZeroGradientShare', () => {
  it('is p^G + (1 − p)^G', () => {
    expect(expectedZeroGradientShare(0.18, 2)).toBeCloseTo(0.7048, 4);
    expect(expectedZeroGradientShare(0.18, 16)).toBeCloseTo(0.0418, 4);
    expect(expectedZeroGradientShare(1, 8)).toBe(1);
  });
});
