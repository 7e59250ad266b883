import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PyValue } from './pyValue';
import { readYaml } from './readYaml';

// Source: recorded answers of PyYAML 6.0.3's safe_load (vectors/configs/values.json).
interface Recorded {
  readonly id: string;
  readonly kind: 'scalar' | 'yaml' | 'toml';
  readonly text?: string;
  readonly hex?: string;
  readonly pyyaml?: unknown;
}
const vectors: { cases: Recorded[] } = JSON.parse(
  readFileSync(new URL('../../test/vectors/configs/values.json', import.meta.url), 'utf8'),
);

function fileText(each: Recorded): string {
  if (each.hex !== undefined)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(each.hex, 'hex'));
  return each.kind === 'scalar' ? `v: ${each.text}\n` : (each.text ?? '');
}

/** A value in the vectors' notation. */
function recorded(value: PyValue): unknown {
  switch (value.kind) {
    case 'null':
      return ['null'];
    case 'int': {
      const small = value.value >= -(2n ** 53n) && value.value <= 2n ** 53n;
      return ['int', small ? Number(value.value) : String(value.value)];
    }
    case 'float': {
      const names = new Map([
        [Infinity, 'inf'],
        [-Infinity, '-inf'],
      ]);
      return ['float', Number.isNaN(value.value) ? 'nan' : (names.get(value.value) ?? value.value)];
    }
    case 'list':
    case 'tuple':
    case 'set':
      return [value.kind, value.items.map((item) => recorded(item.value))];
    case 'dict':
      return ['dict', value.entries.map((entry) => [recorded(entry.key.value), recorded(entry.value.value)])];
    case 'bool':
    case 'str':
    case 'date':
    case 'datetime':
    case 'bytes':
      return [value.kind, value.value];
  }
}

function answer(each: Recorded): unknown {
  const { root, problems } = readYaml(fileText(each));
  if (problems.length > 0) return 'error';
  if (each.kind === 'yaml') return recorded(root.value);
  const entries = root.value.kind === 'dict' ? root.value.entries : [];
  const only = entries.length === 1 ? entries[0] : undefined;
  return only ? recorded(only.value.value) : { document: recorded(root.value) };
}

describe('readYaml', () => {
  const cases = vectors.cases.filter((each) => each.pyyaml !== undefined);

  it('has the recorded cases', () => expect(cases.length).toBeGreaterThan(240));

  it.each(cases.map((each) => [each.id, fileText(each), each] as const))(
    '%s reads %j as PyYAML does',
    (_, __, each) => {
      const isError = typeof each.pyyaml === 'object' && each.pyyaml !== null && 'error' in each.pyyaml;
      expect(answer(each)).toEqual(isError ? 'error' : each.pyyaml);
    },
  );
});
void fc;
