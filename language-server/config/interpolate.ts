import { asNumber } from '../yaml/pyValue';
import type { PyValue } from '../yaml/pyValue';
import type { ConfigEntry } from './model';

const WHOLE = /^\$\{\s*([^${}]*?)\s*\}$/;
const DEEPEST = 16;

/**
 * Puts values in the place of OmegaConf's interpolations that are a whole value: `${a.b}`, `${.b}`, `${oc.select:a.b,1}`
 * and the sums and products of NeMo RL. Everything else with `${` in it, and `???`, is not to be known.
 */
export function resolveInterpolations(entries: readonly ConfigEntry[]): ConfigEntry[] {
  const last = new Map<string, ConfigEntry>();
  for (const entry of entries) last.set(entry.name, entry);

  const resolve = (name: string, value: PyValue | null, depth: number): PyValue | null => {
    if (value?.kind !== 'str') return value;
    const text = value.value;
    if (text === '???') return null;
    if (!text.includes('${')) return value;
    const inner = WHOLE.exec(text)?.[1];
    if (inner === undefined || depth > DEEPEST) return null;
    const call = /^([\w.]+)\s*:\s*(.*)$/s.exec(inner);
    return call ? callOf(name, call[1] ?? '', call[2] ?? '', depth) : nodeAt(absolute(name, inner), depth);
  };

  const nodeAt = (path: string | null, depth: number): PyValue | null => {
    const entry = path === null ? undefined : last.get(path);
    return entry && entry.how !== 'delete' ? resolve(entry.name, entry.value, depth + 1) : null;
  };

  const callOf = (name: string, resolver: string, given: string, depth: number): PyValue | null => {
    const args = given.split(',').map((each) => each.trim());
    if (resolver === 'oc.select') return nodeAt(absolute(name, args[0] ?? ''), depth);
    const operation = OPERATIONS[resolver];
    if (!operation) return null;
    const numbers = args.map((each) =>
      /^-?\d+$/.test(each) ? Number(each) : numberAt(absolute(name, each), depth),
    );
    let total: number | undefined = numbers[0];
    for (const number of numbers.slice(1)) {
      total = total === undefined || number === undefined ? undefined : operation(total, number);
    }
    return total !== undefined && Number.isSafeInteger(total) ? { kind: 'int', value: BigInt(total) } : null;
  };

  const numberAt = (path: string | null, depth: number): number | undefined => {
    const value = nodeAt(path, depth);
    return value ? asNumber(value) : undefined;
  };

  return entries.map((entry) => {
    const value = resolve(entry.name, entry.value, 0);
    return value === entry.value ? entry : { ...entry, value, replaceable: false };
  });
}

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sum: (a, b) => a + b,
  mul: (a, b) => a * b,
};

/** The path that an interpolation at `name` means; null where it leads above the root or is none. */
function absolute(name: string, written: string): string | null {
  if (!/^\.*[A-Za-z_][\w.-]*$/.test(written)) return null;
  const dots = /^\.*/.exec(written)?.[0].length ?? 0;
  if (dots === 0) return written;
  const above = name.split('.');
  if (dots > above.length) return null;
  return [...above.slice(0, above.length - dots), written.slice(dots)].join('.');
}
