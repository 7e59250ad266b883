import { allFindings } from '../queries/findings';
import { viewOf } from '../queries/answer';
import { runLedger } from '../queries/ledgerView';
import { runSummary } from '../queries/runSummary';
import { NEWEST_CURVES } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';

/** Everything that views can show of a store, as text: equal texts, equal stores. */
export function dump(store: RunStore): string {
  const steps = store.steps().map(({ step }) => step.number);
  const groups = store.incarnations.flatMap(({ groups: table, strings }) =>
    Array.from(table.handle.subarray(0, table.count), (handle) => strings.get(handle) ?? ''),
  );
  const page = { offset: 0, limit: 1_000, filter: '', sort: 'id' } as const;
  return JSON.stringify(
    {
      summary: runSummary(store),
      ledger: runLedger(store),
      findings: allFindings(store),
      steps: viewOf(store, 'steps', { limit: 1_000 }),
      steering: viewOf(store, 'steering', { limit: 1_000 }),
      heldOut: viewOf(store, 'passAtK', { ...NEWEST_CURVES, rows: true }),
      training: viewOf(store, 'passAtK', { ...NEWEST_CURVES, source: 'training', rows: true }),
      budgets: viewOf(store, 'budgets', {
        step: null,
        range: { from: null, to: null },
        measure: 'tokens',
        history: 100,
        until: 'subject',
      }),
      perStep: steps.map((step) => [
        viewOf(store, 'overview', { step }),
        viewOf(store, 'budgets', { step, range: null, measure: 'launched', history: 100, until: 'subject' }),
        viewOf(store, 'prompts', { step, ...page }),
      ]),
      trees: groups.map((group) => viewOf(store, 'tree', { group, prompt: null, step: null, rule: null })),
    },
    (_, value: unknown) =>
      ArrayBuffer.isView(value) && !(value instanceof DataView)
        ? Array.from(value as Float64Array, String)
        : typeof value === 'number' && !Number.isFinite(value)
          ? String(value)
          : value,
  );
}
