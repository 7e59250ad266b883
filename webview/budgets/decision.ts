import { signal, useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DecisionView } from '../../protocol/panels/budgets';
import { noteError, query } from '../shared/host';

/** undefined: not answered yet; null: the decision is no longer held. */
export type Asked = DecisionView | null | undefined;

const ask = async (decision: string, prompt: string, group: string | null): Promise<DecisionView | null> => {
  const own = await query('decision', { decision, subject: prompt });
  if (own !== null || group === null) return own;
  // Some jobs plan groups, not prompts.
  return query('decision', { decision, subject: group });
};

const NONE = signal<Asked>(null);

/** The recorded decision of a prompt; the old card stays until the new one is there. */
export const useDecision = (
  decision: string | null,
  prompt: string,
  group: string | null,
): ReadonlySignal<Asked> => {
  const answer = useSignal<Asked>(undefined);
  useEffect(() => {
    if (decision === null) return undefined;
    let over = false;
    ask(decision, prompt, group).then(
      (found) => {
        if (!over) answer.value = found;
      },
      (error: unknown) => {
        noteError(error);
        if (!over) answer.value = null;
      },
    );
    return () => {
      over = true;
    };
  }, [decision, prompt, group]);
  return decision === null ? NONE : answer;
};
