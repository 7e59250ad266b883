import { Type, type Static } from '@sinclair/typebox';

export const SavedEstimates = Type.Object({
  tokensPerRollout: Type.Number(),
  secondsPerRollout: Type.Number(),
});
export type SavedEstimates = Static<typeof SavedEstimates>;

/** Weight of the newest step. */
const WEIGHT = 0.4;

/** What a rollout costs, from the last steps: for the previews of steering requests. */
export class Estimates {
  private tokens = 40;
  private seconds = 0.08;

  recordStep(rollouts: number, tokens: number, seconds: number): void {
    if (rollouts === 0) return;
    this.tokens += WEIGHT * (tokens / rollouts - this.tokens);
    this.seconds += WEIGHT * (seconds / rollouts - this.seconds);
  }

  tokensOf(rollouts: number): number {
    return Math.round(rollouts * this.tokens);
  }

  secondsOf(rollouts: number): number {
    return Math.round(rollouts * this.seconds * 10) / 10;
  }

  save(): SavedEstimates {
    return { tokensPerRollout: this.tokens, secondsPerRollout: this.seconds };
  }

  restore(saved: SavedEstimates): void {
    this.tokens = saved.tokensPerRollout;
    this.seconds = saved.secondsPerRollout;
  }
}
