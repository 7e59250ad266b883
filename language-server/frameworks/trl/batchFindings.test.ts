import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../../protocol/editor/editor';
import type { EditorSettings } from '../../../protocol/editor/editor';
import type { Finding } from '../../finding';
import { openConfig } from '../../openConfig';
import { applyFix } from '../../testing/applyFix';

interface Numbers {
  readonly pd?: number | string;
  readonly ga?: number;
  readonly G?: number | string;
  readonly gbs?: number;
  readonly spg?: number;
  readonly more?: string;
}

const BATCH_CODE = /^trl\.TRL\d$/;

function textOf({ pd, ga, G, gbs, spg, more }: Numbers): string {
  const lines = [
    ['per_device_train_batch_size', pd],
    ['gradient_accumulation_steps', ga],
    ['num_generations', G],
    ['generation_batch_size', gbs],
    ['steps_per_generation', spg],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`${String(key)}: ${value}`]));
  return ['model_name_or_path: org/model', 'reward_funcs: [accuracy_reward]', ...lines, more ?? '', ''].join(
    '\n',
  );
}

async function batchOf(text: string, settings: Partial<EditorSettings> = {}): Promise<Finding[]> {
  const config = await openConfig(text, 'config.yaml', { ...DEFAULT_EDITOR_SETTINGS, ...settings });
  return (config?.findings ?? []).filter(({ code }) => BATCH_CODE.test(code));
}

async function brief(numbers: Numbers, settings: Partial<EditorSettings> = {}): Promise<string[]> {
  return (await batchOf(textOf(numbers), settings)).map(
    ({ code, severity }) => `${code.slice(4)} ${severity}`,
  );
}

const script = { launcher: 'script' } as const;

describe('reported cases', () => {
  it.each([
    // Source: threads named in the comments, their numbers.
    [
      'trl#2858 with TRL 0.15',
      { pd: 1, ga: 8, G: 8, more: '# rolloutscope: version=0.15' },
      1,
      ['TRL3 error'],
    ],
    ['trl#2858 since TRL 0.18', { pd: 1, ga: 8, G: 8 }, 1, []],
    ['trl PR 3199: one rollout', { pd: 1, ga: 8, G: 1 }, 1, ['TRL4 error']],
    ['open-r1#249', { pd: 1, ga: 1, G: 8 }, 7, ['TRL3 error']],
    ['trl#3980: both set', { pd: 1, gbs: 8, spg: 8, G: 8 }, 1, ['TRL1 error', 'TRL1 error']],
    ['X-R1#22', { pd: 1, ga: 1, G: 4 }, 3, ['TRL3 error']],
    ['open-r1#236', { pd: 1, ga: 1, G: 8 }, 3, ['TRL3 error']],
    ['llm_related#13', { pd: 1, ga: 4, G: 16 }, 1, ['TRL3 error']],
    ['rl-swarm#240', { pd: 1, ga: 1, G: 8 }, 1, ['TRL3 error']],
    ['GSM8K-RLVR#3', { pd: 1, ga: 1, G: 6 }, 1, ['TRL3 error']],
    ['no group', { pd: 1, ga: 1, G: 0 }, 1, ['TRL4 error']],
    ['a decimal group', { pd: 4, ga: 1, G: '4.0' }, 1, ['TRL5 warning']],
    ['a batch that no device divides', { pd: 8, gbs: 12, G: 4 }, 1, ['TRL2 error']],
    ['a device batch of 0', { pd: 0, gbs: 12, G: 4 }, 1, ['TRL2 error']],
    [
      'evaluation',
      { pd: 8, G: 8, more: 'eval_strategy: steps\nper_device_eval_batch_size: 6' },
      1,
      ['TRL6 error'],
    ],
    ['evaluation off', { pd: 8, G: 8, more: 'per_device_eval_batch_size: 6' }, 1, []],
    [
      'its own group size',
      { pd: 8, G: 8, more: 'eval_strategy: steps\nper_device_eval_batch_size: 6\nnum_generations_eval: 3' },
      1,
      [],
    ],
  ])('%s', async (_, numbers, worldSize, expected) => {
    expect(await brief(numbers, { ...script, worldSize })).toEqual(expected);
  });

  it('puts the numbers in, marks the line that can be changed, and offers the nearest', async () => {
    const text = textOf({ pd: 1, ga: 1, G: 8 });
    const [finding] = await batchOf(text, { ...script, worldSize: 7 });
    expect(finding?.message).toBe(
      'per_device_train_batch_size 1 × gradient_accumulation_steps 1 × 7 processes = 7 rollouts is not divisible by ' +
        'num_generations 8, so the last group would be cut and TRL refuses the file.',
    );
    expect(finding?.range).toEqual({ start: { line: 4, character: 17 }, end: { line: 4, character: 18 } });
    expect(finding?.fixes.map(({ title }) => title)).toEqual([
      'Set num_generations to 7 (now 8)',
      'Set gradient_accumulation_steps to 8 (now 1)',
      'Set per_device_train_batch_size to 8 (now 1)',
    ]);
    expect(finding?.fixes.map(({ preferred }) => preferred)).toEqual([true, false, false]);
  });
});

