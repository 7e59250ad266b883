import type { PyValue } from '../yaml/pyValue';

/** A value in the notation of the recorded answers: `["int", 8]`, `["dict", [[key, value], …]]`. */
export function recordedValue(value: PyValue): unknown {
  switch (value.kind) {
    case 'null':
      return ['null'];
    case 'int': {
      const isSmall = value.value >= -(2n ** 53n) && value.value <= 2n ** 53n;
      return ['int', isSmall ? Number(value.value) : String(value.value)];
    }
    case 'float': {
      if (Number.isNaN(value.value)) return ['float', 'nan'];
      if (!Number.isFinite(value.value)) return ['float', value.value > 0 ? 'inf' : '-inf'];
      return ['float', value.value];
    }
    case 'list':
    case 'tuple':
    case 'set':
      return [value.kind, value.items.map((item) => recordedValue(item.value))];
    case 'dict':
      return [
        'dict',
        value.entries.map((entry) => [recordedValue(entry.key.value), recordedValue(entry.value.value)]),
      ];
    case 'bool':
    case 'str':
    case 'date':
    case 'datetime':
    case 'time':
    case 'bytes':
      return [value.kind, value.value];
  }
}
