import type { PyNode } from '../yaml/pyValue';
import type { ConfigEntry } from './model';

const MOST_ENTRIES = 50_000;

/**
 * The entries of a tree of mappings: `a`, `a.b`, and `a[].b` for the mappings inside a list. A section stands before
 * what is in it.
 *
 * @param how `inherited` for the tree of another file, which has no places in this one
 */
export function entriesOf(root: PyNode, how: ConfigEntry['how']): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const walk = (node: PyNode, prefix: string): void => {
    if (node.value.kind === 'list') {
      for (const item of node.value.items) {
        if (item.value.kind === 'dict') walk(item, `${prefix.slice(0, -1)}[].`);
      }
    }
    if (node.value.kind !== 'dict') return;
    for (const { key, value } of node.value.entries) {
      if (key.value.kind !== 'str' || entries.length >= MOST_ENTRIES) continue;
      const name = `${prefix}${key.value.value}`;
      const isPlain = value.value.kind !== 'dict' && value.value.kind !== 'list';
      entries.push({
        name,
        written: null,
        key: { start: key.start, end: key.end },
        value: value.value,
        valuePlace: isPlain ? { start: value.start, end: value.end } : { start: key.start, end: key.end },
        replaceable: isPlain && value.end > value.start,
        how,
      });
      walk(value, `${name}.`);
    }
  };
  walk(root, '');
  return entries;
}
