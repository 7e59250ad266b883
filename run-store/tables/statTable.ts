import { NONE, columnBytes, grown } from './chunks';

/**
 * Results by (group, policy version), which is (prompt, step, policy version): n, c, Σ r, Σ r². Rows of a group are
 * linked; most groups have one. Rates are derived, never stored.
 */
export class StatTable {
  count = 0;
  private room = 256;
  group = new Int32Array(this.room);
  /** −1: not known, the version of the step. */
  version = new Int32Array(this.room);
  n = new Int32Array(this.room);
  c = new Int32Array(this.room);
  sumReward = new Float64Array(this.room);
  sumReward2 = new Float64Array(this.room);
  next = new Int32Array(this.room);

  /** The row of a version in the list that begins at `first`, made when there is none. */
  row(group: number, first: number, version: number): number {
    for (let row = first; row !== NONE; row = this.next[row]!) if (this.version[row] === version) return row;
    if (this.count === this.room) this.grow();
    const row = this.count++;
    this.group[row] = group;
    this.version[row] = version;
    this.next[row] = NONE;
    if (first !== NONE) {
      this.next[row] = this.next[first]!;
      this.next[first] = row;
    }
    return row;
  }

  get bytes(): number {
    return columnBytes(this);
  }

  private grow(): void {
    const rows = Math.ceil(1.5 * this.room);
    this.room = rows;
    this.group = grown(this.group, rows, 0);
    this.version = grown(this.version, rows, 0);
    this.n = grown(this.n, rows, 0);
    this.c = grown(this.c, rows, 0);
    this.sumReward = grown(this.sumReward, rows, 0);
    this.sumReward2 = grown(this.sumReward2, rows, 0);
    this.next = grown(this.next, rows, 0);
  }
}
