import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RunHeader, Selection } from '../protocol/panels/selection';

/** What `activate` returns: for tests and benchmarks in a real extension host, and for other extensions. */
export interface RolloutscopeApi {
  /** Time inside `activate`, ms. */
  readonly activateMs: number;
  /** Headers of the open runs, in the order in which they were opened. */
  runs(): readonly RunHeader[];
  selection(): Selection;
  select(part: Partial<Selection>): void;
  /**
   * Measures by how much the extension-host thread is late, until `stop` is called. Milliseconds over a timer of
   * 1 ms; `n` samples.
   */
  measureDelay(): {
    stop(): { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number; readonly n: number };
  };
}

const RESOLUTION_MS = 1;

export function measureDelay(): ReturnType<RolloutscopeApi['measureDelay']> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The histogram holds the whole distance between two ticks, the timer's own period included.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    stop: () => {
      histogram.disable();
      return {
        p50Ms: late(histogram.percentile(50)),
        p99Ms: late(histogram.percentile(99)),
        maxMs: late(histogram.max),
        n: histogram.count,
      };
    },
  };
}
