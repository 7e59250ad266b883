import { RUN_STATES } from '../../protocol/wire/words';
import type { RunStore } from '../runStore';
import { steeringOf, undoneCommands } from './pins';
import { ownFindings } from './findings';

/** What headers and the status bar say of a run. */
export interface RunSummary {
  readonly state: (typeof RUN_STATES)[number] | 'other';
  /** `since`: Unix ms. */
  readonly paused: { readonly mode: string; readonly by: string; readonly since: number } | null;
  readonly step: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly phase: string | null;
  readonly policyVersion: number | null;
  /** Active method by kind, as far as the stream said. */
  readonly methods: Readonly<Record<string, string>>;
  readonly openFindings: number;
}

/** The parts of a run's header that the stream tells; connection and rights are the session's. */
export function runSummary(store: RunStore): RunSummary {
  const { current } = store;
  const runState = current?.runState ?? null;
  const state = RUN_STATES.find((word) => word === runState?.state) ?? (runState ? 'other' : 'starting');
  const found = store.findStep(null);
  const numbers = store.incarnations.flatMap(({ steps }) => steps.filter(({ known }) => known));
  let firstStep: number | null = null;
  let lastStep: number | null = null;
  for (const { number } of numbers) {
    firstStep = Math.min(firstStep ?? number, number);
    lastStep = Math.max(lastStep ?? number, number);
  }
  return {
    state,
    paused:
      current && runState?.state === 'paused'
        ? {
            mode: runState.mode ?? 'step-boundary',
            by: runState.by ?? '',
            since: current.unix(runState.t),
          }
        : null,
    step: found?.step.number ?? null,
    firstStep,
    lastStep,
    phase: found?.step.phase ?? null,
    policyVersion: current && current.policyVersion >= 0 ? current.policyVersion : null,
    methods: activeMethods(store),
    openFindings: (current?.findings.size ?? 0) + ownFindings(store).length,
  };
}

/** As the job said when the incarnation began, then as its allocations were made and its methods were set. */
function activeMethods(store: RunStore): Record<string, string> {
  const methods = new Map<string, string>();
  for (const { kind, method, active } of store.current?.start.methods ?? []) {
    if (active) methods.set(kind, method);
  }
  const step = store.findStep(null)?.step;
  if (step?.allocationMethod) methods.set('allocation', step.allocationMethod);
  const undone = undoneCommands(store);
  for (const { record } of steeringOf(store)) {
    if (record.action !== 'setMethod' || record.state !== 'applied' || undone.has(record.command)) continue;
    // What acts from a later step on is not active yet.
    if (record.fromStep !== null && step && record.fromStep > step.number) continue;
    const kind = record.after?.['kind'];
    const method = record.after?.['method'];
    if (typeof kind === 'string' && typeof method === 'string' && kind !== 'allocation')
      methods.set(kind, method);
  }
  return Object.fromEntries(methods);
}
