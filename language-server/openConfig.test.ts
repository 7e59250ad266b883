import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../protocol/editor/editor';
import type { Finding } from './finding';
import { LONGEST_TEXT, openConfig } from './openConfig';
import { applyFix } from './testing/applyFix';
import { recordedVerdicts } from './testing/recordedVerdicts';
import { Positions } from './text/positions';

const BASE = 'model_name_or_path: org/model\nnum_generations: 8\nper_device_train_batch_size: 8\n';

async function findingsOf(text: string): Promise<readonly Finding[]> {
  return (await openConfig(text, 'config.yaml', DEFAULT_EDITOR_SETTINGS))?.findings ?? [];
}

describe('openConfig', () => {
  it.each([
    ['eval_strategy: no', 'enum', 'error', 'eval_strategy: "no"'],
    ['save_strategy: off', 'enum', 'error', 'save_strategy: "no"'],
    ['optim: AdamW', 'enum', 'error', null],
    ['loss_type: dapoo', 'enum', 'warning', 'loss_type: dapo'],
    ['loss_type: GRPO', 'enum', 'warning', 'loss_type: grpo'],
    ['scale_rewards: "false"', 'enum', 'warning', null],
    ['vllm_mode: colocated', 'enum', 'information', 'vllm_mode: colocate'],
    ['dtype: float64', 'enum', 'information', 'dtype: float16'],
    ['logging_strategy: [steps]', 'enum', 'error', null],
    ['max_completion_length: 1e3', 'type', 'error', 'max_completion_length: 1000'],
    ['epsilon: 0,2', 'type', 'error', 'epsilon: 0.2'],
    ['beta: 4%', 'type', 'error', 'beta: 0.04'],
    ['use_vllm: "on"', 'type', 'error', 'use_vllm: true'],
    ['top_k: 50.0', 'type', 'warning', 'top_k: 50'],
    ['temperature: 2', 'type', 'warning', 'temperature: 2.0'],
    ['run_name: 2024', 'type', 'information', 'run_name: "2024"'],
    ['reward_funcs: accuracy_reward', 'type', 'warning', 'reward_funcs: [accuracy_reward]'],
    ['output_dir: 123', 'type', 'error', 'output_dir: "123"'],
    ['logging_steps: 2.5', 'range', 'error', null],
    ['accelerator_config: {split_batch: true}', 'type', 'error', null],
    ["generation_kwargs: '{top_k: 1'", 'type', 'error', null],
    ['env: [A=1]', 'shape', 'error', null],
    ['on: 1', 'shape', 'error', null],
    ['seed: \t1', 'yaml', 'error', null],
  ])('%s', async (line, code, severity, fixed) => {
    const text = `${BASE}${line} # why\n`;
    const found = (await findingsOf(text)).filter(({ range }) => range.start.line === 3);
    expect(found.map((finding) => [finding.code, finding.severity])).toEqual([[`trl.${code}`, severity]]);
    const fix = found[0]?.fixes[0];
    expect(fix ? applyFix(text, fix) : null).toBe(fixed === null ? null : `${BASE}${fixed} # why\n`);
    if (fix)
      expect((await findingsOf(applyFix(text, fix))).filter(({ range }) => range.start.line === 3)).toEqual(
        [],
      );
  });

  it.each([
    'learning_rate: 1e-6',
    'temperature: 1',
    'scale_rewards: false',
    'eval_strategy: "no"',
    'report_to: none',
    'use_vllm: 1',
    'num_generations_eval: None',
    'debug: null',
    'generation_kwargs: {do_sample: true}',
  ])('has nothing to say about %s', async (line) => {
    expect((await findingsOf(`${BASE}${line}\n`)).filter(({ range }) => range.start.line === 3)).toEqual([]);
  });

  it('says what is set twice, and judges the value that wins', async () => {
    const findings = await findingsOf(`${BASE}num_generations: 1\n`);
    expect(findings.map(({ code, range }) => [code, range.start.line])).toEqual([
      ['trl.duplicate', 1],
      ['trl.TRL4', 3],
    ]);
    expect(findings[0]?.message).toContain('line 4');
  });

  it('judges what stands before a break, and no more', async () => {
    const findings = await findingsOf(
      `num_generation: 1\nmax_steps: 5\nlearning_rate: [\nnum_generations: 1\n`,
    );
    expect(findings.map(({ code }) => code)).toEqual(['trl.nearMiss', 'trl.yaml']);
  });

  it('obeys the comment and the settings', async () => {
    const off = { ...DEFAULT_EDITOR_SETTINGS, enable: false };
    const none = { ...DEFAULT_EDITOR_SETTINGS, framework: 'none' as const };
    const plain = 'learning_rate: 1e-6\nmax_steps: 1\n';
    expect(await openConfig(BASE, 'x.yaml', off)).toBeNull();
    expect(await openConfig(BASE, 'x.yaml', none)).toBeNull();
    expect(await openConfig(`${BASE}# rolloutscope: framework=trl\n`, 'x.yaml', none)).not.toBeNull();
    expect(
      await openConfig(`${BASE}# rolloutscope: framework=none\n`, 'x.yaml', DEFAULT_EDITOR_SETTINGS),
    ).toBeNull();
    expect(await openConfig(plain, 'x.yaml', DEFAULT_EDITOR_SETTINGS)).toBeNull();
    expect(
      await openConfig(plain, 'x.yaml', { ...DEFAULT_EDITOR_SETTINGS, framework: 'trl' }),
    ).not.toBeNull();
    expect((await findingsOf(`${BASE}# rolloutscope: processes=many\n`)).map(({ code }) => code)).toEqual([
      'trl.comment',
    ]);
  });

  it('describes the file', async () => {
    const text = `${BASE}gradient_accumulation_steps: 2\n# rolloutscope: processes=4 version=1.12\n`;
    const config = await openConfig(text, 'x.yaml', DEFAULT_EDITOR_SETTINGS);
    expect(config?.description).toEqual({
      framework: 'trl',
      frameworkVersion: '1.12',
      frameworkVersionFrom: 'comment',
      worldSize: 4,
      worldSizeFrom: 'comment',
      batch: {
        rolloutsPerRound: 64,
        promptsPerRound: 8,
        rolloutsPerPrompt: 8,
        rolloutsPerOptimizerStep: 64,
        optimizerStepsPerRound: 1,
      },
    });
  });

  it('explains the key and the value under the pointer', async () => {
    const config = await openConfig(
      `${BASE}# rolloutscope: processes=4\n`,
      'x.yaml',
      DEFAULT_EDITOR_SETTINGS,
    );
    const hover = config?.hover(BASE.indexOf('num_generations') + 3);
    expect(hover && BASE.slice(hover.start, hover.end)).toBe('num_generations');
    expect(hover?.markdown).toContain('counts rollouts');
    expect(hover?.markdown).toContain('Default in TRL 1.13.0: `8`');
    expect(hover?.markdown).toContain('prompts a round: 4, each with 8 rollouts');
    expect(hover?.markdown).toContain('43 % at a pass rate of 0.1');
    expect(config?.hover(BASE.indexOf('8'))).not.toBeNull();
    expect(config?.hover(BASE.length + 2)).toBeNull();
  });

  it('completes keys that are not there and values that are allowed', async () => {
    const text = `${BASE}loss_type: \neval_strategy: \nuse_vllm: \nte`;
    const config = await openConfig(text, 'x.yaml', DEFAULT_EDITOR_SETTINGS);
    const at = (line: string): string[] =>
      (config?.complete(text.indexOf(line) + line.length) ?? []).map(({ insertText }) => insertText);
    expect(at('loss_type: ')).toContain('dr_grpo');
    expect(at('eval_strategy: ')).toEqual(['"no"', 'steps', 'epoch']);
    expect(at('use_vllm: ')).toEqual(['true', 'false']);
    const keys = (config?.complete(text.length) ?? []).map(({ label }) => label);
    expect(keys).toContain('temperature');
    expect(keys).not.toContain('num_generations');
  });
});

