import type { RunHeader, RunKey, RunName, Selection } from './selection';
import type { Queries, QueryName, ViewName, Views } from './views';

export const PANELS = ['overview', 'rolloutTree', 'budgets', 'passAtK'] as const;
export type PanelName = (typeof PANELS)[number];

/** Texts of a panel by key, localised by the host. */
export type Strings = Readonly<Record<string, string>>;

/** Steering and navigation that a panel may ask for: the host previews, confirms, sends. Never acts at once. */
export type PanelCommand =
  | { id: 'pause'; target: 'run' | 'prompt' | 'node'; subject?: string; mode?: string }
  | { id: 'resume'; target: 'run' | 'prompt' | 'node'; subject?: string }
  | { id: 'step' }
  /** What shall change is asked: rollouts, the method, a pin, a skip. */
  | { id: 'reallocate' }
  | {
      id: 'allocate';
      subjects: readonly { type: 'run' | 'prompt' | 'group' | 'node'; id: string }[];
      add?: number;
      set?: number;
      /** Rollouts of each subject, in their order. */
      each?: readonly number[];
    }
  | {
      id: 'setMethod';
      kind: 'allocation' | 'branching' | 'credit';
      method?: string;
      /** With `method`: nothing is left to ask. */
      parameters?: Readonly<Record<string, number | boolean | string>>;
    }
  | { id: 'skip'; prompts: readonly string[] }
  | { id: 'undo'; command: string }
  | { id: 'fork'; node: string; at: number }
  | { id: 'stop'; subject: { type: 'node' | 'rollout' | 'group' | 'prompt'; id: string } }
  | { id: 'breakAdd' }
  | { id: 'breakRemove'; breakpoint: string }
  | { id: 'open'; panel: PanelName }
  | { id: 'showDecision'; decision: string; subject: string | null }
  | { id: 'showEvents'; subjectType: string; subject: string }
  | { id: 'attach' }
  | { id: 'retryNow' }
  | { id: 'enterToken' }
  | { id: 'startSampleRun' }
  | { id: 'copy'; text: string }
  /** `encoding` base64: `text` is a file of bytes. */
  | { id: 'save'; name: string; text: string; encoding?: 'base64' }
  /** The paper or code of a published method, by its own description. */
  | { id: 'openSource'; method: string; part: 'paper' | 'code' }
  | { id: 'openDocs'; page: string };

type NoRequests = Record<string, never>;

/** The one table of messages host ↔ webview. `request` has an answer, `event` has none. */
export interface PanelProtocol {
  toHost: {
    requests: {
      /** The page runs: what it was asked to show comes back. */
      ready: { params: { panel: PanelName }; result: { strings: Strings; reducedMotion: boolean } };
      subscribe: {
        /** `run`: another open run than the shown one, for pictures that put runs side by side. */
        params: { [V in ViewName]: { view: V; params: Views[V]['params']; run?: RunKey } }[ViewName];
        result: { subscription: number };
      };
      query: {
        params: { [Q in QueryName]: { query: Q; params: Queries[Q]['params'] } }[QueryName];
        result: unknown;
      };
      command: { params: PanelCommand; result: { done: boolean } };
    };
    events: {
      unsubscribe: { subscription: number };
      /** The view was drawn: the host may send the next. */
      ack: { subscription: number; version: number };
      select: Partial<Selection>;
      /** An error inside the page, without model text. */
      problem: { message: string };
    };
  };
  toPanel: {
    requests: NoRequests;
    events: {
      header: RunHeader | null;
      selection: Selection;
      /** The runs that are attached or opened in this window. */
      runs: readonly RunName[];
      /** `data` null: nothing to show yet. */
      view: { subscription: number; version: number; data: unknown };
      /** The view cannot be worked out, and what is shown of it stands still; null: it can again. */
      viewProblem: { subscription: number; problem: string | null };
      /** Commands that are under way: the turning mark on the very thing. */
      pending: { subjects: readonly { type: string; id: string; action: string }[] };
      focusSearch: null;
    };
  };
}
