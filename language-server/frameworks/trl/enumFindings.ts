import type { Finding, FindingSeverity, Fix } from '../../finding';
import { editDistance } from '../../text/editDistance';
import type { PyValue } from '../../yaml/pyValue';
import { atValue, fixOf } from './findings';
import type { Field } from './schema';
import type { TrlConfig } from './trlConfig';
import { valueOf } from './trlConfig';
import type { FileEntry } from './trlFile';
import { shorten } from './typeFindings';

/** Whether a value of the file is one of the field's choices. */
export function enumFindings(config: TrlConfig, field: Field, entry: FileEntry): Finding[] {
  const value = entry.value.value;
  if (field.choices.length === 0 || isChoice(field, value)) return [];
  // The parser itself turns text into such options, or refuses it.
  if (field.conversion === 'DebugOption') return [];
  if (value.kind === 'null' && (field.types.includes('null') || field.nullFromParser)) return [];
  const { severity, effect } = consequence(config, field);
  const message = `${field.name} is one of ${choiceWords(field)}; ${valueWords(value)} is not. ${effect}`;
  const fixes = choiceFixes(config, field, entry);
  return [atValue(config.file, entry, { code: 'enum', severity, message, fixes })];
}

function isChoice(field: Field, value: PyValue): boolean {
  if (value.kind === 'str') return field.choices.includes(value.value);
  return value.kind === 'bool' && field.choices.includes(value.value);
}

function consequence(config: TrlConfig, field: Field): { severity: FindingSeverity; effect: string } {
  if (field.choicesChecked === 'at config') return { severity: 'error', effect: 'TRL refuses the file.' };
  if (field.choicesChecked !== 'at use') {
    const effect =
      'The command line refuses it, a config file does not: it fails, or works, where the value is used.';
    return { severity: 'information', effect };
  }
  const vllm = valueOf(config, 'use_vllm');
  if (field.name.startsWith('vllm_') && vllm?.kind === 'bool' && !vllm.value) {
    return { severity: 'information', effect: 'Nobody notices while use_vllm is false.' };
  }
  const effect =
    'TRL looks at it only where it is used: the run stops after the first generation and its rewards.';
  return { severity: 'warning', effect };
}

function choiceWords(field: Field): string {
  const words = field.choices.map((choice) =>
    isYamlBool(choice) ? `"${String(choice)}" (in quotes)` : String(choice),
  );
  return words.length > 12
    ? `${words.slice(0, 10).join(', ')}, … (${words.length} in all)`
    : words.join(', ');
}

function valueWords(value: PyValue): string {
  if (value.kind === 'str') return `"${shorten(value.value)}"`;
  if (value.kind === 'bool') return `the boolean ${value.value} (YAML reads on, off, yes and no as booleans)`;
  if (value.kind === 'null') return 'null';
  return `a value that is not text`;
}

function choiceFixes(config: TrlConfig, field: Field, entry: FileEntry): Fix[] {
  const value = entry.value.value;
  const write = (choice: string | boolean): Fix[] => {
    const text = isYamlBool(choice) ? `"${String(choice)}"` : String(choice);
    return fixOf(`Write ${text}`, config.file.setKey(entry.name, text, []), true);
  };
  if (value.kind === 'bool' && !value.value) return field.choices.includes('no') ? write('no') : [];
  if (value.kind !== 'str') return [];
  const plain = value.value.toLowerCase().replaceAll('-', '_');
  const near = field.choices
    .filter((choice) => typeof choice === 'string')
    .map((choice) => ({ choice, distance: editDistance(plain, choice.toLowerCase(), 2) }))
    .filter(({ choice, distance }) => distance <= 2 && distance < choice.length)
    .sort((a, b) => a.distance - b.distance)[0];
  return near ? write(near.choice) : [];
}

/** Choices that unquoted YAML would read as booleans. */
function isYamlBool(choice: string | boolean): boolean {
  return typeof choice === 'string' && /^(?:yes|no|on|off|true|false)$/i.test(choice);
}
