import type { OverviewView, SlowRollout, SpanRow } from '../../protocol/panels/overview';
import { ENDINGS, SPAN_STATES } from '../../protocol/wire/words';
import type { Incarnation } from '../incarnation';
import { CARRIED_OVER, NO_CATEGORY, PROBE, RUNNING } from '../ledger/categories';
import type { Step } from '../step';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import type { RolloutChunk } from '../tables/rolloutTable';
import { rolloutsOf } from './groupFacts';

const SLOWEST = 40;
const POINTS = 120;

/** The rollouts of a step on one clock: when each began and ended, ms since the incarnation's start. */
export interface StepTimes {
  readonly rows: Int32Array;
  readonly groups: Int32Array;
  readonly begins: Float64Array;
  /** Of one that runs: the time of the last event. */
  readonly ends: Float64Array;
  /** 1: it runs. */
  readonly running: Uint8Array;
  /** Σ tokens, also of those that run. */
  readonly tokens: number;
  /** Σ tokens × (version of the step − version of the rollout), over tokens whose version is known. */
  readonly staleTokens: number;
  readonly versionedTokens: number;
}

/** Launched rollouts of a step that are in memory; probes and others outside the ledger are left out. */
export function stepTimes(incarnation: Incarnation, step: Step): StepTimes {
  const rows: number[] = [];
  const of: number[] = [];
  for (let group = step.firstGroup; group !== NONE; group = incarnation.groups.nextInStep[group]!) {
    for (const row of rolloutsOf(incarnation, group)) {
      const category = incarnation.rollouts.chunk(row)!.category[row & CHUNK_MASK]!;
      if (category === NO_CATEGORY || category >= PROBE) continue;
      rows.push(row);
      of.push(group);
    }
  }
  const begins = new Float64Array(rows.length);
  const ends = new Float64Array(rows.length);
  const running = new Uint8Array(rows.length);
  const now = clockEnd(incarnation, step);
  let tokens = 0;
  let staleTokens = 0;
  let versionedTokens = 0;
  rows.forEach((row, k) => {
    const chunk = incarnation.rollouts.chunk(row)!;
    const i = row & CHUNK_MASK;
    const category = chunk.category[i];
    const runs = (category === RUNNING || category === CARRIED_OVER) && Number.isNaN(chunk.closed[i]!);
    begins[k] = chunk.base + chunk.opened[i]!;
    ends[k] = Number.isNaN(chunk.closed[i]!) ? now : chunk.base + chunk.closed[i]!;
    running[k] = Number(runs);
    tokens += chunk.length.get(i);
    if (chunk.version.get(i) >= 0 && step.policyVersion >= 0) {
      staleTokens += chunk.length.get(i) * Math.max(0, step.policyVersion - chunk.version.get(i));
      versionedTokens += chunk.length.get(i);
    }
  });
  const groups = Int32Array.from(of);
  return { rows: Int32Array.from(rows), groups, begins, ends, running, tokens, staleTokens, versionedTokens };
}

/** The last moment that the step's clock shows, ms since the incarnation's start. */
function clockEnd(incarnation: Incarnation, step: Step): number {
  return step.isClosed ? step.closedAt : incarnation.lastT;
}

export function stepClock(incarnation: Incarnation, step: Step, times: StepTimes): OverviewView['clock'] {
  const begin = step.openedAt;
  const end = clockEnd(incarnation, step);
  const seconds = (t: number): number => (t - begin) / 1000;
  const finished = times.ends.filter((_, k) => times.running[k] === 0).sort();
  const begins = times.begins.slice().sort();
  const all = times.rows.length;
  const when = (share: number): number | null => {
    const t = finished[Math.ceil(share * all) - 1];
    return all === 0 || t === undefined ? null : seconds(t);
  };
  const now = Number.isNaN(begin) ? 0 : Math.max(0, seconds(end));
  const inFlightAt: number[] = [];
  const inFlight: number[] = [];
  if (all > 0 && now > 0) {
    let b = 0;
    let f = 0;
    for (let p = 0; p <= POINTS; p++) {
      const at = (now * p) / POINTS;
      while (b < begins.length && seconds(begins[b]!) <= at) b += 1;
      while (f < finished.length && seconds(finished[f]!) <= at) f += 1;
      inFlightAt.push(at);
      inFlight.push(b - f);
    }
  }
  return {
    now,
    half: when(0.5),
    ninety: when(0.9),
    newVersions: incarnation.newVersions.filter(({ t }) => t > begin && t <= end).map(({ t }) => seconds(t)),
    inFlightAt,
    inFlight,
  };
}

