import type { DecodedBatch } from '../protocol/wire/batch';
import { EVENT_NAMES, type EventName } from '../protocol/wire/events';
import type { StringTable } from '../protocol/wire/stringTable';
import { BatchApplier } from './apply/applyBatch';
import { EarlierLife } from './earlierLife';
import { Incarnation, type IncarnationStart } from './incarnation';
import { LedgerBook } from './ledger/ledgerBook';
import { releaseSteps } from './release';
import type { Step } from './step';
import { NONE } from './tables/chunks';
import { PromptTable } from './tables/promptTable';
import { Dictionary } from './tables/wordCodes';

export interface RunStoreOptions {
  /** Nodes kept in memory before the oldest closed steps are given up. */
  readonly nodeLimit?: number;
}

const NODE_LIMIT = 2_000_000;
/** Steps that are never given up: what a person looks at. */
const KEPT_STEPS = 2;

const KIND_INDEX = new Map<EventName, number>(EVENT_NAMES.map((name, index) => [name, index]));

/**
 * The model of one run over all its incarnations: batches in, queries over it. Whatever the order of the events and
 * however wrong they are, it takes them without throwing and notes what was wrong.
 *
 * Memory: the nodes and rollouts of recent steps (`nodeLimit`); of older steps the totals of steps, groups and
 * prompts. Their trees are read again from the journal (`readSteps`), into another store.
 */
export class RunStore {
  readonly prompts = new PromptTable();
  readonly dictionary = new Dictionary();
  readonly incarnations: Incarnation[] = [];
  /** Rises with every batch and every begun incarnation. */
  revision = 0;
  private readonly nodeLimit: number;
  private nextRelease: number;
  private applier: BatchApplier | null = null;
  /** Revision at which an event of a kind last came, by index in EVENT_NAMES. */
  private readonly kindRevisions = new Uint32Array(EVENT_NAMES.length);
  private begun = 0;

  constructor({ nodeLimit = NODE_LIMIT }: RunStoreOptions = {}) {
    this.nodeLimit = nodeLimit;
    this.nextRelease = nodeLimit;
  }

  /** The incarnation that events go to; null before the first. */
  get current(): Incarnation | null {
    return this.incarnations.at(-1) ?? null;
  }

  /** Seq of the last event of the current incarnation; 0 before the first. */
  get head(): number {
    return this.current?.head ?? 0;
  }

  /**
   * A life of the run begins: a first attachment, a restarted job, or the same life over again after the job's log
   * has moved on (then what was held of it is forgotten and comes again). Earlier lives stay; what ran in them
   * when they ended counts as aborted.
   *
   * @param strings the table that `decodeBatch` fills for this life's batches.
   */
  beginIncarnation(start: IncarnationStart, strings: StringTable): void {
    this.revision += 1;
    this.begun = this.revision;
    const again = this.incarnations.findIndex(({ start: known }) => known.id === start.id);
    if (again >= 0) this.forget(again);
    this.endIncarnation();
    const incarnation = new Incarnation(start, strings, this.prompts, this.dictionary);
    this.incarnations.push(incarnation);
    this.applier = this.applierOf(incarnation);
  }

  /**
   * Takes up a life before the present one, to read of it what was not heard: all of it, or what came after its
   * last event that is held. What is read shows when it is finished; the present life goes on meanwhile.
   *
   * @param strings the table for a life that is not held; a held one has its own.
   */
  readEarlier(start: IncarnationStart, strings: StringTable): EarlierLife {
    const held = this.incarnations.find(({ start: known }) => known.id === start.id);
    const incarnation = held ?? new Incarnation(start, strings, this.prompts, this.dictionary);
    const show = (): void => {
      // Its process has ended, whatever it said last.
      incarnation.isOver = true;
      new LedgerBook(incarnation, this).abortRunning('restarted');
      if (!held) this.insert(incarnation);
      this.revision += 1;
      this.begun = this.revision;
    };
    return new EarlierLife(incarnation, this.applierOf(incarnation), {
      makeRoom: () => this.makeRoom(incarnation),
      finish: show,
      abandon: held ? show : () => this.takeOut(incarnation),
    });
  }

  /**
   * Applies a batch to the current incarnation, event by event in the order of seq. Events up to `head` are
   * known already and left out.
   *
   * @param segment the journal's segment that the batch stands in: texts are found by it. 0: a live stream.
   * @throws Error when no incarnation was begun.
   */
  apply(batch: DecodedBatch, segment = 0): void {
    const { current } = this;
    if (!current || !this.applier) throw new Error('RunStore.apply: begin an incarnation first');
    this.revision += 1;
    this.applier.apply(batch, current.head, segment);
    for (const kind of batch.kinds) this.kindRevisions[kind.index] = this.revision;
    if (batch.to > current.head) current.head = batch.to;
    const live = this.liveNodes();
    if (live > this.nextRelease) {
      this.releaseOldSteps();
      // What could not be released now is tried again after some growth, not with every batch.
      this.nextRelease = Math.max(this.nodeLimit, this.liveNodes() + this.nodeLimit / 8);
    }
  }

