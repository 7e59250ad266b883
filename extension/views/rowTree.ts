/** What a tree shows at one place: a node of the view and how it is drawn. */
export interface Drawn<Node, Parts> {
  readonly id: string;
  readonly node: Node;
  readonly parts: Parts;
}

/** A row that keeps its identity while it changes: VS Code knows rows by it. */
export class Row<Node, Parts> {
  /** Ids of the rows below it; null: nobody has asked for them. */
  below: readonly string[] | null = null;
  signature: string;

  constructor(
    readonly id: string,
    public node: Node,
    public parts: Parts,
  ) {
    this.signature = JSON.stringify(parts);
  }
}

/**
 * The rows that VS Code has of a tree. After a change it is told of those rows only that look different, so that
 * a row under the pointer, its actions and what a screen reader reads stay while others move.
 */
export class RowTree<Node, Parts> {
  private readonly rows = new Map<string, Row<Node, Parts>>();
  private top: readonly string[] | null = null;

  /** @param list what stands below a node, now; undefined: at the top. */
  constructor(private readonly list: (node: Node | undefined) => readonly Drawn<Node, Parts>[]) {}

  childrenOf(parent?: Row<Node, Parts>): Row<Node, Parts>[] {
    const drawn = this.list(parent?.node);
    const ids = drawn.map(({ id }) => id);
    for (const id of (parent ? parent.below : this.top) ?? []) if (!ids.includes(id)) this.forget(id);
    for (const one of drawn) this.take(one);
    if (parent) parent.below = ids;
    else this.top = ids;
    return ids.flatMap((id) => this.rows.get(id) ?? []);
  }

  /** Rows to be drawn again; `all`: from the top. */
  changes(): Row<Node, Parts>[] | 'all' {
    if (this.top === null) return [];
    const changed: Row<Node, Parts>[] = [];
    return this.compare(undefined, this.top, changed) ? changed : 'all';
  }

  /** @returns false when the rows below the parent are not the same ones any more. */
  private compare(
    parent: Row<Node, Parts> | undefined,
    before: readonly string[],
    changed: Row<Node, Parts>[],
  ): boolean {
    const now = this.list(parent?.node);
    if (now.length !== before.length || now.some(({ id }, place) => id !== before[place])) return false;
    for (const one of now) {
      const looks = this.take(one);
      const row = this.rows.get(one.id);
      if (!row) continue;
      if (looks) changed.push(row);
      if (row.below && !this.compare(row, row.below, changed) && !looks) changed.push(row);
    }
    return true;
  }

  /** @returns whether the row looks different from before. */
  private take({ id, node, parts }: Drawn<Node, Parts>): boolean {
    const row = this.rows.get(id);
    if (!row) {
      this.rows.set(id, new Row(id, node, parts));
      return true;
    }
    const signature = JSON.stringify(parts);
    const looks = signature !== row.signature;
    row.node = node;
    row.parts = parts;
    row.signature = signature;
    return looks;
  }

  private forget(id: string): void {
    for (const below of this.rows.get(id)?.below ?? []) this.forget(below);
    this.rows.delete(id);
  }
}
