import type { Finding } from '../../finding';
import { readBatch } from './batch';
import { batchFindings } from './batchFindings';
import { enumFindings } from './enumFindings';
import { at } from './findings';
import { keyFindings } from './keyFindings';
import { startFindings } from './startFindings';
import { nestedFindings, structureFindings } from './structureFindings';
import type { TrlConfig } from './trlConfig';
import { typeFindings } from './typeFindings';

/**
 * Everything there is to say about a TRL GRPO config, in the order of the text.
 * Where the YAML is broken: the break, and what stands before it key by key; rules that join keys are skipped,
 * because what the rest of the file says is not known.
 */
export function checkTrl(config: TrlConfig): Finding[] {
  const { problem } = config.file;
  const findings = problem
    ? [yamlFinding(config), ...entryFindings(config, problem.start)]
    : wholeFile(config);
  return findings.sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}

function wholeFile(config: TrlConfig): Finding[] {
  const batch = readBatch(config);
  const start = startFindings(config, batch);
  const entries = entryFindings(config, Infinity);
  /** The same fault as seen by its type alone, which does not know that TRL stops. */
  const isSame = (milder: Finding, stop: Finding): boolean =>
    milder.code === 'trl.type' && stop.code === 'trl.type' && milder.about[0] === stop.about[0];
  const stops = start.map((stop) => ({
    ...stop,
    fixes: entries.find((each) => isSame(each, stop))?.fixes ?? [],
  }));
  const others = entries.filter((each) => !stops.some((stop) => isSame(each, stop)));
  return [...structureFindings(config), ...stops, ...others, ...batchFindings(config, batch)];
}

function entryFindings(config: TrlConfig, before: number): Finding[] {
  return [...config.file.entries.values()]
    .filter((entry) => entry.value.end < before)
    .flatMap((entry) => {
      const field = config.schema.fields.get(entry.name);
      if (!field) return keyFindings(config, entry);
      return [
        ...keyFindings(config, entry),
        ...typeFindings(config, field, entry),
        ...enumFindings(config, field, entry),
        ...nestedFindings(config, field, entry),
      ];
    });
}

function yamlFinding({ file }: TrlConfig): Finding {
  const { start, end, message } = file.problem ?? { start: 0, end: 0, message: '' };
  // A mark over half the file helps nobody: to the end of its first line.
  const shown = Math.min(Math.max(end, start), file.positions.lineEnd(start));
  const text = `This is not YAML that PyYAML reads: ${message}. TRL stops before it reads any key.`;
  return at(file, start, shown, { code: 'yaml', severity: 'error', message: text });
}
