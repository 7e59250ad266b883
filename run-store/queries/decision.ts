import type { DecisionView } from '../../protocol/panels/budgets';
import { Decision } from '../../protocol/wire/values';
import { check } from '../../protocol/wire/rpc';
import type { RunStore } from '../runStore';
import { authorOf, decisionOf } from './find';

type Cells = Readonly<Record<string, number | string | boolean | null>>;

/**
 * A recorded decision with the row of one subject; `subject` null: its first. null: the decision is not in memory,
 * or is not about that subject.
 */
export function decisionView(
  store: RunStore,
  { decision, subject }: { readonly decision: string; readonly subject: string | null },
): DecisionView | null {
  for (let i = store.incarnations.length - 1; i >= 0; i--) {
    const incarnation = store.incarnations[i]!;
    const record = decisionOf(incarnation, incarnation.handleOf(decision));
    if (!record) continue;
    const body: unknown = JSON.parse(record.body);
    const read = check(Decision, body, 'decision');
    const { ids } = read.subjects;
    const row = subject === null ? 0 : ids.indexOf(subject);
    if (row < 0) continue;
    return {
      decision,
      kind: record.kind,
      method: record.method,
      step: record.step,
      sentence: record.sentence,
      command: record.command,
      author: authorOf(incarnation, record),
      parameters: read.parameters,
      shared: read.shared ?? {},
      subject: ids[row] ?? '',
      subjects: ids.length,
      inputs: rowOf(read.inputs, row),
      outcome: rowOf(read.outcome, row),
      numbers: rowOf(read.numbers, row),
      reasonCode: read.reasonCodes?.[row] ?? null,
      reason: read.reasons?.[row] ?? null,
      alternatives: (read.alternatives ?? [])
        .filter((alternative) => alternative.subject === undefined || alternative.subject === ids[row])
        .map(({ label, score }) => ({ label, score: score === undefined ? null : Number(score) })),
      position: read.position ?? null,
      children: read.children ?? null,
      json: JSON.stringify(
        {
          decision,
          kind: record.kind,
          method: record.method,
          step: record.step,
          sentence: record.sentence,
          ...read,
        },
        null,
        2,
      ),
    };
  }
  return null;
}

function rowOf(columns: Decision['inputs'], row: number): Cells {
  return Object.fromEntries(
    Object.entries(columns ?? {}).map(([name, cells]) => [name, cells[row] ?? null] as const),
  );
}
