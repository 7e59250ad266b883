import { Rng } from '../../methods/random';
import { Distribution } from './distribution';
import type { Alternative } from './distribution';
import { HeadActivations, outputHead } from './outputHead';
import { remember, stateKeys } from './pointer';
import type { Memory } from './pointer';
import type { PolicyParameters } from './policyParameters';
import { RecurrentActivations, recurrentStep } from './recurrentStep';

export interface OpenOptions {
  /** Names the rollout's random stream. Two open rollouts with one key and one prefix say the same. */
  readonly key: string;
  /** Above 0; 1 is the policy itself. */
  readonly temperature: number;
}

/** One sampled token. Log-probability and entropy are those of the distribution it was drawn from. */
export interface SampledToken {
  readonly token: number;
  /** Natural logarithm of the token's probability at the rollout's temperature. */
  readonly logProb: number;
  /** Entropy of the full softmax at the rollout's temperature, in nats. */
  readonly entropy: number;
  /** The most probable tokens, most probable first. */
  readonly alternatives: readonly Alternative[];
}

interface Rollout {
  readonly tokens: number[];
  readonly memory: Memory;
  /** The draw for a position of the path is looked up in it, so nothing has to be saved to go on. */
  readonly random: Rng;
  readonly temperature: number;
  readonly state: Float32Array;
  /** Tokens of the path that the state has read. */
  read: number;
}

/** Names a rollout that is open in a Sampler. */
export type SamplerHandle = number;

/**
 * Draws the next token of any set of open rollouts, one token a call, so that a run can pause, fork or
 * stop between two tokens. What a rollout says depends on the weights, its prefix and its key alone:
 * not on the batch, the order or the pauses.
 *
 * A fork is `open` with the tokens before the fork point; its state is computed anew at the next step.
 */
export class Sampler {
  readonly #rollouts = new Map<SamplerHandle, Rollout>();
  readonly #random: Rng;
  readonly #recurrent: RecurrentActivations;
  readonly #head: HeadActivations;
  readonly #distribution: Distribution;
  #states = new Float32Array(0);
  #stateKeys = new Float32Array(0);
  #next: SamplerHandle = 1;

  /**
   * @param parameters read at every step: an update in place takes effect at the next one
   * @param seed of the run; with the rollout's key it fixes every draw
   * @param alternatives how many alternatives each SampledToken lists
   */
  constructor(
    readonly parameters: PolicyParameters,
    seed: number,
    readonly alternatives = 5,
  ) {
    this.#random = Rng.from(seed);
    const allocate = (length: number): Float32Array => new Float32Array(length);
    this.#recurrent = new RecurrentActivations(parameters.shape.hidden, allocate);
    this.#head = new HeadActivations(allocate);
    this.#distribution = new Distribution(parameters.shape.vocabulary);
  }

  /** Rollouts that are open now. */
  get size(): number {
    return this.#rollouts.size;
  }

