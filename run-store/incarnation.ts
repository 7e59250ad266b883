import type { MethodDescription } from '../protocol/wire/handshake';
import type { StringTable } from '../protocol/wire/stringTable';
import type { Sampling } from '../protocol/wire/values';
import { ENDINGS, NODE_KINDS, ORIGINS, SPAN_STATES, USES } from '../protocol/wire/words';
import { Disorder } from './disorder';
import { Totals } from './ledger/totals';
import type {
  BreakpointRecord,
  DecisionRecord,
  EvaluationRecord,
  FindingRecord,
  RunStateRecord,
  SteeringRecord,
  WorkerRecord,
} from './records';
import { Step } from './step';
import { NONE } from './tables/chunks';
import { GroupTable } from './tables/groupTable';
import { HandleMap, IntMap } from './tables/handleMap';
import { NodeTable } from './tables/nodeTable';
import type { PromptTable } from './tables/promptTable';
import { RolloutTable } from './tables/rolloutTable';
import { StatTable } from './tables/statTable';
import { type Dictionary, OpenCodes, WordCodes } from './tables/wordCodes';

const MOST_ASKED = 256;

/** What is known of a life of the run before its first event. */
export interface IncarnationStart {
  readonly number: number;
  readonly id: string;
  /** Unix ms; event times count from here. */
  readonly startedAt: number;
  /** Reward ≥ this is a success where the job sends none. */
  readonly successThreshold: number;
  readonly sampling?: Sampling;
  readonly methods?: readonly MethodDescription[];
}

/** One life of the run: its handles, its tables, its records. Rows and handles have a meaning only inside it. */
export class Incarnation {
  readonly nodes = new NodeTable();
  readonly rollouts = new RolloutTable();
  readonly groups = new GroupTable();
  readonly stats = new StatTable();
  readonly nodeRows = new HandleMap();
  readonly rolloutRows = new HandleMap();
  readonly groupRows = new IntMap();
  readonly decisionRows = new IntMap();
  private readonly promptRows = new IntMap();

  readonly steps: Step[] = [];
  private readonly byNumber = new Map<number, Step>();
  /** Groups that no step is known of. */
  readonly unplaced = new Totals();
  /** The step that was opened last. */
  current: Step | null = null;

  readonly decisions: (DecisionRecord | null)[] = [];
  readonly steering = new Map<string, SteeringRecord>();
  readonly findings = new Map<string, FindingRecord>();
  readonly breakpoints = new Map<string, BreakpointRecord>();
  readonly workers = new Map<string, WorkerRecord>();
  readonly evaluations: EvaluationRecord[] = [];
  runState: RunStateRecord | null = null;
  readonly disorder = new Disorder();

  /** Seq and time of the last event. */
  head = 0;
  lastT = 0;
  /** Process life is over: a later one has begun. */
  isOver = false;
  openedNodes = 0;
  openedRollouts = 0;
  openedGroups = 0;
  droppedSamples = 0;
  /** Weights after the last step that opened or closed. */
  policyVersion = NONE;
  /** When each greater policy version was first seen. */
  readonly newVersions: { readonly version: number; readonly t: number }[] = [];
  private greatestVersion = NONE;
  private readonly asked = new Map<string, number>();
  /** Codes of the credit rules, in the order in which they came. */
  readonly rules: number[] = [];

  readonly kindCodes: WordCodes;
  readonly originCodes: WordCodes;
  readonly endingCodes: WordCodes;
  readonly useCodes: WordCodes;
  readonly spanCodes: WordCodes;
  readonly codes: OpenCodes;

  constructor(
    readonly start: IncarnationStart,
    readonly strings: StringTable,
    readonly prompts: PromptTable,
    readonly dictionary: Dictionary,
  ) {
    this.kindCodes = new WordCodes(strings, NODE_KINDS);
    this.originCodes = new WordCodes(strings, ORIGINS);
    this.endingCodes = new WordCodes(strings, ENDINGS);
    this.useCodes = new WordCodes(strings, USES);
    this.spanCodes = new WordCodes(strings, SPAN_STATES);
    this.codes = new OpenCodes(strings, dictionary);
  }

  /** The row of a node, made when it is spoken of for the first time; −2 when it was released. */
  nodeRow(handle: number, t: number): number {
    let row = this.nodeRows.get(handle);
    if (row === NONE) {
      row = this.nodes.add(handle, t);
      this.nodeRows.set(handle, row);
    }
    return row;
  }

  rolloutRow(handle: number, t: number): number {
    let row = this.rolloutRows.get(handle);
    if (row === NONE) {
      row = this.rollouts.add(handle, t);
      this.rolloutRows.set(handle, row);
    }
    return row;
  }

  groupRow(handle: number): number {
    let row = this.groupRows.get(handle);
    if (row === NONE) {
      row = this.groups.add(handle);
      this.groupRows.set(handle, row);
    }
    return row;
  }

  promptRow(handle: number): number {
    let row = this.promptRows.get(handle);
    if (row === NONE) {
      row = this.prompts.row(this.text(handle));
      this.promptRows.set(handle, row);
    }
    return row;
  }

  /** The step of a number, made when it is spoken of for the first time. */
  step(number: number): Step {
    let step = this.byNumber.get(number);
    if (step === undefined) {
      step = new Step(this.steps.length, number);
      this.steps.push(step);
      this.byNumber.set(number, step);
    }
    return step;
  }

  findStep(number: number): Step | null {
    return this.byNumber.get(number) ?? null;
  }

  /** The text of a handle; a forgotten one gives "?". */
  text(handle: number): string {
    return this.strings.get(handle) ?? '?';
  }

  textOrNull(handle: number): string | null {
    return handle < 0 ? null : this.strings.get(handle);
  }

  /**
   * The handle of an id that a person asks for, −1 when there is none. Looks through the whole table, so that the
   * last answers are kept.
   */
  handleOf(id: string): number {
    const known = this.asked.get(id);
    if (known !== undefined) return known;
    const handle = this.strings.find(id);
    if (handle < 0) return handle;
    if (this.asked.size >= MOST_ASKED) this.asked.clear();
    this.asked.set(id, handle);
    return handle;
  }

  sawVersion(version: number, t: number): void {
    if (version <= this.greatestVersion) return;
    this.greatestVersion = version;
    this.newVersions.push({ version, t });
  }

  /** Unix ms of a time of this incarnation. */
  unix(t: number): number {
    return this.start.startedAt + t;
  }

  /** Bytes of columns in chunks: memory that the JavaScript engine does not count. */
  get chunkBytes(): number {
    return this.nodes.bytes + this.rollouts.bytes + this.nodeRows.bytes + this.rolloutRows.bytes;
  }

  get bytes(): number {
    let texts = 0;
    for (const decision of this.decisions)
      if (decision) texts += 200 + decision.body.length + decision.sentence.length;
    for (const evaluation of this.evaluations) texts += 3 * evaluation.n.byteLength;
    return (
      this.chunkBytes +
      this.groups.bytes +
      this.stats.bytes +
      this.groupRows.bytes +
      this.decisionRows.bytes +
      this.strings.bytes +
      2_000 * this.steps.length +
      texts
    );
  }
}
