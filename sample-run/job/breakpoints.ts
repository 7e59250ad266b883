import type { BreakCondition } from '../../protocol/wire/values';
import type { Publisher } from '../server/publisher';
import type { Breakpoint, ControlState } from './controlState';
import type { Latches } from './latches';

/** Values that conditions are held against; what is not known at the moment is left out. */
export type BreakValues = Partial<Record<BreakCondition['metric'], { value: number; what: string }>>;

const NAMES: Readonly<Record<BreakCondition['metric'], string>> = {
  budget: 'a prompt’s budget',
  zeroGradientShare: 'the share of closed groups without gradient',
  entropy: 'the step’s mean token entropy (nats)',
  reward: 'the step’s mean reward',
  passRate: 'pass@1 on held-out prompts',
  stepSeconds: 'the step’s seconds',
  toolError: 'tool errors',
};

export const conditionText = ({ metric, op, value }: BreakCondition): string =>
  `${NAMES[metric]} is ${op === '>' ? 'above' : 'below'} ${value}`;

/** Pauses the run where a condition holds, once a step for each. */
export class Breakpoints {
  private readonly hitInStep = new Map<string, number>();

  constructor(
    private readonly control: ControlState,
    private readonly latches: Latches,
    private readonly publisher: Publisher,
    private readonly onHit: () => void,
  ) {}

  check(step: number, values: BreakValues): void {
    for (const breakpoint of this.control.breakpoints) {
      const { metric, op, value } = breakpoint.condition;
      const now = values[metric];
      if (!now || this.hitInStep.get(breakpoint.id) === step) continue;
      if (op === '>' ? now.value > value : now.value < value) this.hit(breakpoint, step, now);
    }
  }

  private hit(breakpoint: Breakpoint, step: number, now: { value: number; what: string }): void {
    this.hitInStep.set(breakpoint.id, step);
    breakpoint.hits++;
    const rounded = Math.round(now.value * 1000) / 1000;
    const sentence = `Step ${step}: ${conditionText(breakpoint.condition)}: ${now.what} ${rounded}.`;
    this.publisher.add('breakpoint', {
      breakpoint: breakpoint.id,
      state: 'hit',
      hits: breakpoint.hits,
      condition: breakpoint.condition,
      sentence,
    });
    if (!this.latches.runClosed) {
      this.latches.setRun({
        mode: breakpoint.mode,
        author: breakpoint.author,
        reason: sentence,
        command: breakpoint.command,
        closed: breakpoint.mode === 'now',
      });
    }
    this.onHit();
  }
}
