import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { check } from '../wire/rpc';
import { Count, Id, words } from '../wire/values';
import { WireError } from '../wire/wireError';
import { HEAT_MEASURES } from './budgets';
import { PANELS, type PanelProtocol } from './messages';
import { CURVE_KINDS } from './passAtK';

/**
 * What a page may send. A page shows model text, so it is not trusted: the host checks every message against
 * these schemas before it acts, whatever the page was built from.
 */

const Step = Type.Union([Count, Type.Null()]);
const Range = Type.Union([Type.Object({ from: Step, to: Step }), Type.Null()]);
const MaybeId = Type.Union([Id, Type.Null()]);
/** Of a method that the job did not name: empty. */
const MaybeKey = Type.Union([Type.String({ maxLength: 256 }), Type.Null()]);
const Limit = Type.Integer({ minimum: 0, maximum: 100_000 });
/** `recorded:` and a path. */
const RunKeyText = Type.String({ minLength: 1, maxLength: 4352 });
const MAX_COPY = 4 * 1024 * 1024;

const view = <V extends string, P extends TSchema>(name: V, params: P) =>
  Type.Object({ view: Type.Literal(name), params, run: Type.Optional(RunKeyText) });
const query = <Q extends string, P extends TSchema>(name: Q, params: P) =>
  Type.Object({ query: Type.Literal(name), params });
const command = <C extends string, P extends Record<string, TSchema>>(id: C, params: P) =>
  Type.Object({ id: Type.Literal(id), ...params });

const Latch = words(['run', 'prompt', 'node'] as const);
const Use = <const W extends readonly string[]>(list: W) => Type.Object({ type: words(list), id: Id });

const MethodParameters = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 1024 })]),
);
const WhatIfMethod = Type.Object({
  method: Id,
  parameters: MethodParameters,
  gaps: words(['ask', 'leaveOut', 'half'] as const),
});

export const Subscribe = Type.Union([
  view('overview', Type.Object({ step: Step })),
  view('tree', Type.Object({ group: MaybeId, prompt: MaybeId, step: Step, rule: MaybeId })),
  view(
    'budgets',
    Type.Object({
      step: Step,
      range: Range,
      measure: words(HEAT_MEASURES),
      history: Limit,
      until: words(['subject', 'newest'] as const),
    }),
  ),
  view('promptBudget', Type.Object({ step: Step, range: Range, prompt: Id })),
  view(
    'passAtK',
    Type.Object({
      source: words(['heldOut', 'training'] as const),
      set: MaybeId,
      by: words(CURVE_KINDS),
      shown: MaybeKey,
      against: MaybeKey,
      upTo: Step,
      threshold: Type.Union([Type.Number(), Type.Null()]),
      prompts: Type.Array(Id, { maxItems: 12 }),
      rows: Type.Boolean(),
      bootstrap: Type.Boolean(),
    }),
  ),
  view(
    'whatIf',
    Type.Object({
      step: Step,
      steps: Type.Integer({ minimum: 1, maximum: 1_000 }),
      methods: Type.Array(WhatIfMethod, { maxItems: 32 }),
      draws: Type.Integer({ minimum: 200, maximum: 10_000 }),
      seed: Count,
      again: Count,
    }),
  ),
  view('steps', Type.Object({ limit: Limit })),
  view(
    'prompts',
    Type.Object({
      step: Step,
      offset: Count,
      limit: Limit,
      filter: Type.String({ maxLength: 1024 }),
      sort: words(['rollouts', 'rate', 'id', 'spread'] as const),
    }),
  ),
  view('steering', Type.Object({ limit: Limit })),
]);

export const Query = Type.Union([
  query('text', Type.Object({ rollout: Id, from: Count, to: Count })),
  query('decision', Type.Object({ decision: Id, subject: MaybeId })),
  query(
    'locate',
    Type.Object({
      prompt: Type.Optional(Id),
      step: Type.Optional(Step),
      rollout: Type.Optional(Id),
      node: Type.Optional(Id),
      group: Type.Optional(Id),
    }),
  ),
  query('events', Type.Object({ subjectType: Type.String({ maxLength: 64 }), id: Id, limit: Limit })),
]);

