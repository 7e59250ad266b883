import type { SampledToken } from '../policy/sampler';

/** Alternatives kept of each token. */
export const ALTERNATIVES = 5;
/** Less probable ones are not kept: they are no news, and most of the journal would be they. */
const LEAST_PROBABILITY = 1e-3;

/** Token data of one node in columns that grow: about 32 bytes a token. */
export class TokenColumns {
  length = 0;
  ids = new Uint16Array(16);
  logProb = new Float32Array(16);
  entropy = new Float32Array(16);
  /** 1: sampled by the policy; 0: written by a person. */
  sampled = new Uint8Array(16);
  private altIds = new Uint16Array(16 * ALTERNATIVES);
  private altProbability = new Float32Array(16 * ALTERNATIVES);
  private altCount = new Uint8Array(16);
  private entropySum = 0;
  private logProbSum = 0;
  private sampledCount = 0;

  push(token: SampledToken, sampled: boolean): void {
    if (this.length === this.ids.length) this.resize(2 * this.length);
    const i = this.length++;
    this.ids[i] = token.token;
    this.logProb[i] = token.logProb;
    this.entropy[i] = token.entropy;
    this.sampled[i] = sampled ? 1 : 0;
    const alternatives = worthKeeping(token);
    this.altCount[i] = alternatives.length;
    alternatives.forEach((alternative, a) => {
      this.altIds[i * ALTERNATIVES + a] = alternative.token;
      this.altProbability[i * ALTERNATIVES + a] = alternative.probability;
    });
    if (!sampled) return;
    this.entropySum += token.entropy;
    this.logProbSum += token.logProb;
    this.sampledCount++;
  }

  /** Gives back what was reserved for growth. */
  seal(): void {
    this.resize(this.length);
  }

  /** Mean entropy of the sampled tokens, nats; null without any. */
  get meanEntropy(): number | null {
    return this.sampledCount > 0 ? this.entropySum / this.sampledCount : null;
  }

  /** Mean log-probability of the sampled tokens, nats; null without any. */
  get meanLogProb(): number | null {
    return this.sampledCount > 0 ? this.logProbSum / this.sampledCount : null;
  }

  get sampledShare(): number {
    return this.length > 0 ? this.sampledCount / this.length : 1;
  }

  /** The most probable tokens at position i with their probabilities, most probable first. */
  alternatives(i: number): { token: number; probability: number }[] {
    return Array.from({ length: this.altCount[i] ?? 0 }, (_, a) => ({
      token: this.altIds[i * ALTERNATIVES + a]!,
      probability: this.altProbability[i * ALTERNATIVES + a]!,
    }));
  }

  private resize(size: number): void {
    const grown = <A extends Uint8Array | Uint16Array | Float32Array>(into: A, from: A): A => {
      into.set(from.subarray(0, into.length));
      return into;
    };
    this.ids = grown(new Uint16Array(size), this.ids);
    this.logProb = grown(new Float32Array(size), this.logProb);
    this.entropy = grown(new Float32Array(size), this.entropy);
    this.sampled = grown(new Uint8Array(size), this.sampled);
    this.altIds = grown(new Uint16Array(size * ALTERNATIVES), this.altIds);
    this.altProbability = grown(new Float32Array(size * ALTERNATIVES), this.altProbability);
    this.altCount = grown(new Uint8Array(size), this.altCount);
  }
}

/** The most probable tokens, the drawn one always among them. */
function worthKeeping({ token, logProb, alternatives }: SampledToken): SampledToken['alternatives'] {
  const kept = alternatives.filter(
    (alternative) => alternative.probability >= LEAST_PROBABILITY || alternative.token === token,
  );
  if (kept.some((alternative) => alternative.token === token)) return kept.slice(0, ALTERNATIVES);
  return [...kept.slice(0, ALTERNATIVES - 1), { token, probability: Math.exp(logProb) }];
}