describe('no text', () => {
  const sound = (text: string, findings: readonly Finding[]): void => {
    const positions = new Positions(text);
    for (const { range, fixes } of findings) {
      for (const each of [range, ...fixes.flatMap(({ edits }) => edits.map((edit) => edit.range))]) {
        const [start, end] = [positions.offset(each.start), positions.offset(each.end)];
        expect(start <= end && end <= text.length).toBe(true);
      }
    }
  };

  it('makes it throw, and the same text gets the same answer', async () => {
    const cases = recordedVerdicts();
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      drop: fc.integer({ min: 0, max: 12 }),
      put: fc.oneof(
        fc.constantFrom(
          '\t',
          '\r',
          '\u0000',
          '\ufeff',
          '\u2028',
          '<<<<<<< a\n',
          '{{ x }}',
          '[',
          '{',
          '"',
          "'",
          '&a ',
          '*a',
          ': ',
          '- ',
          '\n\n',
          '!!int ',
          '|\n',
          '# ',
        ),
        fc.string({ unit: 'binary', maxLength: 8 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cases.length - 1),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        async (index, edits) => {
          let text = cases[index]?.yaml ?? '';
          for (const { at, drop, put } of edits) {
            const offset = Math.floor(at * text.length);
            text = text.slice(0, offset) + put + text.slice(offset + drop);
          }
          const settings = { ...DEFAULT_EDITOR_SETTINGS, framework: 'trl' as const };
          const first = await openConfig(text, 'grpo.yaml', settings);
          const second = await openConfig(text, 'grpo.yaml', settings);
          expect(second?.findings).toEqual(first?.findings);
          sound(text, first?.findings ?? []);
          for (let offset = 0; offset <= text.length; offset += 17) {
            first?.hover(offset);
            first?.complete(offset);
          }
        },
      ),
      { numRuns: 500 },
    );
  }, 120_000);

  it('that is cut off anywhere makes it throw', async () => {
    const text = recordedVerdicts()[7]?.yaml ?? '';
    for (let length = 0; length <= text.length; length += 1) {
      const part = text.slice(0, length);
      sound(part, await findingsOf(part));
    }
  });

  it('of several megabytes is read', async () => {
    expect(await openConfig(BASE + '# x\n'.repeat(1_300_000), 'x.yaml', DEFAULT_EDITOR_SETTINGS)).toBeNull();
    const long = BASE + Array.from({ length: 20_000 }, (_, line) => `key_${line}: value\n`).join('');
    expect(long.length).toBeLessThan(LONGEST_TEXT);
    expect((await findingsOf(long)).length).toBe(20_000);
  });
});