export const Command = Type.Union([
  command('pause', {
    target: Latch,
    subject: Type.Optional(Id),
    mode: Type.Optional(Type.String({ maxLength: 32 })),
  }),
  command('resume', { target: Latch, subject: Type.Optional(Id) }),
  command('step', {}),
  command('reallocate', {}),
  command('allocate', {
    subjects: Type.Array(Use(['run', 'prompt', 'group', 'node'] as const), {
      minItems: 1,
      maxItems: 100_000,
    }),
    add: Type.Optional(Type.Integer()),
    set: Type.Optional(Count),
    each: Type.Optional(Type.Array(Count, { minItems: 1, maxItems: 100_000 })),
  }),
  command('setMethod', {
    kind: words(['allocation', 'branching', 'credit'] as const),
    method: Type.Optional(Id),
    parameters: Type.Optional(MethodParameters),
  }),
  command('skip', { prompts: Type.Array(Id, { minItems: 1, maxItems: 100_000 }) }),
  command('undo', { command: Id }),
  command('fork', { node: Id, at: Count }),
  command('stop', { subject: Use(['node', 'rollout', 'group', 'prompt'] as const) }),
  command('breakAdd', {}),
  command('breakRemove', { breakpoint: Id }),
  command('open', { panel: words(PANELS) }),
  command('showDecision', { decision: Id, subject: MaybeId }),
  command('showEvents', { subjectType: Type.String({ maxLength: 64 }), subject: Id }),
  command('attach', {}),
  command('retryNow', {}),
  command('enterToken', {}),
  command('startSampleRun', {}),
  command('copy', { text: Type.String({ maxLength: MAX_COPY }) }),
  command('save', {
    name: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9][A-Za-z0-9._ -]*$' }),
    text: Type.String({ maxLength: 16 * MAX_COPY }),
    encoding: Type.Optional(Type.Literal('base64')),
  }),
  command('openSource', { method: Id, part: words(['paper', 'code'] as const) }),
  command('openDocs', {
    page: Type.String({ maxLength: 128, pattern: '^[a-z0-9][a-z0-9-]*(#[a-z0-9-]+)?$' }),
  }),
]);

export const Select = Type.Partial(
  Type.Object({
    run: Type.Union([RunKeyText, Type.Null()]),
    incarnation: Step,
    step: Step,
    prompt: MaybeId,
    group: MaybeId,
    rollout: MaybeId,
    node: MaybeId,
  }),
);

const REQUESTS = {
  ready: Type.Object({ panel: words(PANELS) }),
  subscribe: Subscribe,
  query: Query,
  command: Command,
} as const;
const EVENTS = {
  unsubscribe: Type.Object({ subscription: Count }),
  ack: Type.Object({ subscription: Count, version: Count }),
  select: Select,
  problem: Type.Object({ message: Type.String({ maxLength: 8192 }) }),
} as const;

type ToHost = PanelProtocol['toHost'];
type RequestName = keyof ToHost['requests'];
type PanelEventName = keyof ToHost['events'];

/**
 * Params of a page's request as the table declares them.
 *
 * @throws WireError `malformed`, with the place and without the content.
 */
export function checkPanelRequest<N extends RequestName>(
  name: N,
  body: unknown,
): Static<(typeof REQUESTS)[N]> {
  return check(REQUESTS[name], body, `panel.${name}`);
}

/** Params of a page's event. @throws WireError `malformed`. */
export function checkPanelEvent<N extends PanelEventName>(
  name: N,
  body: unknown,
): Static<(typeof EVENTS)[N]> {
  return check(EVENTS[name], body, `panel.${name}`);
}

const isRequest = (name: unknown): name is RequestName =>
  typeof name === 'string' && Object.hasOwn(REQUESTS, name);
const isEvent = (name: unknown): name is PanelEventName =>
  typeof name === 'string' && Object.hasOwn(EVENTS, name);

/**
 * Checks a whole message of a page before the messenger sees it.
 *
 * @throws WireError `malformed` when it is not an envelope, names nothing known, or its body is not as declared.
 */
export function checkPanelMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('rolloutscope' in message)) {
    throw new WireError('malformed', 'panel: not a message of a page');
  }
  const name = 'name' in message ? message.name : undefined;
  const body = 'body' in message ? message.body : undefined;
  if (message.rolloutscope === 'request' && isRequest(name)) checkPanelRequest(name, body);
  else if (message.rolloutscope === 'event' && isEvent(name)) checkPanelEvent(name, body);
  else throw new WireError('malformed', 'panel: neither a request nor an event that is known');
}

type Checked<T extends Record<string, TSchema>> = { [N in keyof T]: Static<T[N]> };
/** The schemas say what the table says: a difference is an error of the compiler. */
export const SCHEMAS_MATCH: {
  readonly requests: (checked: Checked<typeof REQUESTS>) => {
    [N in RequestName]: ToHost['requests'][N]['params'];
  };
  readonly events: (checked: Checked<typeof EVENTS>) => ToHost['events'];
} = { requests: (checked) => checked, events: (checked) => checked };
