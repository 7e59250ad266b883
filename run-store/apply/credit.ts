import { CHUNK_MASK, NONE, missingNumbers } from '../tables/chunks';
import type { Cells } from './cells';
import { EventApplier, type ApplyContext } from './eventApplier';

interface RuleColumns {
  readonly value: Float32Array;
  readonly advantage: Float32Array;
}
interface CreditColumns {
  value: Float32Array | null;
  advantage: Float32Array | null;
  credits: Map<number, RuleColumns> | null;
}

/** Value and advantage by a rule. The rule that came first has its own columns, each further one a pair of them. */
export class Credit extends EventApplier<'credit'> {
  private t: Float64Array = new Float64Array(0);
  private node = this.t;
  private rollout = this.t;
  private rule = this.t;
  private value = this.t;
  private advantage = this.t;

  constructor(context: ApplyContext) {
    super('credit', context);
  }

  protected take(cells: Cells<'credit'>): void {
    this.t = cells.t;
    this.node = cells.ints('node');
    this.rollout = cells.ints('rollout');
    this.rule = cells.ints('rule');
    this.value = cells.numbers('value');
    this.advantage = cells.numbers('advantage');
  }

  // The same as in the base class, but the engine compiles it for this class alone.
  override run(from: number, to: number): void {
    for (let row = from; row < to; row++) this.apply(row);
  }

  protected apply(e: number): void {
    const { incarnation, clock } = this.context;
    const t = this.t[e]!;
    let owner = NONE;
    if (this.node[e]! >= 0) {
      const row = incarnation.nodeRow(this.node[e]!, t);
      const chunk = incarnation.nodes.chunk(row);
      if (chunk) {
        const i = row & CHUNK_MASK;
        this.write(chunk, i, e);
        owner = chunk.rollout.get(i);
      }
    } else if (this.rollout[e]! >= 0) {
      owner = incarnation.rolloutRow(this.rollout[e]!, t);
      const chunk = incarnation.rollouts.chunk(owner);
      if (chunk) this.write(chunk, owner & CHUNK_MASK, e);
    }
    const chunk = owner >= 0 ? incarnation.rollouts.chunk(owner) : null;
    const group = chunk ? chunk.group.get(owner & CHUNK_MASK) : NONE;
    if (group >= 0) incarnation.groups.touched[group] = clock.revision;
  }

  private write(chunk: CreditColumns, i: number, e: number): void {
    const { incarnation } = this.context;
    const rule = incarnation.codes.get(this.rule[e]!, 0);
    const { rules } = incarnation;
    const value = this.value[e]!;
    const advantage = this.advantage[e]!;
    if (rules.length === 0) rules.push(rule);
    if (rules[0] === rule) {
      if (value === value) (chunk.value ??= missingNumbers())[i] = value;
      if (advantage === advantage) (chunk.advantage ??= missingNumbers())[i] = advantage;
      return;
    }
    if (!rules.includes(rule)) rules.push(rule);
    const credits = (chunk.credits ??= new Map<number, RuleColumns>());
    let columns = credits.get(rule);
    if (!columns) {
      columns = { value: missingNumbers(), advantage: missingNumbers() };
      credits.set(rule, columns);
    }
    columns.value[i] = value;
    columns.advantage[i] = advantage;
  }
}