  /** Starts a rollout from a prefix: prompt, and whatever of the response is given. */
  open(prefix: ArrayLike<number>, options: OpenOptions): SamplerHandle {
    const { vocabulary, hidden } = this.parameters.shape;
    const tokens = Array.from(prefix);
    if (tokens.length === 0) throw new RangeError('A rollout needs a prefix of at least one token.');
    const unknown = tokens.find((t) => !Number.isInteger(t) || t < 0 || t >= vocabulary);
    if (unknown !== undefined) throw new RangeError(`Token ${unknown} is not in the vocabulary.`);
    if (!(options.temperature > 0)) throw new RangeError('A temperature must be above 0.');
    const handle = this.#next++;
    this.#rollouts.set(handle, {
      tokens,
      memory: { tokens, keys: new Float32Array(0), offset: 0 },
      random: this.#random.fork(options.key),
      temperature: options.temperature,
      state: new Float32Array(hidden),
      read: 0,
    });
    return handle;
  }

  close(handle: SamplerHandle): void {
    this.#rollouts.delete(handle);
  }

  /** The path of a rollout: prefix and all sampled tokens. */
  tokens(handle: SamplerHandle): readonly number[] {
    return this.#rollout(handle).tokens;
  }

  /** Reads the paths of these rollouts again at their next step, with the weights of then. */
  refresh(handles: Iterable<SamplerHandle> = this.#rollouts.keys()): void {
    for (const handle of handles) {
      const rollout = this.#rollout(handle);
      rollout.read = 0;
      rollout.state.fill(0);
    }
  }

  /** Draws one token for each rollout and appends it to its path. */
  step(handles: readonly SamplerHandle[]): SampledToken[] {
    const rollouts = this.#readPaths(handles);
    return rollouts.map((rollout, i) => {
      this.#setDistribution(rollout, i);
      const token = this.#distribution.pick(rollout.random.fork(rollout.tokens.length).float());
      rollout.tokens.push(token);
      return {
        token,
        logProb: this.#distribution.logProb(token),
        entropy: this.#distribution.entropy,
        alternatives: this.#distribution.top(this.alternatives),
      };
    });
  }

  /** The whole distribution of the next token of one rollout, without drawing. Index: token. */
  probabilities(handle: SamplerHandle): Float64Array {
    const [rollout] = this.#readPaths([handle]);
    this.#setDistribution(rollout!, 0);
    return this.#distribution.probabilities.slice();
  }

  #setDistribution(rollout: Rollout, row: number): void {
    const width = this.parameters.shape.vocabulary + this.parameters.shape.query;
    this.#distribution.set(this.#head.out, row * width, rollout.temperature);
  }

  #rollout(handle: SamplerHandle): Rollout {
    const rollout = this.#rollouts.get(handle);
    if (rollout === undefined) throw new RangeError(`No open rollout has the handle ${handle}.`);
    return rollout;
  }

  /** Brings all states to the end of their paths and computes the logits, row i for handle i. */
  #readPaths(handles: readonly SamplerHandle[]): Rollout[] {
    const rollouts = handles.map((handle) => this.#rollout(handle));
    this.#shareUnread(rollouts);
    for (let unread = rollouts; unread.length > 0;) {
      unread = unread.filter((rollout) => rollout.read < rollout.tokens.length);
      this.#advance(unread);
    }
    const states = { data: this.#gather(rollouts), offset: 0, stride: this.parameters.shape.hidden };
    const reaches = rollouts.map(({ memory, read }) => ({ memory, length: read }));
    outputHead(this.parameters, states, reaches, this.#head);
    return rollouts;
  }

  /** New rollouts of one prefix (a group) read it once. */
  #shareUnread(rollouts: readonly Rollout[]): void {
    const fresh = rollouts.filter((rollout) => rollout.read === 0 && rollout.tokens.length > 1);
    if (fresh.length < 2) return;
    const byPath = new Map<string, Rollout[]>();
    for (const rollout of new Set(fresh)) {
      const path = rollout.tokens.join(' ');
      const same = byPath.get(path);
      if (same === undefined) byPath.set(path, [rollout]);
      else same.push(rollout);
    }
    const firsts = [...byPath.values()].map((same) => same[0]!);
    for (let unread = firsts; unread.length > 0;) {
      unread = unread.filter((rollout) => rollout.read < rollout.tokens.length);
      this.#advance(unread);
    }
    for (const same of byPath.values()) {
      for (const rollout of same) {
        if (rollout === same[0]) continue;
        rollout.state.set(same[0]!.state);
        rollout.memory.keys = same[0]!.memory.keys.slice();
        rollout.read = rollout.tokens.length;
      }
    }
  }

  #gather(rollouts: readonly Rollout[]): Float32Array {
    const { hidden } = this.parameters.shape;
    const size = rollouts.length * hidden;
    if (this.#states.length < size) this.#states = new Float32Array(2 * size);
    rollouts.forEach((rollout, i) => this.#states.set(rollout.state, i * hidden));
    return this.#states;
  }

  /** Reads one more token of each path. */
  #advance(rollouts: readonly Rollout[]): void {
    if (rollouts.length === 0) return;
    const { hidden, query } = this.parameters.shape;
    const count = rollouts.length;
    this.#recurrent.reserve(count, count);
    const before = { data: this.#gather(rollouts), offset: 0, stride: hidden };
    const tokens = rollouts.map((rollout) => rollout.tokens[rollout.read]!);
    recurrentStep(this.parameters, tokens, 0, before, this.#recurrent, 0, count);
    const states = { data: this.#recurrent.h, offset: 0, stride: hidden };
    if (this.#stateKeys.length < count * query) this.#stateKeys = new Float32Array(count * query);
    stateKeys(this.parameters, states, this.#stateKeys, count);
    rollouts.forEach((rollout, i) => {
      for (let k = 0; k < hidden; k++) rollout.state[k] = this.#recurrent.h[i * hidden + k]!;
      const { memory } = rollout;
      if (memory.keys.length < (rollout.read + 1) * query) {
        const room = new Float32Array((rollout.tokens.length + 32) * query);
        room.set(memory.keys);
        memory.keys = room;
      }
      remember(this.parameters, memory, rollout.read, this.#stateKeys, i);
      rollout.read += 1;
    });
  }
}
