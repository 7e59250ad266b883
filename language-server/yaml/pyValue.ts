/**
 * A value as Python holds it after `yaml.safe_load`.
 * `int` is a bigint because Python's integers have no bound; `date` and `datetime` are ISO text; `bytes` is hex.
 */
export type PyValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'str'; readonly value: string }
  | { readonly kind: 'date'; readonly value: string }
  | { readonly kind: 'datetime'; readonly value: string }
  | { readonly kind: 'time'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: string }
  | { readonly kind: 'list' | 'tuple'; readonly items: readonly PyNode[] }
  | { readonly kind: 'dict'; readonly entries: readonly PyEntry[] }
  | { readonly kind: 'set'; readonly items: readonly PyNode[] };

/** A value and the stretch of text it was read from: UTF-16 offsets, end exclusive. */
export interface PyNode {
  readonly value: PyValue;
  readonly start: number;
  readonly end: number;
}

/** One entry of a mapping, in Python's order: the place of the first key, the value of the last. */
export interface PyEntry {
  readonly key: PyNode;
  readonly value: PyNode;
}

/** What a person calls the kind of a value. */
export function kindName(value: PyValue): string {
  switch (value.kind) {
    case 'null':
      return 'nothing (null)';
    case 'bool':
      return 'a boolean';
    case 'int':
      return 'a whole number';
    case 'float':
      return 'a decimal number';
    case 'str':
      return 'text';
    case 'date':
    case 'datetime':
      return 'a date';
    case 'time':
      return 'a time';
    case 'bytes':
      return 'bytes';
    case 'list':
    case 'tuple':
      return 'a list';
    case 'dict':
      return 'a mapping';
    case 'set':
      return 'a set';
  }
}

/**
 * The value as a number of Python's arithmetic (a bool counts as 0 or 1).
 * Undefined when it is no number, or an integer that a double cannot hold exactly.
 */
export function asNumber(value: PyValue): number | undefined {
  if (value.kind === 'bool') return value.value ? 1 : 0;
  if (value.kind === 'float') return value.value;
  if (value.kind !== 'int') return undefined;
  const number = Number(value.value);
  return Number.isSafeInteger(number) ? number : undefined;
}
