/**
 * The sample run as it ships, at full speed and without clients: how fast it rolls out and trains, and what it
 * learns in 40 steps. `--seeds 1,2,3` chooses the runs; figures are means over them.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { decodeBatch, forEachInOrder } from '../protocol/wire/batch';
import type { EventFields } from '../protocol/wire/event';
import type { EventName } from '../protocol/wire/events';
import { readEvent } from '../protocol/wire/readEvent';
import { StringTable } from '../protocol/wire/stringTable';
import { realClock } from '../sample-run/clock';
import { freshControl } from '../sample-run/job/controlState';
import { Job } from '../sample-run/job/job';
import { DEFAULT_SETTINGS, type JobSettings } from '../sample-run/job/settings';
import { loadWeights } from '../sample-run/policy/weights';
import { Publisher } from '../sample-run/server/publisher';

const WEIGHTS = new URL('../sample-run/policy/weights.bin', import.meta.url);
const STEPS = 40;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    allocation: { type: 'string' },
    branching: { type: 'string' },
    credit: { type: 'string' },
  },
});

interface Result {
  readonly rolloutsPerSecond: number;
  /** Per second of processor time, which a busy machine does not lengthen; evaluation not counted. */
  readonly rolloutsPerCoreSecond: number;
  readonly stepSeconds: number;
  readonly start: number;
  readonly end: number;
  readonly tokensPerRollout: number;
  /** Share of groups without gradient in the first and the last ten steps. */
  readonly zeroFirst: number;
  readonly zeroLast: number;
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);

/** Adds up the processor time of the steps, without what the evaluation takes at their end. */
class TimedPublisher extends Publisher {
  coreSeconds = 0;
  private since: NodeJS.CpuUsage | null = null;

  override add<K extends EventName>(kind: K, fields: EventFields<K>): number {
    if (kind === 'stepOpened') this.since = process.cpuUsage();
    const evaluates = kind === 'stepPhase' && Object.values(fields).includes('evaluate');
    if (this.since && (evaluates || kind === 'stepClosed')) {
      const { user, system } = process.cpuUsage(this.since);
      this.coreSeconds += (user + system) / 1e6;
      this.since = null;
    }
    return super.add(kind, fields);
  }
}

async function runSeed(seed: number): Promise<Result> {
  const methods = {
    allocation: { method: values.allocation ?? DEFAULT_SETTINGS.allocation.method, parameters: {} },
    branching: { method: values.branching ?? DEFAULT_SETTINGS.branching.method, parameters: {} },
    credit: { method: values.credit ?? DEFAULT_SETTINGS.credit.method, parameters: {} },
  };
  const settings: JobSettings = {
    ...DEFAULT_SETTINGS,
    ...methods,
    runId: 'bench',
    name: 'bench',
    seed,
    steps: STEPS,
    pace: 0,
    evaluateEvery: STEPS,
  };
  const publisher = new TimedPublisher({ clock: realClock });
  const strings = new StringTable();
  const passAt1: number[] = [];
  const zero: number[] = [];
  let groups = 0;
  let seconds = 0;
  let tokens = 0;
  let rollouts = 0;
  publisher.attach({
    batch: (batch) => {
      forEachInOrder(decodeBatch(batch, strings), (kind, row) => {
        if (kind.kind === 'rolloutOpened') rollouts++;
        if (kind.kind === 'groupOpened') groups++;
        if (!['stepClosed', 'evaluation', 'metric'].includes(kind.kind)) return;
        const { fields } = readEvent(kind, row, strings);
        if (kind.kind === 'stepClosed') {
          seconds += Number(fields['seconds']);
          tokens += Number(fields['tokens']);
          groups = 0;
        } else if (kind.kind === 'metric') {
          if (fields['name'] === 'zeroGradientGroups')
            zero.push(Number(fields['value']) / Math.max(1, groups));
        } else {
          const problems = fields['problems'] as { n: number[]; c: number[] };
          passAt1.push(mean(problems.n.map((n, i) => problems.c[i]! / n)));
        }
      });
    },
  });
  const job = new Job(
    {
      settings,
      clock: realClock,
      publisher,
      weights: loadWeights(readFileSync(WEIGHTS)).parameters,
      control: freshControl(methods),
      checkpoint: null,
      incarnation: 1,
      saveControl: () => undefined,
      saveCheckpoint: () => undefined,
    },
    {
      server: { name: 'bench', version: '1' },
      run: { id: 'bench', name: 'bench', startedAt: 0 },
      incarnation: { number: 1, id: 'bench.1', startedAt: 0 },
    },
    () => Promise.resolve(null),
    false,
  );
  await job.run();
  publisher.flush();
  return {
    rolloutsPerSecond: rollouts / seconds,
    rolloutsPerCoreSecond: rollouts / publisher.coreSeconds,
    stepSeconds: seconds / STEPS,
    start: passAt1[0] ?? NaN,
    end: passAt1.at(-1) ?? NaN,
    tokensPerRollout: tokens / rollouts,
    zeroFirst: mean(zero.slice(0, 10)),
    zeroLast: mean(zero.slice(-10)),
  };
}

async function main(): Promise<void> {
  const results: Result[] = [];
  for (const seed of values.seeds.split(',')) {
    const result = await runSeed(Number(seed));
    results.push(result);
    console.error(`seed ${seed}: ${JSON.stringify(result)}`);
  }
  const print = (name: string, unit: string, pick: (result: Result) => number): void => {
    const value = Math.round(mean(results.map(pick)) * 10_000) / 10_000;
    console.log(JSON.stringify({ bench: 'sample', name, value, unit, n: results.length }));
  };
  print('rollouts_per_s', 'rollouts/s', (result) => result.rolloutsPerSecond);
  print('rollouts_per_core_s', 'rollouts/s', (result) => result.rolloutsPerCoreSecond);
  print('step_s', 's', (result) => result.stepSeconds);
  print('pass1_start', '', ({ start }) => start);
  print('pass1_after_40', '', ({ end }) => end);
  print('tokens_per_rollout', 'tokens', (result) => result.tokensPerRollout);
  print('zero_gradient_share_first_10', 'share of groups', ({ zeroFirst }) => zeroFirst);
  print('zero_gradient_share_last_10', 'share of groups', ({ zeroLast }) => zeroLast);
}

void main();
