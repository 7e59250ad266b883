import type {
  BudgetsParams,
  BudgetsView,
  DecisionView,
  PromptBudgetParams,
  PromptBudgetView,
} from './budgets';
import type { PromptsPage, PromptsParams, StepsPage, SteeringPage } from './lists';
import type { OverviewParams, OverviewView } from './overview';
import type { PassAtKParams, PassAtKView } from './passAtK';
import type { TextParams, TextView } from './text';
import type { TreeParams, TreeView } from './tree';
import type { WhatIfParams, WhatIfView } from './whatIf';

/**
 * Views: live pictures of the store's state. Whoever subscribes gets the newest state when something in it
 * changed, at most four times a second, and the next one only after it has acknowledged the last.
 * null: there is nothing to show yet.
 */
export interface Views {
  overview: { params: OverviewParams; data: OverviewView };
  tree: { params: TreeParams; data: TreeView };
  budgets: { params: BudgetsParams; data: BudgetsView };
  promptBudget: { params: PromptBudgetParams; data: PromptBudgetView };
  passAtK: { params: PassAtKParams; data: PassAtKView };
  whatIf: { params: WhatIfParams; data: WhatIfView };
  steps: { params: { limit: number }; data: StepsPage };
  prompts: { params: PromptsParams; data: PromptsPage };
  steering: { params: { limit: number }; data: SteeringPage };
}
export type ViewName = keyof Views;

/** Queries: asked once, answered once. */
export interface Queries {
  text: { params: TextParams; result: TextView };
  decision: { params: { decision: string; subject: string | null }; result: DecisionView | null };
  /** The group of a prompt in a step, of a rollout, or of a node. */
  locate: {
    params: { prompt?: string; step?: number | null; rollout?: string; node?: string; group?: string };
    result: {
      step: number;
      prompt: string;
      group: string;
      rollout: string | null;
      node: string | null;
      incarnation: number;
    } | null;
  };
  /** Text of events about a subject, newest last, for "show events". */
  events: {
    params: { subjectType: string; id: string; limit: number };
    result: { lines: readonly string[] };
  };
}
export type QueryName = keyof Queries;
