import type { Completion } from '../../openConfig';
import { detailOf } from './hoverTrl';
import { MEANINGS } from './meanings';
import type { Field } from './schema';
import type { TrlConfig } from './trlConfig';

/** Keys at the start of a line, values after a key that has choices. */
export function completeTrl(config: TrlConfig, text: string, offset: number): Completion[] {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(lineStart, offset);
  if (/^[\w-]*$/.test(before)) return keys(config, before);
  const name = /^([\w-]+):[ \t]+["']?[\w-]*$/.exec(before)?.[1];
  const field = name === undefined ? undefined : config.schema.fields.get(name);
  return field ? values(config, field) : [];
}

function keys(config: TrlConfig, typed: string): Completion[] {
  return [...config.schema.fields.values()]
    .filter(
      (field) => field.deprecated === null && (field.name === typed || !config.file.entries.has(field.name)),
    )
    .map((field) => ({
      label: field.name,
      kind: 'key',
      detail: detailOf(config, field),
      markdown: MEANINGS[field.name]?.text ?? '',
      insertText: `${field.name}: `,
    }));
}

function values(config: TrlConfig, field: Field): Completion[] {
  const choices =
    field.choices.length > 0 ? field.choices : field.types.includes('bool') ? [true, false] : [];
  return choices.map((choice) => {
    const needsQuotes = typeof choice === 'string' && /^(?:yes|no|on|off|true|false)$/i.test(choice);
    return {
      label: String(choice),
      kind: 'value',
      detail: detailOf(config, field),
      markdown: MEANINGS[field.name]?.text ?? '',
      insertText: needsQuotes ? `"${choice}"` : String(choice),
    };
  });
}
