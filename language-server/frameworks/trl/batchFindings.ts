import type { Finding, FindingSeverity, Fix } from '../../finding';
import { BATCH_KEYS } from './batch';
import type { Batch } from './batch';
import { at, atValue, fixOf } from './findings';
import { nearestFixes } from './nearestFixes';
import { BATCH_RULES } from './rules/batchRules';
import type { BatchRule, Violation } from './rules/rule';
import type { TrlConfig } from './trlConfig';

const ALONE =
  '`trl grpo --config` reads the file in a process of its own first, where there is one process, and checks the ' +
  'batch numbers there.';

const SEVERITY: Readonly<Record<Violation['kind'], FindingSeverity>> = {
  refused: 'error',
  late: 'warning',
  depends: 'information',
};

/** The findings of the batch rules, for the number of processes that is known and for the one of `trl grpo`. */
export function batchFindings(config: TrlConfig, batch: Batch): Finding[] {
  return BATCH_RULES.flatMap((rule) => ruleFindings(config, batch, rule));
}

function ruleFindings(config: TrlConfig, batch: Batch, rule: BatchRule): Finding[] {
  const violation = rule.check(batch, config.processes);
  if (config.launcher === 'trl' && violation?.kind !== 'refused') {
    const alone = rule.check(batch, 1);
    if (alone?.kind === 'refused')
      return mark(config, batch, rule, alone, 'error', `${alone.message} ${ALONE}`);
  }
  if (violation)
    return mark(config, batch, rule, violation, SEVERITY[violation.kind], withLaunchers(config, violation));
  if (config.launcher !== 'any' || config.processes === null || config.processes === 1) return [];
  const alone = rule.check(batch, 1);
  if (alone?.kind !== 'refused') return [];
  // num_processes in the file is read by `trl grpo` only, so that is probably what starts the job.
  const severity = config.processesFrom === 'file' ? 'warning' : 'information';
  const message = `Right for ${config.processes} processes under \`accelerate launch\`. ${ALONE} It refuses this: ${alone.message}`;
  return mark(config, batch, rule, alone, severity, message);
}

function withLaunchers(config: TrlConfig, violation: Violation): string {
  if (violation.kind !== 'depends') return violation.message;
  const how =
    ' The number of processes is not known: name it with `# rolloutscope: processes=8` or the setting ' +
    'rolloutscope.config.worldSize.';
  if (violation.validAlone || config.launcher !== 'any') return violation.message + how;
  return `${violation.message} ${ALONE} It refuses this file.${how}`;
}

function mark(
  config: TrlConfig,
  batch: Batch,
  rule: BatchRule,
  violation: Violation,
  severity: FindingSeverity,
  message: string,
): Finding[] {
  const about = violation.marks.map((key) => BATCH_KEYS[key]);
  const fixes = fixesOf(config, batch, rule, violation);
  const set = about.flatMap((name) => config.file.entries.get(name) ?? []);
  const shown = rule.id === 'TRL1' ? set : set.slice(0, 1);
  const marked = { code: rule.id, severity, message, about, fixes };
  if (shown.length > 0) return shown.map((entry) => atValue(config.file, entry, marked));
  // All the numbers are defaults: nothing in the file to mark but its beginning.
  const { start } = config.file.root;
  return [at(config.file, start, start, marked)];
}

function fixesOf(config: TrlConfig, batch: Batch, rule: BatchRule, violation: Violation): Fix[] {
  if (rule.id === 'TRL1') {
    return violation.marks.flatMap((key) =>
      fixOf(`Remove ${BATCH_KEYS[key]}`, config.file.removeKey(BATCH_KEYS[key]), key === 'generationBatch'),
    );
  }
  if (violation.kind === 'late') {
    const whole = Math.round(batch.generations ?? 0);
    return fixOf(`Write ${whole}`, config.file.setKey(BATCH_KEYS.generations, String(whole), []), true);
  }
  return nearestFixes(config, batch, violation.marks);
}
