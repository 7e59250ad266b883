import { allocationMethodById } from '../../methods/allocation/methods';
import { Rng } from '../../methods/random';
import { decodeBatch, forEachInOrder } from '../../protocol/wire/batch';
import type { EventName } from '../../protocol/wire/events';
import { readEvent } from '../../protocol/wire/readEvent';
import type { SteeringName, SteeringParams } from '../../protocol/wire/steering';
import { StringTable } from '../../protocol/wire/stringTable';
import { initialParameters, type PolicyParameters } from '../policy/policyParameters';
import { ManualClock } from '../server/manualClock';
import { Publisher } from '../server/publisher';
import { VOCABULARY_SIZE } from '../tasks/vocabulary';
import type { Checkpoint } from './checkpoint';
import { decodeCheckpoint } from './checkpoint';
import { freshControl, type ControlState, type MethodChoice } from './controlState';
import { parametersOfRun, type RunSizes } from './followedMethods';
import { Job } from './job';
import { DEFAULT_SETTINGS, type JobSettings } from './settings';

/** For tests: a job on a small untrained policy, with time that passes only when it sleeps. */
export interface Seen {
  readonly kind: EventName;
  readonly seq: number;
  readonly t: number;
  readonly fields: Record<string, unknown>;
}

type Own<N extends SteeringName> = Omit<SteeringParams<N>, 'commandId' | 'incarnation' | 'author'> &
  Partial<Pick<SteeringParams<N>, 'commandId' | 'incarnation' | 'author'>>;

/** A choice of an allocation rule, with 2 for what is neither published nor follows the run. */
export function allocationChoice(method: string, run: RunSizes): MethodChoice {
  const follow = parametersOfRun(method, run);
  const { parameters } = allocationMethodById(method);
  const asked = parameters.filter(({ name, ...rest }) => rest.default === undefined && !(name in follow));
  return { method, parameters: Object.fromEntries(asked.map(({ name }) => [name, 2])) };
}

export const smallPolicy = (): PolicyParameters =>
  initialParameters(
    { vocabulary: VOCABULARY_SIZE, hidden: 12, query: 4, positions: 8 },
    Rng.from('small policy'),
  );

export interface HarnessOptions {
  readonly settings?: Partial<JobSettings>;
  readonly weights?: PolicyParameters;
  readonly control?: ControlState;
  readonly checkpoint?: Checkpoint | null;
  readonly incarnation?: number;
}

const TURNS = 200_000;

export class JobHarness {
  readonly events: Seen[] = [];
  readonly publisher: Publisher;
  readonly job: Job;
  readonly clock = new ManualClock();
  control: ControlState;
  checkpoint: Checkpoint | null = null;
  private counter = 0;

  constructor(options: HarnessOptions = {}) {
    const methods = {
      allocation: { method: 'uniform', parameters: {} },
      branching: { method: 'independent', parameters: {} },
      credit: { method: 'grpo', parameters: {} },
    };
    const settings: JobSettings = {
      ...DEFAULT_SETTINGS,
      ...methods,
      runId: 'test-run',
      name: 'Test run',
      steps: 3,
      pace: 100,
      promptsPerStep: 3,
      groupSize: 4,
      slots: 6,
      evaluateSamples: 0,
      ...options.settings,
    };
    const { allocation, branching, credit } = settings;
    this.publisher = new Publisher({ clock: this.clock, flushMs: 1e9, batchEvents: 1 });
    this.control = options.control ?? freshControl({ allocation, branching, credit });
    const strings = new StringTable();
    this.publisher.attach({
      batch: (_, line) => {
        const batch = decodeBatch(JSON.parse(line), strings);
        forEachInOrder(batch, (kind, row) =>
          this.events.push({ ...readEvent(kind, row, strings), kind: kind.kind }),
        );
      },
    });
    const incarnation = options.incarnation ?? 1;
    this.job = new Job(
      {
        settings,
        clock: this.clock,
        publisher: this.publisher,
        weights: options.weights ?? smallPolicy(),
        control: this.control,
        checkpoint: options.checkpoint ?? null,
        incarnation,
        saveControl: (control) => {
          this.control = structuredClone(control);
        },
        saveCheckpoint: (bytes) => {
          this.checkpoint = decodeCheckpoint(bytes);
        },
      },
      {
        server: { name: 'test', version: '1' },
        run: { id: 'test-run', name: 'Test run', startedAt: 0 },
        incarnation: { number: incarnation, id: `test-run.${incarnation}`, startedAt: 0 },
      },
      () => Promise.resolve(null),
      false,
    );
  }

  steer<N extends SteeringName>(name: N, own: Own<N>) {
    const common = {
      commandId: `command ${++this.counter}`,
      incarnation: this.job.state.incarnation,
      author: 'ada',
    };
    return this.job.steer(name, { ...common, ...own } as SteeringParams<N>, {
      connection: 'c1',
      scope: 'steer',
    });
  }

  of(kind: EventName): Seen[] {
    return this.events.filter((event) => event.kind === kind);
  }

  last(kind: EventName): Seen | undefined {
    return this.events.findLast((event) => event.kind === kind);
  }

  /** Lets the job go on until `probe` gives something. @throws Error after very many turns. */
  async until<T>(probe: () => T | undefined | false, what: string): Promise<T> {
    for (let turn = 0; turn < TURNS; turn++) {
      const value = probe();
      if (value !== undefined && value !== false) return value;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`${what} did not come`);
  }

  /** Lets the job have many turns, in which a paused one must do nothing. */
  async turns(count = 200): Promise<void> {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** A rollout that runs and has at least `length` tokens. */
  runningNode(length = 3) {
    return this.until(
      () =>
        [...this.job.state.runner.running].find(
          (rollout) => rollout.use === 'train' && rollout.node.tokens.length >= length,
        ),
      'a running rollout',
    );
  }
}
