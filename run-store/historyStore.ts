import type { StringTable } from '../protocol/wire/stringTable';
import { RunStore } from './runStore';

/**
 * A store for steps whose trees the run's store has given up: it takes their batches again, from the journal or
 * from the job (`readSteps`), and answers `tree`, `text` and `locate` about them. What was said before these steps
 * and belongs to their pictures is taken over: what prompts are, and who steered.
 *
 * @param strings the table that the batches are decoded with.
 */
export function historyStore(run: RunStore, incarnation: number, strings: StringTable): RunStore | null {
  const life = run.incarnations.find(({ start }) => start.number === incarnation);
  if (!life) return null;
  const history = new RunStore({ nodeLimit: Infinity });
  history.beginIncarnation(life.start, strings);
  run.prompts.ids.forEach((id, row) => {
    history.prompts.facts[history.prompts.row(id)] = run.prompts.facts[row]!;
  });
  for (const [command, record] of life.steering) history.current?.steering.set(command, record);
  return history;
}
