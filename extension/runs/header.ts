import type { ConnectionState, RunHeader, RunKey } from '../../protocol/panels/selection';
import type { Discovery } from '../../protocol/wire/handshake';
import { ERRORS } from '../errors';
import { t } from '../l10n';
import { isFatal, type Problem } from '../session/problems';
import type { SessionReport } from '../session/workerMessages';
import { placeOf, thisMachine, type Machine } from './discovery';

/** From here on a person is told that what is shown lags, seconds. */
export const BEHIND_SECONDS = 2;

/** What is known of a run before its session says anything. */
export interface RunPlace {
  readonly key: RunKey;
  readonly name: string;
  /** Address or folder. */
  readonly where: string;
  /** The job's process, where its discovery file told it. */
  readonly process?: JobProcess | undefined;
}

export type JobProcess = Pick<Discovery, 'host' | 'bootId' | 'pid'>;

/** The header that every panel, the Runs view and the status bar show of a run. */
export function runHeader(
  place: RunPlace,
  report: SessionReport | null,
  machine: Machine = thisMachine,
): RunHeader {
  const state = connectionState(report);
  const info = report?.info ?? null;
  const summary = report?.summary ?? null;
  const live = state === 'live' || state === 'behind' || state === 'paused';
  const canSteer = live && info?.scope === 'steer';
  return {
    run: place.key,
    name: info?.run.name ?? place.name,
    incarnation: info?.incarnation.number ?? 0,
    state,
    behindSeconds: live ? (report?.behindSeconds ?? null) : null,
    paused: summary?.paused ?? null,
    lost: lostOf(place, report, state, machine),
    recorded: report?.recorded ?? null,
    step: summary?.step ?? null,
    firstStep: summary?.firstStep ?? null,
    lastStep: summary?.lastStep ?? null,
    phase: summary?.phase ?? null,
    policyVersion: summary?.policyVersion ?? null,
    canSteer,
    whyNot: canSteer ? null : whyNot(state, info?.scope ?? null),
    capabilities: info?.capabilities ?? [],
    allocationMethod: summary?.methods['allocation'] ?? null,
    methods: (info?.methods ?? []).map((method) => {
      const active = summary?.methods[method.kind];
      return { ...method, active: active === undefined ? method.active : active === method.method };
    }),
    device: info?.run.device ?? null,
    startedAt: info?.run.startedAt ?? 0,
    successThreshold: info?.successThreshold ?? 1,
    openFindings: summary?.openFindings ?? 0,
    droppedSamples: report?.droppedSamples ?? 0,
  };
}

function connectionState(report: SessionReport | null): ConnectionState {
  if (!report) return 'connecting';
  switch (report.state) {
    case 'connecting':
      // Trying again after a loss is still being lost.
      return report.problem ? 'lost' : 'connecting';
    case 'live':
      if (report.summary.state === 'paused') return 'paused';
      if (report.summary.state === 'ended' || report.summary.state === 'failed') return 'ended';
      return (report.behindSeconds ?? 0) > BEHIND_SECONDS ? 'behind' : 'live';
    case 'closed':
      return 'ended';
    default:
      return report.state;
  }
}

/** Only of a process on this machine is it known that it has ended. */
const hasEnded = (process: JobProcess, machine: Machine): boolean =>
  process.host === machine.host && placeOf(process, 0, machine) === 'gone';

function lostSentence(place: RunPlace, { kind, detail }: Problem, machine: Machine): string {
  const { process, where } = place;
  if (process && !isFatal(kind) && hasEnded(process, machine))
    return ERRORS.processEnded.message({ where, detail: String(process.pid) });
  // That the connection is lost is said beside it already.
  return kind === 'closed' ? t('The job goes on without us.') : ERRORS[kind].message({ where, detail });
}

function lostOf(
  place: RunPlace,
  report: SessionReport | null,
  state: ConnectionState,
  machine: Machine,
): RunHeader['lost'] {
  if (!report?.problem || (state !== 'lost' && state !== 'refused')) return null;
  const { kind } = report.problem;
  return {
    since: report.since,
    lastSeq: report.lastSeq,
    nextTryAt: report.nextTryAt,
    sentence: lostSentence(place, report.problem, machine),
    wantsToken: ERRORS[kind].actions.includes('enterToken'),
  };
}

function whyNot(state: ConnectionState, scope: 'read' | 'steer' | null): string {
  switch (state) {
    case 'recorded':
      return t('A recorded run cannot be steered.');
    case 'ended':
      return t('The run has ended.');
    case 'connecting':
      return t('The run is not connected yet.');
    case 'lost':
    case 'refused':
      return t('The run is not connected.');
    default:
      return scope === 'read' ? t('This token may read but not steer.') : t('No run is attached.');
  }
}
