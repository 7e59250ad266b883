import type { CDPSession, Page } from 'playwright-core';

/** What the browser's own trace says of a stretch. Milliseconds. */
export interface Trace {
  /** `performance.mark`s of the page, by name; of several the last. */
  readonly marks: ReadonlyMap<string, number>;
  /** Moments of the marks named `frame`, rising. */
  readonly frames: readonly number[];
  /** Tasks of the thread that draws the page: begin and length. */
  readonly tasks: readonly { readonly at: number; readonly ms: number }[];
}

/** Frames of a stretch: milliseconds that the drawing thread was busy in each, and between one and the next. */
export interface FrameTimes {
  readonly busy: readonly number[];
  readonly apart: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs. */
  readonly ts: number;
  readonly dur?: number;
}

function isEvent(value: unknown): value is TraceEvent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'ts' in value &&
    typeof value.ts === 'number' &&
    'ph' in value &&
    'pid' in value &&
    'tid' in value
  );
}

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'blink.user_timing'];

/** Does something while the browser writes its trace. The page must run on its real clock. */
export async function traced(page: Page, act: () => Promise<void>): Promise<Trace> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const each of value as readonly unknown[]) if (isEvent(each)) events.push(each);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  try {
    await act();
  } finally {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
  }
  const own = events.filter(({ ph, name }) => (ph === 'R' || ph === 'I' || ph === 'n') && name !== '');
  const mark = own.find(({ name }) => ['frame', 'arrived', 'clicked'].includes(name));
  if (!mark) throw new Error('the trace holds no mark of the page');
  const marks = new Map<string, number>();
  const frames: number[] = [];
  for (const { name, ts, pid, tid } of own) {
    if (pid !== mark.pid || tid !== mark.tid) continue;
    if (name === 'frame') frames.push(ts / 1000);
    else marks.set(name, ts / 1000);
  }
  const tasks = events
    .filter(
      ({ name, pid, tid, ph }) => ph === 'X' && pid === mark.pid && tid === mark.tid && name === 'RunTask',
    )
    .map(({ ts, dur = 0 }) => ({ at: ts / 1000, ms: dur / 1000 }));
  return { marks, frames: frames.sort((a, b) => a - b), tasks };
}

/** Busy time a frame of the thread that draws, from one animation frame to the next, while something is done. */
export async function busyFrames(page: Page, act: () => Promise<void>): Promise<FrameTimes> {
  const { frames, tasks } = await traced(page, async () => {
    await page.evaluate(() => {
      const each = (): void => {
        performance.mark('frame');
        Reflect.set(window, 'benchFrame', requestAnimationFrame(each));
      };
      each();
    });
    await act();
    await page.evaluate(() => cancelAnimationFrame(Number(Reflect.get(window, 'benchFrame'))));
  });
  const busy = new Array<number>(Math.max(0, frames.length - 1)).fill(0);
  let at = 0;
  for (const task of [...tasks].sort((a, b) => a.at - b.at)) {
    while (at + 1 < frames.length && frames[at + 1]! <= task.at) at++;
    // A task runs over the border of two frames when it draws: it counts where it begins.
    if (at < busy.length && task.at >= (frames[0] ?? Infinity)) busy[at]! += task.ms;
  }
  if (busy.length < 10) throw new Error('too few frames were drawn to say anything');
  return { busy, apart: busy.map((_, i) => frames[i + 1]! - frames[i]!) };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
