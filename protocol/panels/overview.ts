import type { FindingBody } from '../wire/values';
import type { Ledger } from './ledger';

export interface Figure {
  readonly id:
    'throughput' | 'stepSeconds' | 'effectiveBatch' | 'zeroGradientGroups' | 'staleness' | 'slowestTenth';
  readonly value: number | null;
  /** The whole that it is a share of, when it has one (561 of 1,024). */
  readonly of: number | null;
  /** Its value over the last steps, at most 40, oldest first; NaN where there is none. */
  readonly series: readonly number[];
  readonly median: number | null;
  /** Second line, as data: the panel words it. */
  readonly expected: number | null;
  /** True while the step runs: the value will still change. */
  readonly running: boolean;
  /** Id of the finding that speaks of it. */
  readonly finding: string | null;
}

export interface FindingRow extends FindingBody {
  readonly id: string;
  /** `job`: sent by the job; `rolloutscope`: found here. */
  readonly by: 'job' | 'rolloutscope';
  readonly step: number | null;
  /** Steps since it opened. */
  readonly steps: number;
}

export interface SteeringRow {
  readonly command: string;
  readonly action: string;
  readonly state: string;
  readonly author: string;
  readonly connection: string;
  readonly scope: string;
  readonly sentence: string;
  readonly reason: string | null;
  readonly subjects: readonly { readonly type: string; readonly id: string }[];
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly undoes: string | null;
  readonly undone: boolean;
  readonly fromStep: number | null;
  readonly untilStep: number | null;
  readonly incarnation: number;
  /** Unix ms. */
  readonly at: number;
}

export interface SpanRow {
  readonly state: string;
  /** Seconds since the step opened. */
  readonly from: number;
  readonly to: number;
  /** Policy versions behind the newest of the step. */
  readonly behind: number;
}

export interface SlowRollout {
  readonly rollout: string;
  readonly prompt: string;
  readonly group: string;
  readonly ending: string | null;
  readonly success: boolean | null;
  readonly reward: number | null;
  readonly tokens: number;
  readonly seconds: number;
  readonly spans: readonly SpanRow[];
}

export interface OverviewView {
  readonly step: number | null;
  readonly phase: string | null;
  readonly ledger: Ledger;
  readonly figures: readonly Figure[];
  /** The shown step on one clock, seconds since it opened. */
  readonly clock: {
    readonly now: number;
    readonly half: number | null;
    readonly ninety: number | null;
    readonly newVersions: readonly number[];
    /** Rollouts in flight at `inFlightAt[i]` seconds. */
    readonly inFlightAt: readonly number[];
    readonly inFlight: readonly number[];
  };
  readonly slowest: readonly SlowRollout[];
  /** At most 60 steps, oldest first. Thin bars: discarded and killed are one segment. */
  readonly bars: {
    readonly steps: readonly number[];
    readonly planned: readonly number[];
    readonly gradient: readonly number[];
    readonly noGradient: readonly number[];
    readonly running: readonly number[];
    readonly discardedOrKilled: readonly number[];
    readonly marks: readonly { readonly step: number; readonly label: string }[];
  };
  readonly findings: readonly FindingRow[];
  readonly watched: readonly {
    readonly label: string;
    readonly value: number;
    readonly unit: string;
    readonly limit: string;
  }[];
  readonly steering: readonly SteeringRow[];
  readonly steeringTotal: number;
  readonly breakpoints: readonly {
    readonly id: string;
    readonly sentence: string;
    readonly hits: number;
  }[];
}

export interface OverviewParams {
  readonly step: number | null;
}
