import { describe, expect, it } from 'vitest';
import { RowTree, type Drawn } from './rowTree';

interface Node {
  readonly name: string;
  readonly text: string;
  readonly below?: readonly Node[];
}

function tree(top: readonly Node[]) {
  let now = top;
  const draw = (nodes: readonly Node[]): Drawn<Node, string>[] =>
    nodes.map((node) => ({ id: node.name, node, parts: node.text }));
  const rows = new RowTree<Node, string>((node) => draw(node ? (node.below ?? []) : now));
  const change = (next: readonly Node[]) => {
    now = next;
    const changed = rows.changes();
    return changed === 'all' ? 'all' : changed.map(({ id }) => id);
  };
  return { rows, change };
}

const leaf = (name: string, text = name): Node => ({ name, text });

describe('the rows of a native tree', () => {
  it('are told of only when they look different, and keep their identity', () => {
    const { rows, change } = tree([leaf('a'), leaf('b')]);
    const [a] = rows.childrenOf();
    expect(change([leaf('a'), leaf('b')])).toEqual([]);
    expect(change([leaf('a', 'other'), leaf('b')])).toEqual(['a']);
    expect(rows.childrenOf()[0]).toBe(a);
    expect(a?.parts).toBe('other');
    expect(change([leaf('a', 'other'), leaf('b')])).toEqual([]);
  });

  it('are drawn from the top when a row came, went or moved there', () => {
    const { rows, change } = tree([leaf('a'), leaf('b')]);
    rows.childrenOf();
    expect(change([leaf('b'), leaf('a')])).toBe('all');
    rows.childrenOf();
    expect(change([leaf('b')])).toBe('all');
  });

  it('are drawn from their parent when something below it came or went, and only where it was opened', () => {
    const before = [
      { ...leaf('a'), below: [leaf('x')] },
      { ...leaf('b'), below: [leaf('y')] },
    ];
    const { rows, change } = tree(before);
    const [a] = rows.childrenOf();
    rows.childrenOf(a);
    expect(
      change([
        { ...leaf('a'), below: [leaf('x'), leaf('z')] },
        { ...leaf('b'), below: [] },
      ]),
    ).toEqual(['a']);
    rows.childrenOf(a);
    expect(
      change([
        { ...leaf('a'), below: [leaf('x', 'new'), leaf('z')] },
        { ...leaf('b'), below: [] },
      ]),
    ).toEqual(['x']);
  });

  it('are nothing to tell of before anybody has looked', () => {
    const { change } = tree([leaf('a')]);
    expect(change([leaf('b')])).toEqual([]);
  });
});