describe('an unknown number of processes', () => {
  it('is information with the multiple that is needed, for both ways to start', async () => {
    const findings = await batchOf(textOf({ pd: 16, ga: 4, G: 14 }));
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([['trl.TRL3', 'information']]);
    expect(findings[0]?.message).toContain('Valid when the number of processes is a multiple of 7');
    expect(findings[0]?.message).toContain('`trl grpo --config`');
  });

  it('is nothing where every number will do', async () => {
    expect(await brief({ pd: 16, ga: 4, G: 16 })).toEqual([]);
  });

  it('is an error where none will do', async () => {
    expect(await brief({ pd: 8, gbs: 12, G: 5 })).toEqual(['TRL3 error', 'TRL2 error']);
  });

  it('names the processes that divide a fixed generation batch', async () => {
    const [finding] = await batchOf(textOf({ pd: 8, gbs: 32, G: 8 }));
    expect(finding?.message).toContain('divides 32 / 8 = 4 (1, 2 or 4)');
  });

  it('comes from the comment, else num_processes, else the setting', async () => {
    const numbers = { pd: 16, ga: 4, G: 14 };
    expect(await brief({ ...numbers, more: '# rolloutscope: processes=7 launcher=script' })).toEqual([]);
    expect(await brief({ ...numbers, more: '# rolloutscope: processes=8' }, { worldSize: 7 })).toEqual([
      'TRL3 error',
    ]);
    expect(await brief({ ...numbers, more: 'num_processes: 8' }, { worldSize: 7 })).toEqual(['TRL3 error']);
    expect(await brief(numbers, { ...script, worldSize: 7 })).toEqual([]);
  });
});

describe('`trl grpo`, which checks with one process', () => {
  const numbers = { pd: 16, ga: 4, G: 14 };

  it('is told beside a config that is right for its number of processes', async () => {
    expect(await brief({ ...numbers, more: '# rolloutscope: processes=7' })).toEqual(['TRL3 information']);
    expect(await brief({ ...numbers, more: 'num_processes: 7' })).toEqual(['TRL3 warning']);
    expect(await brief({ ...numbers, more: '# rolloutscope: processes=7 launcher=trl' })).toEqual([
      'TRL3 error',
    ]);
  });

  it('gets fixes that hold for it and for the job', async () => {
    const text = textOf({ ...numbers, more: '# rolloutscope: processes=7 launcher=trl' });
    const [finding] = await batchOf(text);
    for (const fix of finding?.fixes ?? []) expect(await batchOf(applyFix(text, fix))).toEqual([]);
    expect(finding?.fixes.length).toBeGreaterThan(0);
  });
});

describe('fixes', () => {
  it('remove one of two keys that exclude each other', async () => {
    const text = textOf({ pd: 1, gbs: 8, spg: 8, G: 8 }).replaceAll('\n', '\r\n');
    const [finding] = await batchOf(text, { ...script, worldSize: 1 });
    expect(finding?.fixes.map(({ title }) => title)).toEqual([
      'Remove generation_batch_size',
      'Remove steps_per_generation',
    ]);
    for (const fix of finding?.fixes ?? []) {
      const fixed = applyFix(text, fix);
      expect(await batchOf(fixed, { ...script, worldSize: 1 })).toEqual([]);
      expect(fixed.split('\r\n').length).toBe(text.split('\r\n').length - 1);
    }
  });

  it('add a key on a line of its own where the file leaves it to the default', async () => {
    const text =
      'reward_funcs: [a]\r\nmax_steps: 1\r\nloss_type: grpo\r\nper_device_train_batch_size: 3 # few\r\n';
    const [finding] = await batchOf(text, { ...script, worldSize: 1 });
    const fix = finding?.fixes.find(({ title }) => title.startsWith('Set num_generations'));
    expect(fix && applyFix(text, fix)).toBe(text.replace('# few\r\n', '# few\r\nnum_generations: 3\r\n'));
  });

  it('always make the batch rules hold', async () => {
    const small = fc.integer({ min: 1, max: 40 });
    const any = fc.record(
      {
        pd: small,
        ga: small,
        G: fc.integer({ min: 0, max: 40 }),
        gbs: fc.integer({ min: 1, max: 400 }),
        worldSize: fc.option(small),
      },
      { requiredKeys: ['worldSize'] },
    );
    await fc.assert(
      fc.asyncProperty(any, async ({ worldSize, ...numbers }) => {
        const text = textOf(numbers);
        const settings = { ...script, worldSize };
        for (const finding of await batchOf(text, settings)) {
          if (finding.severity === 'information' && finding.code === 'trl.TRL2') continue;
          for (const fix of finding.fixes) {
            const left = (await batchOf(applyFix(text, fix), settings)).filter(
              ({ severity, code }) => severity === 'error' || code !== 'trl.TRL2',
            );
            expect([text, fix.title, left.map(({ message }) => message)]).toEqual([text, fix.title, []]);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