/** The rollouts that end last, those that run first, longest first. */
export function slowestRollouts(incarnation: Incarnation, step: Step, times: StepTimes): SlowRollout[] {
  const { ends, begins, running } = times;
  const later = (a: number, b: number): number =>
    running[b]! - running[a]! || ends[b]! - ends[a]! || begins[a]! - begins[b]! || a - b;
  const best: number[] = [];
  for (let k = 0; k < ends.length; k++) {
    if (best.length === SLOWEST && later(best.at(-1)!, k) <= 0) continue;
    let at = best.length;
    while (at > 0 && later(best[at - 1]!, k) > 0) at -= 1;
    best.splice(at, 0, k);
    if (best.length > SLOWEST) best.pop();
  }
  return best.map((k) => slowRollout(incarnation, step, times, k));
}

function slowRollout(incarnation: Incarnation, step: Step, times: StepTimes, k: number): SlowRollout {
  const row = times.rows[k]!;
  const chunk = incarnation.rollouts.chunk(row)!;
  const i = row & CHUNK_MASK;
  const group = times.groups[k]!;
  const prompt = incarnation.groups.prompt[group]!;
  const ending = chunk.ending[i]!;
  const reward = chunk.reward[i]!;
  const success = successOf(incarnation, chunk, i);
  return {
    rollout: incarnation.text(chunk.handle.get(i)),
    prompt: prompt >= 0 ? incarnation.prompts.ids[prompt]! : '?',
    group: incarnation.text(incarnation.groups.handle[group]!),
    ending: ending < 0 ? null : (ENDINGS[ending] ?? 'other'),
    success: success < 0 ? null : success === 1,
    reward: Number.isNaN(reward) ? null : reward,
    tokens: chunk.length.get(i),
    seconds: (times.ends[k]! - times.begins[k]!) / 1000,
    spans: spansOf(incarnation, step, chunk, i, times.begins[k]!, times.ends[k]!),
  };
}

/** 1, 0, −1: the job's word, else the incarnation's threshold. */
export function successOf(incarnation: Incarnation, chunk: RolloutChunk, i: number): number {
  const said = chunk.success[i]!;
  if (said >= 0) return said;
  const reward = chunk.reward[i]!;
  return Number.isNaN(reward) ? NONE : Number(reward >= incarnation.start.successThreshold);
}

/** Spans as the job sent them; without any, one of generating. Seconds since the step opened. */
function spansOf(
  incarnation: Incarnation,
  step: Step,
  chunk: RolloutChunk,
  i: number,
  begin: number,
  end: number,
): SpanRow[] {
  const seconds = (t: number): number => (t - step.openedAt) / 1000;
  const newest = newestVersion(incarnation, end, step);
  const behind = (version: number): number => (version < 0 ? 0 : Math.max(0, newest - version));
  const pieces = chunk.spans?.pieces(i) ?? [];
  if (pieces.length === 0) {
    return [
      { state: 'generating', from: seconds(begin), to: seconds(end), behind: behind(chunk.version.get(i)) },
    ];
  }
  pieces.sort((a, b) => a[0]! - b[0]!);
  return pieces.map((piece, k) => ({
    state: SPAN_STATES[piece[1]!] ?? 'other',
    from: seconds(piece[0]!),
    to: seconds(pieces[k + 1]?.[0] ?? Math.max(end, piece[0]!)),
    behind: behind(piece[2]!),
  }));
}

/** The newest version that was there by then. */
function newestVersion(incarnation: Incarnation, t: number, step: Step): number {
  let newest = step.policyVersion;
  for (const { version, t: since } of incarnation.newVersions) {
    if (since <= t && version > newest) newest = version;
  }
  return newest;
}
