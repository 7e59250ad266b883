import type { ConnectionState, RunHeader, RunKey } from '../../protocol/panels/selection';
import { ERRORS } from '../errors';
import { t } from '../l10n';
import type { SessionReport } from '../session/workerMessages';

/** From here on a person is told that what is shown lags, seconds. */
export const BEHIND_SECONDS = 2;

/** What is known of a run before its session says anything. */
export interface RunPlace {
  readonly key: RunKey;
  readonly name: string;
  /** Address or folder. */
  readonly where: string;
}

/** The header that every panel, the Runs view and the status bar show of a run. */
export function runHeader(place: RunPlace, report: SessionReport | null): RunHeader {
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
    lost: lostOf(place, report, state),
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

function lostOf(place: RunPlace, report: SessionReport | null, state: ConnectionState): RunHeader['lost'] {
  if (!report?.problem || (state !== 'lost' && state !== 'refused')) return null;
  const { kind, detail } = report.problem;
  return {
    since: report.since,
    lastSeq: report.lastSeq,
    nextTryAt: report.nextTryAt,
    sentence: ERRORS[kind].message({ where: place.where, detail }),
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
