/**
 * VS Code hands messages to a webview as JSON text in which NaN and the infinities become null, and null reads
 * as 0 in arithmetic. Whoever posts data of a view or a query packs it first; the page unpacks what it receives.
 * Typed arrays pass untouched: VS Code carries them beside the text.
 */
interface PackedNumber {
  readonly $number: 'NaN' | 'Infinity' | '-Infinity';
}
interface PackedNumbers {
  readonly $numbers: Float64Array;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  !(value instanceof ArrayBuffer);

function nameOf(value: number): PackedNumber['$number'] {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

function packArray(list: readonly unknown[]): unknown {
  let special = false;
  let onlyNumbers = true;
  for (const item of list) {
    if (typeof item !== 'number') onlyNumbers = false;
    else if (!Number.isFinite(item)) special = true;
  }
  if (onlyNumbers)
    return special
      ? ({ $numbers: Float64Array.from(list as readonly number[]) } satisfies PackedNumbers)
      : list;
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item === 'string') continue;
    const packed = packNumbers(item);
    if (packed !== item) (changed ??= [...list])[i] = packed;
  }
  return changed ?? list;
}

function mapObject(
  value: Record<string, unknown>,
  map: (inner: unknown) => unknown,
): Record<string, unknown> {
  let changed: Record<string, unknown> | null = null;
  for (const key of Object.keys(value)) {
    const mapped = map(value[key]);
    if (mapped !== value[key]) (changed ??= { ...value })[key] = mapped;
  }
  return changed ?? value;
}

/** The same data with NaN and infinities in a form that JSON carries; the argument itself when there are none. */
export function packNumbers(value: unknown): unknown {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : ({ $number: nameOf(value) } satisfies PackedNumber);
  }
  if (Array.isArray(value)) return packArray(value);
  return isPlain(value) ? mapObject(value, packNumbers) : value;
}

/** Undoes packNumbers. */
export function unpackNumbers(value: unknown): unknown {
  if (Array.isArray(value)) {
    let changed: unknown[] | null = null;
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item !== 'object') continue;
      const inner = unpackNumbers(item);
      if (inner !== item) (changed ??= [...(value as unknown[])])[i] = inner;
    }
    return changed ?? value;
  }
  if (!isPlain(value)) return value;
  if (value['$numbers'] instanceof Float64Array) return Array.from(value['$numbers']);
  if (typeof value['$number'] === 'string') return Number(value['$number']);
  return mapObject(value, unpackNumbers);
}
