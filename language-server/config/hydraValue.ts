import type { PyNode, PyValue } from '../yaml/pyValue';
import { parsePythonFloat } from '../yaml/scalars';

const INT = /^[+-]?(?:0|[1-9]\d*(?:_\d+)*)$/;
const FLOAT =
  /^[+-]?(?:(?:\d+(?:_\d+)*)?\.\d+(?:_\d+)*(?:[eE][+-]?\d+(?:_\d+)*)?|\d+(?:_\d+)*\.(?:[eE][+-]?\d+(?:_\d+)*)?|\d+(?:_\d+)*[eE][+-]?\d+(?:_\d+)*|inf|nan)$/i;

/**
 * A value of Hydra's override grammar. Its primitives differ from YAML: `1e-6` is a number, `on` and `017` are text,
 * `True` is a boolean. Null for what only Hydra can tell: interpolations, functions, sweeps.
 *
 * Source: Hydra 1.3, OverrideLexer.g4 (`INT`, `FLOAT`, `BOOL`, `NULL`).
 */
export function readHydraValue(written: string): PyValue | null {
  const text = written.trim();
  if (text.includes('${')) return null;
  if (/^null$/i.test(text)) return { kind: 'null' };
  if (/^(?:true|false)$/i.test(text)) return { kind: 'bool', value: text.toLowerCase() === 'true' };
  if (INT.test(text)) return { kind: 'int', value: BigInt(text.replaceAll('_', '').replace(/^\+/, '')) };
  if (FLOAT.test(text)) return { kind: 'float', value: parsePythonFloat(text) ?? NaN };
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted) return { kind: 'str', value: (quoted[2] ?? '').replaceAll(/\\(['"])/g, '$1') };
  if (text.startsWith('[') && text.endsWith(']')) return { kind: 'list', items: items(text.slice(1, -1)) };
  // A bare comma makes a sweep, parentheses a function.
  if (/[(),{}]/.test(text)) return null;
  return { kind: 'str', value: text };
}

function items(text: string): PyNode[] {
  if (text.trim() === '' || /[[{('"]/.test(text)) {
    return [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) =>
      node({ kind: 'str', value: match[1] ?? match[2] ?? '' }),
    );
  }
  return text.split(',').map((item) => node(readHydraValue(item) ?? { kind: 'null' }));
}

function node(value: PyValue): PyNode {
  return { value, start: 0, end: 0 };
}
