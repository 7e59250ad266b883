import { Sampler } from '../policy/sampler';
import type { PolicyParameters } from '../policy/policyParameters';
import { END_TOKEN } from '../tasks/vocabulary';

/** The longest response, end token included. A rollout that has not ended by then is truncated. */
export const MAX_RESPONSE_TOKENS = 72;

export interface RolloutRequest {
  readonly prompt: readonly number[];
  /** Names the random stream; see Sampler. */
  readonly key: string;
}

export interface SampledRollout {
  /** Prompt and response. */
  readonly tokens: number[];
  readonly promptLength: number;
  /** Of each token of the response. */
  readonly logProbs: number[];
  readonly entropies: number[];
}

/** Samples whole rollouts, all at once, each until its end token or MAX_RESPONSE_TOKENS. */
export function sampleRollouts(
  parameters: PolicyParameters,
  seed: number,
  requests: readonly RolloutRequest[],
  temperature = 1,
): SampledRollout[] {
  const sampler = new Sampler(parameters, seed, 0);
  const rollouts = requests.map(({ prompt, key }) => ({
    handle: sampler.open(prompt, { key, temperature }),
    tokens: [...prompt],
    promptLength: prompt.length,
    logProbs: [] as number[],
    entropies: [] as number[],
  }));
  let live: typeof rollouts = rollouts;
  for (let drawn = 0; drawn < MAX_RESPONSE_TOKENS && live.length > 0; drawn++) {
    const sampled = sampler.step(live.map((rollout) => rollout.handle));
    live.forEach((rollout, i) => {
      const { token, logProb, entropy } = sampled[i]!;
      rollout.tokens.push(token);
      rollout.logProbs.push(logProb);
      rollout.entropies.push(entropy);
    });
    live = live.filter((_, i) => sampled[i]!.token !== END_TOKEN);
  }
  return rollouts;
}
