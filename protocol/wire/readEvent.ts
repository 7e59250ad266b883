import type { DecodedKind } from './batch';
import type { Column } from './columns';
import { EVENTS } from './events';
import type { StringTable } from './stringTable';

/**
 * One event of a decoded batch with names instead of handles; missing cells are left out. For tests, for
 * showing events to a person, and for rare kinds; the store reads the columns themselves.
 */
export function readEvent(
  kind: DecodedKind,
  row: number,
  strings: StringTable,
): { kind: string; seq: number; t: number; fields: Record<string, unknown> } {
  const fields: Record<string, unknown> = {};
  const declared: Readonly<Record<string, Column>> = EVENTS[kind.kind].columns;
  for (const [name, spec] of Object.entries(declared)) {
    const column = kind.columns[name];
    if (column === undefined) continue;
    if (column.type === 'values') {
      const value = column.values[row];
      if (value !== null) fields[name] = value;
    } else if (column.type === 'numbers') {
      const value = column.numbers[row]!;
      if (!Number.isNaN(value) || kind.nonFinite.get(name)?.includes(row) === true) fields[name] = value;
    } else {
      const value = column.ints[row]!;
      if (value < 0) continue;
      fields[name] = spec.type === 'ref' ? strings.get(value) : spec.type === 'flag' ? value === 1 : value;
    }
  }
  return { kind: kind.kind, seq: kind.seq[row]!, t: kind.t[row]!, fields };
}
