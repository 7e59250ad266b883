import type { EditorSettings } from '../../../protocol/editor/editor';
import type { Directive } from '../../directive';
import type { OpenConfig } from '../../openConfig';
import { readYaml } from '../../yaml/readYaml';
import { isTemplate } from '../../yaml/template';
import { readBatch } from './batch';
import { wholeBatch } from './batchArithmetic';
import { checkTrl } from './checkTrl';
import { completeTrl } from './completeTrl';
import { at } from './findings';
import { hoverTrl } from './hoverTrl';
import { loadSchema } from './loadSchema';
import { trlConfig } from './trlConfig';
import { TrlFile } from './trlFile';

/** Reads a text as a TRL GRPO config; null for a template, whose values are not there yet. */
export function openTrl(text: string, directive: Directive, settings: EditorSettings): OpenConfig | null {
  const reading = readYaml(text);
  if (isTemplate(text, reading.literals)) return null;
  const file = new TrlFile(text, reading);
  const config = trlConfig(file, loadSchema(), directive, settings);
  const inComment = directive.problems.map(({ start, end, message }) =>
    at(file, start, end, {
      code: 'comment',
      severity: 'warning',
      message: `${message}; this word has no effect.`,
    }),
  );
  return {
    findings: [...inComment, ...checkTrl(config)],
    description: {
      framework: 'trl',
      frameworkVersion: config.versionText,
      frameworkVersionFrom: config.versionFrom,
      worldSize: config.processes,
      worldSizeFrom: config.processesFrom,
      batch: file.problem ? null : wholeBatch(readBatch(config), config.processes),
    },
    hover: (offset) => hoverTrl(config, offset),
    complete: (offset) => completeTrl(config, text, offset),
  };
}
