import type { PromptBudgetParams, PromptBudgetView, PromptGroup } from '../../protocol/panels/budgets';
import { addTokensOfGroup, noTokens } from '../ledger/tokens';
import { launchedOf } from '../ledger/groupJudgement';
import type { RunStore } from '../runStore';
import { groupsLedger, tokenLedger, type GroupPlace } from './ledgerView';
import { eachGroup, findSubject } from './subject';

const MOST_GROUPS = 100;

/** One prompt's ledger in the subject, and its groups. null: the prompt or the step is not known. */
export function promptBudgetView(store: RunStore, params: PromptBudgetParams): PromptBudgetView | null {
  const subject = findSubject(store, params);
  const prompt = store.prompts.find(params.prompt);
  if (!subject || prompt < 0) return null;
  const places: GroupPlace[] = [];
  const list: PromptGroup[] = [];
  const tokens = noTokens();
  eachGroup(store, subject, (place, step) => {
    const { incarnation, group } = place;
    const { groups } = incarnation;
    if (groups.prompt[group] !== prompt) return;
    places.push(place);
    addTokensOfGroup(incarnation, group, tokens);
    list.push({
      step,
      group: incarnation.text(groups.handle[group]!),
      decision: incarnation.textOrNull(groups.decision[group]!),
      planned: groups.planned[group]!,
      launched: launchedOf(groups, group),
      n: groups.n[group]!,
      c: groups.c[group]!,
      gradient: groups.gradient[group]!,
    });
  });
  return {
    prompt: params.prompt,
    ledger: groupsLedger(places, store.head),
    tokens: tokenLedger(tokens),
    groups: list.reverse().slice(0, MOST_GROUPS),
    allGroups: list.length,
  };
}
