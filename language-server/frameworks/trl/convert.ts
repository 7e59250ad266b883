import type { PyValue } from '../../yaml/pyValue';
import { parsePythonFloat, parsePythonInt } from '../../yaml/scalars';
import type { Plain } from '../../json/jsonShape';
import type { Field } from './schema';

const TRUE_WORDS: ReadonlySet<string> = new Set(['yes', 'true', 't', 'y', '1']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['no', 'false', 'f', 'n', '0']);
const NULL: PyValue = { kind: 'null' };

/**
 * What TrlParser makes of a value from the file: a value that is not text stays as it is, text is converted by the
 * field's type (argparse treats file values as defaults). Undefined where the parser stops with an error.
 */
export function convertFileValue(field: Field, value: PyValue): PyValue | undefined {
  if (value.kind !== 'str') return value;
  const text = value.value;
  if (field.noneIsNull && /^(none|null)$/i.test(text)) return NULL;
  switch (field.conversion) {
    case 'int': {
      const number = parsePythonInt(text);
      return number === undefined ? undefined : { kind: 'int', value: number };
    }
    case 'float': {
      const number = parsePythonFloat(text);
      return number === undefined ? undefined : { kind: 'float', value: number };
    }
    case 'bool':
      if (TRUE_WORDS.has(text.toLowerCase())) return { kind: 'bool', value: true };
      return FALSE_WORDS.has(text.toLowerCase()) ? { kind: 'bool', value: false } : undefined;
    case 'DebugOption':
      return field.choices.includes(text) ? value : undefined;
    case 'dict':
      // dict("") is an empty mapping; any other text raises.
      return text === '' ? { kind: 'dict', entries: [] } : undefined;
    default:
      return value;
  }
}

/** A default of the schema as a Python value. Whole numbers of float fields are floats. */
export function defaultValue(field: Field, plain: Plain): PyValue {
  if (plain === null) return NULL;
  if (typeof plain === 'boolean') return { kind: 'bool', value: plain };
  if (typeof plain === 'string') return { kind: 'str', value: plain };
  if (typeof plain === 'number') {
    const isInt = Number.isInteger(plain) && !field.types.includes('float');
    return isInt ? { kind: 'int', value: BigInt(plain) } : { kind: 'float', value: plain };
  }
  return Array.isArray(plain) ? { kind: 'list', items: [] } : { kind: 'dict', entries: [] };
}
