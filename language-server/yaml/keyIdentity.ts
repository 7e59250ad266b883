import type { PyValue } from './pyValue';

/**
 * Equal for two keys exactly when Python's dict takes them for the same key (True == 1 == 1.0).
 * Undefined for values that Python cannot hash.
 */
export function keyIdentity(value: PyValue): string | undefined {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'bool':
      return value.value ? 'number:1' : 'number:0';
    case 'int':
      return `number:${value.value}`;
    case 'float':
      return Number.isInteger(value.value) ? `number:${BigInt(value.value)}` : `number:${value.value}`;
    case 'str':
    case 'date':
    case 'datetime':
    case 'time':
    case 'bytes':
      return `${value.kind}:${value.value}`;
    case 'tuple': {
      const parts = value.items.map((item) => keyIdentity(item.value));
      return parts.includes(undefined) ? undefined : `tuple:${JSON.stringify(parts)}`;
    }
    case 'list':
    case 'dict':
    case 'set':
      return undefined;
  }
}
