import { describe, expect, it } from 'vitest';
import { DEFAULT_EDITOR_SETTINGS } from '../../../protocol/editor/editor';
import type { ConfigLauncher } from '../../../protocol/editor/editor';
import { readDirective } from '../../directive';
import type { Finding } from '../../finding';
import { recordedVerdicts } from '../../testing/recordedVerdicts';
import type { RecordedError, RecordedVerdict } from '../../testing/recordedVerdicts';
import { readYaml } from '../../yaml/readYaml';
import { checkTrl } from './checkTrl';
import { loadSchema } from './loadSchema';
import { trlConfig } from './trlConfig';
import { TrlFile } from './trlFile';

/** Recorded code → the check that must speak. */
const IN_SCOPE: Readonly<Record<string, string>> = {
  'yaml-scanner': 'trl.yaml',
  'yaml-parser': 'trl.yaml',
  'yaml-composer': 'trl.yaml',
  'yaml-constructor': 'trl.yaml',
  'yaml-reader': 'trl.yaml',
  'not-a-mapping': 'trl.shape',
  'key-not-string': 'trl.shape',
  'reserved-key': 'trl.shape',
  'env-not-mapping': 'trl.shape',
  'env-key-not-string': 'trl.shape',
  'bad-string-value': 'trl.type',
  'bad-json': 'trl.type',
  'bad-nested-key': 'trl.type',
  'wrong-type': 'trl.type',
  'not-in-enum': 'trl.enum',
  'out-of-range': 'trl.range',
  'fraction-above-one': 'trl.range',
  'logging-steps-zero': 'trl.range',
  'both-generation-batch-and-steps': 'trl.TRL1',
  'generation-batch-not-multiple': 'trl.TRL2',
  'zero-batch': 'trl.TRL2',
  'batch-not-divisible-by-generations': 'trl.TRL3',
  'too-few-generations': 'trl.TRL4',
  'zero-generations': 'trl.TRL4',
  'eval-batch-not-divisible': 'trl.TRL6',
  'unknown-key': '(key)',
  'launcher-unknown-argument': '(key)',
};

/** Recorded codes whose rules come later: refused by TRL, and nothing is demanded of the checker. */
const OUT_OF_SCOPE: ReadonlySet<string> = new Set([
  'auto-find-batch-size',
  'best-model-strategy',
  'bf16-needs-gpu-or-use_cpu',
  'both-bits',
  'clip-order',
  'eval-steps-zero',
  'fp16-and-bf16',
  'hub-repo-without-log',
  'launcher-bad-value',
  'launcher-other',
  'prefetch-needs-workers',
  'scheduler-needs-eval',
  'tf32-unsupported',
  'truncate-needs-bound',
]);

const KEY_CODES: ReadonlySet<string> = new Set([
  'trl.nearMiss',
  'trl.removed',
  'trl.section',
  'trl.unknown',
  'trl.tooNew',
]);

function errorsOf(each: RecordedVerdict, launcher: ConfigLauncher): Finding[] {
  const file = new TrlFile(each.yaml, readYaml(each.yaml));
  // `trl grpo` decides in a process of its own, so the recorded verdict is the one for a single process.
  const worldSize = launcher === 'trl' ? 1 : each.processes;
  const settings = { ...DEFAULT_EDITOR_SETTINGS, launcher, worldSize };
  const config = trlConfig(file, loadSchema(), readDirective(''), settings);
  return checkTrl(config).filter((finding) => finding.severity === 'error');
}

function describeErrors(errors: readonly Finding[]): string {
  return errors.map((error) => `${error.code} ${error.about.join(',')}: ${error.message}`).join('\n');
}

/** What is wrong with our answer; undefined where it agrees with the recorded one. */
function disagreement(
  each: RecordedVerdict,
  recorded: RecordedError | null,
  launcher: ConfigLauncher,
): string | undefined {
  const errors = errorsOf(each, launcher);
  if (!recorded) return errors.length === 0 ? undefined : `accepted, but:\n${describeErrors(errors)}`;
  if (OUT_OF_SCOPE.has(recorded.code)) return undefined;
  const code = IN_SCOPE[recorded.code];
  const expected = `${recorded.code} about ${recorded.about.join(',')}`;
  const found = errors.find(
    (error) =>
      (code === '(key)' ? KEY_CODES.has(error.code) : error.code === code) &&
      (recorded.about.length === 0 ||
        recorded.code === 'key-not-string' ||
        recorded.about.some((key) => error.about.includes(key))),
  );
  if (!found) return `${expected}, but:\n${describeErrors(errors)}`;
  if (recorded.line !== null && Math.abs(found.range.start.line + 1 - recorded.line) > 1) {
    return `${expected} on line ${recorded.line}, but on line ${found.range.start.line + 1}`;
  }
  return undefined;
}

describe('the verdict on recorded configs', () => {
  const cases = recordedVerdicts();

  it('has all of them, and every recorded code is in scope or listed as out of it', () => {
    expect(cases).toHaveLength(1850);
    const codes = new Set(
      cases.flatMap((each) => [each.script, each.strict, each.cli]).flatMap((error) => error?.code ?? []),
    );
    expect([...codes].filter((code) => !(code in IN_SCOPE) && !OUT_OF_SCOPE.has(code))).toEqual([]);
  });

  for (const [launcher, verdict] of [
    ['script', (each: RecordedVerdict) => each.script],
    ['strict', (each: RecordedVerdict) => each.strict],
    ['trl', (each: RecordedVerdict) => each.cli],
  ] as const) {
    it(`agrees with TRL for the launcher ${launcher}`, () => {
      const wrong = cases.flatMap((each) => {
        const message = disagreement(each, verdict(each), launcher);
        return message === undefined ? [] : [`${each.id}: ${message}`];
      });
      expect(wrong).toEqual([]);
    });
  }
});
