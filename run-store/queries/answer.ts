import type { Queries, ViewName, Views } from '../../protocol/panels/views';
import type { EventName } from '../../protocol/wire/events';
import type { RunStore } from '../runStore';
import { budgetsView } from './budgets';
import { decisionView } from './decision';
import { eventLines } from './events';
import { locate } from './locate';
import { overviewView } from './overview';
import { promptBudgetView } from './promptBudget';
import { passAtKView } from './passAtK';
import { promptsPage } from './prompts';
import { steeringPage } from './steeringList';
import { stepsPage } from './steps';
import { groupFor, treeView } from './tree';

/** Views that the store answers by itself; a what-if is worked out over time (see extension/session/whatIfDesk.ts). */
export type StoreView = Exclude<ViewName, 'whatIf'>;
type ViewTable = {
  readonly [V in StoreView]: (store: RunStore, params: Views[V]['params']) => Views[V]['data'] | null;
};

const VIEWS: ViewTable = {
  overview: overviewView,
  tree: treeView,
  budgets: budgetsView,
  promptBudget: promptBudgetView,
  passAtK: passAtKView,
  steps: stepsPage,
  prompts: promptsPage,
  steering: steeringPage,
};

/** The present state of a view. Its arrays are its own, so that they can be given away. null: nothing to show yet. */
export function viewOf<V extends StoreView>(
  store: RunStore,
  name: V,
  params: Views[V]['params'],
): Views[V]['data'] | null {
  return VIEWS[name](store, params);
}

/** Queries that the store answers by itself; `text` also needs the job or the journal (see text.ts). */
export type StoreQuery = 'decision' | 'locate' | 'events';
const QUERIES: {
  readonly [Q in StoreQuery]: (store: RunStore, params: Queries[Q]['params']) => Queries[Q]['result'];
} = { decision: decisionView, locate, events: eventLines };

export function queryOf<Q extends StoreQuery>(
  store: RunStore,
  name: Q,
  params: Queries[Q]['params'],
): Queries[Q]['result'] {
  return QUERIES[name](store, params);
}

const STEP_EVENTS: readonly EventName[] = [
  'stepOpened',
  'stepPhase',
  'stepClosed',
  'groupOpened',
  'groupPlanned',
  'groupClosed',
  'rolloutOpened',
  'rolloutClosed',
  'rolloutDiscarded',
];
/** Kinds of events that a view shows something of. */
const SHOWS: Readonly<Record<StoreView, readonly EventName[]>> = {
  overview: [
    ...STEP_EVENTS,
    'rolloutSpan',
    'nodeUpdated',
    'nodeClosed',
    'metric',
    'steering',
    'finding',
    'breakpoint',
    'worker',
    'decision',
    'runState',
  ],
  tree: ['decision', 'steering', 'groupOpened'],
  budgets: [...STEP_EVENTS, 'promptDeclared', 'promptStatistics', 'decision', 'steering'],
  promptBudget: [...STEP_EVENTS, 'decision'],
  passAtK: ['evaluation', 'stepClosed', 'promptDeclared'],
  steps: [...STEP_EVENTS, 'evaluation'],
  prompts: [...STEP_EVENTS, 'promptDeclared', 'promptStatistics', 'steering'],
  steering: ['steering'],
};

/** A number that rises whenever something that the view shows may have changed. For trees: something of that group. */
export function viewRevision<V extends StoreView>(
  store: RunStore,
  name: V,
  params: Views[V]['params'],
): number {
  const revision = store.revisionOf(SHOWS[name]);
  if (name !== 'tree' || !('group' in params)) return revision;
  const found = groupFor(store, params);
  return found ? Math.max(revision, found.incarnation.groups.touched[found.group]!) : revision;
}