  /** A life that is read again gives its own trees up first: they are read once more when somebody looks. */
  private makeRoom(incarnation: Incarnation): void {
    const others = this.incarnations.includes(incarnation) ? 0 : incarnation.nodes.live;
    const excess = this.liveNodes() + others - this.nodeLimit;
    if (excess > 0) releaseSteps(incarnation, incarnation.steps.length, excess);
  }

  private applierOf(incarnation: Incarnation): BatchApplier {
    const lives = this.incarnations;
    const { number } = incarnation.start;
    return new BatchApplier({
      incarnation,
      get earlier() {
        return lives.filter((one) => one !== incarnation && one.start.number < number);
      },
      ledger: new LedgerBook(incarnation, this),
      clock: this,
    });
  }

  private insert(incarnation: Incarnation): void {
    const { number } = incarnation.start;
    const later = this.incarnations.findIndex(({ start }) => start.number > number);
    this.incarnations.splice(later < 0 ? this.incarnations.length : later, 0, incarnation);
  }

  /** Revision at which an event of one of these kinds last came; a begun incarnation counts as all of them. */
  revisionOf(kinds: readonly EventName[]): number {
    let latest = this.begun;
    for (const kind of kinds) latest = Math.max(latest, this.kindRevisions[KIND_INDEX.get(kind)!]!);
    return latest;
  }

  /** Nodes in memory. */
  liveNodes(): number {
    return this.incarnations.reduce((sum, { nodes }) => sum + nodes.live, 0);
  }

  /** Bytes held, without the JavaScript objects of rare records. */
  memory(): number {
    return this.incarnations.reduce((sum, { bytes }) => sum + bytes, this.prompts.bytes);
  }

  /**
   * Gives up nodes, rollouts and decisions of the oldest closed steps until at most three quarters of the node
   * limit are held. The newest two steps and open ones stay.
   *
   * @returns how many nodes were given up.
   */
  releaseOldSteps(): number {
    const before = this.liveNodes();
    const target = Math.floor(0.75 * this.nodeLimit);
    for (const incarnation of this.incarnations) {
      const excess = this.liveNodes() - target;
      if (excess <= 0) break;
      const last = incarnation.current?.index ?? NONE;
      const first = incarnation === this.current ? last - KEPT_STEPS + 1 : last + 1;
      releaseSteps(incarnation, Math.max(0, first), excess);
    }
    return before - this.liveNodes();
  }

  /** The step in the newest incarnation that has it; null: the step that was opened last. */
  findStep(number: number | null): { readonly incarnation: Incarnation; readonly step: Step } | null {
    for (let i = this.incarnations.length - 1; i >= 0; i--) {
      const incarnation = this.incarnations[i]!;
      const step = number === null ? incarnation.current : incarnation.findStep(number);
      if (step) return { incarnation, step };
    }
    return null;
  }

  /** Whether the step's trees are in memory; false also when there is no such step. */
  hasStep(number: number): boolean {
    const found = this.findStep(number);
    return found !== null && found.step.released === null;
  }

  /** Every step number once, in the newest incarnation that has it, in the order in which they came. */
  steps(): { readonly incarnation: Incarnation; readonly step: Step }[] {
    const newest = new Map<number, { readonly incarnation: Incarnation; readonly step: Step }>();
    for (const incarnation of this.incarnations) {
      for (const step of incarnation.steps) {
        newest.delete(step.number);
        newest.set(step.number, { incarnation, step });
      }
    }
    return [...newest.values()].sort((a, b) => a.step.number - b.step.number);
  }

  /** The process of the present incarnation has ended: what ran in it counts as aborted, for this reason. */
  endIncarnation(reason = 'restarted'): void {
    if (!this.current) return;
    this.revision += 1;
    this.begun = this.revision;
    this.current.isOver = true;
    new LedgerBook(this.current, this).abortRunning(reason);
  }

  private forget(index: number): void {
    const [gone] = this.incarnations.splice(index, 1);
    if (gone) this.takeOut(gone);
  }

  /** Takes the results of a life out of what is held of its prompts. */
  private takeOut({ groups }: Incarnation): void {
    for (let group = 0; group < groups.count; group++) {
      const prompt = groups.prompt[group]!;
      if (prompt < 0) continue;
      this.prompts.n[prompt]! -= groups.n[group]!;
      this.prompts.c[prompt]! -= groups.c[group]!;
      this.prompts.groups[prompt]! -= 1;
    }
  }
}
