import type { SteeringPage } from '../../protocol/panels/lists';
import type { SteeringRow } from '../../protocol/panels/overview';
import type { RunStore } from '../runStore';
import { steeringOf, undoneCommands } from './pins';

/** The steering record, newest first. */
export function steeringPage(store: RunStore, { limit }: { readonly limit: number }): SteeringPage {
  const undone = undoneCommands(store);
  const all = steeringOf(store).reverse();
  const rows = all.slice(0, Math.max(0, limit)).map(({ record, incarnation, at }): SteeringRow => ({
    command: record.command,
    action: record.action,
    state: record.state,
    author: record.author,
    connection: record.connection,
    scope: record.scope,
    sentence: record.sentence,
    reason: record.reason,
    subjects: record.subjects,
    before: record.before,
    after: record.after,
    undoes: record.undoes,
    undone: undone.has(record.command),
    fromStep: record.fromStep,
    untilStep: record.untilStep,
    incarnation,
    at,
  }));
  return { total: all.length, rows };
}
