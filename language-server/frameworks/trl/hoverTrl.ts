import type { Hover } from '../../openConfig';
import { BATCH_KEYS, readBatch } from './batch';
import { arithmeticLines, expectedZeroGradientShare } from './batchArithmetic';
import { NAMES_ELSEWHERE } from './elsewhere';
import { MEANINGS } from './meanings';
import type { Plain } from '../../json/jsonShape';
import type { Field } from './schema';
import { defaultIn } from './trlConfig';
import type { TrlConfig } from './trlConfig';
import { wantedOf } from './typeFindings';

const BATCH_NAMES: ReadonlySet<string> = new Set(Object.values(BATCH_KEYS));
const PASS_RATES = [0.1, 0.3, 0.5];

/** What there is to say about the key or value at an offset; null where there is none that TRL knows. */
export function hoverTrl(config: TrlConfig, offset: number): Hover | null {
  for (const entry of config.file.entries.values()) {
    const inKey = entry.key.start <= offset && offset <= entry.key.end;
    const inValue = entry.value.start <= offset && offset <= entry.value.end;
    if (!inKey && !inValue) continue;
    const field = config.schema.fields.get(entry.name);
    const node = inKey ? entry.key : entry.value;
    return field ? { markdown: describeKey(config, field), start: node.start, end: node.end } : null;
  }
  return null;
}

/** The documentation of a key, as Markdown of our own words and numbers only. */
export function describeKey(config: TrlConfig, field: Field): string {
  const meaning = MEANINGS[field.name];
  const parts = [`**${field.name}**${meaning?.unit ? ` · counts ${unitWords(meaning.unit)}` : ''}`];
  if (meaning) parts.push(meaning.text);
  parts.push(facts(config, field).join('  \n'));
  if (field.name === BATCH_KEYS.generations) parts.push(...groupWords(config));
  if (BATCH_NAMES.has(field.name) && !config.file.problem) parts.push(...batchWords(config));
  const elsewhere = NAMES_ELSEWHERE[field.name];
  if (elsewhere) parts.push(`Elsewhere: ${elsewhere}`);
  return parts.join('\n\n');
}

/** One line: type and default. */
export function detailOf(config: TrlConfig, field: Field): string {
  return `${wantedOf(field)} · default ${plainWords(defaultIn(field, config.version))}`;
}

function facts(config: TrlConfig, field: Field): string[] {
  const lines = [
    `Takes ${wantedOf(field)}. Default in TRL ${config.versionText}: \`${plainWords(defaultIn(field, config.version))}\`.`,
  ];
  if (field.choices.length > 0)
    lines.push(`One of ${field.choices.map((choice) => `\`${String(choice)}\``).join(', ')}.`);
  if (field.since !== null) lines.push(`Since TRL ${field.since}.`);
  for (const { before, value } of field.defaultsBefore)
    lines.push(`Before TRL ${before} the default was \`${plainWords(value)}\`.`);
  if (field.deprecated)
    lines.push(`Deprecated since TRL ${field.deprecated.since}; use \`${field.deprecated.replacedBy}\`.`);
  return lines;
}

function groupWords(config: TrlConfig): string[] {
  const { generations } = readBatch(config);
  if (typeof generations !== 'number' || !Number.isInteger(generations) || generations < 2) return [];
  const shares = PASS_RATES.map(
    (rate) =>
      `${(100 * expectedZeroGradientShare(rate, generations)).toFixed(0)} % at a pass rate of ${rate}`,
  );
  return [
    `Expected share of zero-gradient groups at ${generations} rollouts with rewards 0 and 1: ${shares.join(', ')}.`,
  ];
}

function batchWords(config: TrlConfig): string[] {
  const lines = arithmeticLines(readBatch(config), config.processes);
  if (lines.length === 0) return [];
  const from = {
    comment: 'the comment',
    file: 'num_processes in this file',
    setting: 'the setting',
    latest: '',
  };
  const known =
    config.processesFrom === null
      ? 'W, the number of processes, is not known'
      : `number of processes from ${from[config.processesFrom]}`;
  return [`This file (${known}):`, lines.map((line) => `- ${line}`).join('\n')];
}

function unitWords(unit: string): string {
  return unit === 'share' ? 'a share from 0 to 1' : unit;
}

function plainWords(value: Plain): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
