import { Type, type Static } from '@sinclair/typebox';
import { Count, Id, Sampling, words } from './values';

export const SUBPROTOCOL = 'rolloutscope.v1';
/** Largest frame either side sends or takes, bytes. Larger results are paged. */
export const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** The server pings at this interval; an end that hears nothing for twice as long closes. */
export const PING_SECONDS = 30;
/** A client that has not sent `initialize` by then is closed with 4458. */
export const INITIALIZE_SECONDS = 10;

/** `steer` includes `read`. */
export const SCOPES = ['read', 'steer'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * What a server may declare. A missing capability means "no". A server that lacks one answers the request with
 * `unsupported`.
 */
export const CAPABILITIES = {
  'read.prompt': 'prompt, groupHistory',
  'read.steps': 'readSteps: the journal’s batches by step',
  'read.tokens': 'tokens: text, ids, log-probabilities, entropies, alternatives',
  'read.series': 'series of overlay fields',
  'read.attachments': 'attachments of nodes',
  'read.search': 'search in texts on the job’s side',
  'read.config': 'config as resolved by the job',
  'stream.resume': 'a stream can go on after its seq while the job holds it',
  'steer.pause.step-boundary': 'pause at the end of the step',
  'steer.pause.drain': 'finish running rollouts, launch none',
  'steer.pause.now': 'pause between two tokens',
  'steer.pause.prompt': 'latches of single prompts',
  'steer.pause.node': 'latches of single nodes',
  'steer.pause.survives-restart': 'a pause outlives a restart of the job',
  'steer.step': 'go on for n steps',
  'steer.allocate.run': 'budget of every prompt',
  'steer.allocate.prompt': 'budget of prompts',
  'steer.allocate.group': 'budget of an open group',
  'steer.allocate.node': 'cap below a node',
  'steer.allocate.each': 'a budget of its own for each subject of one request',
  'steer.allocate.fixed-total': 'the total of a step cannot change: extra is refused',
  'steer.method': 'setMethod',
  'steer.skip': 'skip prompts',
  'steer.fork': 'fork at a position',
  'steer.fork.train': 'forks may enter training',
  'steer.fork.edited': 'forks with an edited prefix or a hint',
  'steer.stop': 'stop nodes, rollouts, groups, prompts',
  'steer.undo': 'undo by commandId',
  'steer.break': 'pause on conditions',
} as const;
export type Capability = keyof typeof CAPABILITIES;

const InitializeParams = Type.Object({
  client: Type.Object({ name: Type.String({ maxLength: 120 }), version: Type.String({ maxLength: 64 }) }),
  protocolVersions: Type.Array(Count, { minItems: 1, maxItems: 16, description: 'Major versions spoken.' }),
  scope: words(SCOPES),
});

const MethodDescription = Type.Object({
  kind: words(['allocation', 'branching', 'credit'] as const),
  method: Id,
  title: Type.String({ maxLength: 120 }),
  parameters: Type.Record(
    Type.String({ maxLength: 64 }),
    Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 256 }), Type.Null()]),
    { description: 'Defaults.' },
  ),
  active: Type.Boolean(),
});
export type MethodDescription = Static<typeof MethodDescription>;

const InitializeResult = Type.Object({
  protocolVersion: Count,
  server: Type.Object({ name: Type.String(), version: Type.String() }),
  run: Type.Object({
    id: Id,
    name: Type.String({ maxLength: 256 }),
    framework: Type.Optional(Type.String({ maxLength: 64 })),
    device: Type.Optional(Type.String({ maxLength: 120 })),
    startedAt: Type.Number({ description: 'Unix milliseconds of the run’s first start.' }),
  }),
  incarnation: Type.Object({
    number: Count,
    id: Id,
    startedAt: Type.Number({ description: 'Unix milliseconds; `t` counts from here.' }),
  }),
  headSeq: Count,
  firstHeldSeq: Type.Integer({ description: 'Oldest seq that a stream can still begin after, plus one.' }),
  now: Type.Number(),
  capabilities: Type.Array(Type.String({ maxLength: 64 })),
  scope: words(SCOPES),
  successThreshold: Type.Number({ description: 'Reward ≥ this is a success where the job sends none.' }),
  sampling: Sampling,
  methods: Type.Array(MethodDescription, { maxItems: 256 }),
  maxFrameBytes: Count,
  window: Type.Object({ events: Count }, { description: 'Events that may wait for an ack.' }),
});

export const INITIALIZE = {
  method: 'initialize',
  doc: 'The first request of a connection. Answered at once, also while the training loop is busy.',
  params: InitializeParams,
  result: InitializeResult,
} as const;
export type InitializeParams = Static<typeof InitializeParams>;
export type InitializeResult = Static<typeof InitializeResult>;

/** The file by which a job is found: `<run>-<pid>.json`, mode 0600, touched every 10 s, removed at the end. */
export const Discovery = Type.Object({
  version: Type.Literal(1),
  host: Type.String({ maxLength: 256 }),
  bootId: Type.String({ maxLength: 64, description: 'Empty where the system has none.' }),
  pid: Type.Integer({ minimum: 1 }),
  address: Type.String({ maxLength: 512, description: 'ws:// or wss:// address.' }),
  run: Id,
  name: Type.String({ maxLength: 256 }),
  incarnation: Count,
  startedAt: Type.Number(),
  tokens: Type.Object({ read: Type.String({ minLength: 16 }), steer: Type.String({ minLength: 16 }) }),
  journal: Type.Optional(Type.String({ maxLength: 4096, description: 'Folder of the journal.' })),
});
export type Discovery = Static<typeof Discovery>;
/** A discovery file of another host that was not touched for this long counts as left over. */
export const DISCOVERY_STALE_SECONDS = 60;
export const DISCOVERY_TOUCH_SECONDS = 10;
