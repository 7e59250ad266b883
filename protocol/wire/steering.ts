import { Type, type Static, type TProperties } from '@sinclair/typebox';
import { BreakCondition, Count, Id, Parameters, Subject, words } from './values';
import { PAUSE_MODES } from './words';

/** Fields of every steering request. A repeat of a commandId changes nothing and answers `changed: false`. */
const COMMON = {
  commandId: Id,
  incarnation: Type.Integer({
    minimum: 0,
    description: 'Incarnation that the person saw; another one is refused.',
  }),
  author: Type.String({ minLength: 1, maxLength: 120 }),
  reason: Type.Optional(Type.String({ maxLength: 1024 })),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Answer what it would do; do nothing, record nothing.' }),
  ),
};
const steering = <P extends TProperties>(doc: string, own: P) => ({
  doc,
  params: Type.Object({ ...COMMON, ...own }),
});

const Change = Type.Object({ before: Type.Number(), after: Type.Number() });

/** What a steering request does, or would do. Estimated figures say so in the sentence. */
export const SteeringAnswer = Type.Object({
  commandId: Id,
  state: words(['requested', 'applied', 'refused', 'preview'] as const),
  changed: Type.Boolean(),
  sentence: Type.String({ description: 'The effect, or the reason of a refusal, for a person.' }),
  refusal: Type.Optional(
    words([
      'ended',
      'unknownSubject',
      'wrongIncarnation',
      'unsupported',
      'outOfRange',
      'notOpen',
      'alreadySo',
      'fixedTotal',
    ] as const),
  ),
  rollouts: Type.Optional(Change),
  tokens: Type.Optional(Change),
  seconds: Type.Optional(Change),
  fromStep: Type.Optional(Count),
  untilStep: Type.Optional(Count),
  subjects: Type.Optional(
    Type.Array(Type.Object({ subject: Subject, before: Type.Number(), after: Type.Number() }), {
      maxItems: 4096,
      description: 'Who gains and who loses, rollouts.',
    }),
  ),
  created: Type.Optional(
    Type.Array(Subject, { description: 'Rollouts or breakpoints that the request made.' }),
  ),
});
export type SteeringAnswer = Static<typeof SteeringAnswer>;

/** A latch: work of a subject runs only when the latches of run, prompt and node are all open. */
const Target = Type.Object({
  type: words(['run', 'prompt', 'node'] as const),
  id: Type.Optional(Id),
});

const Rollouts = Type.Union([
  Type.Object({ set: Count }),
  Type.Object({ add: Type.Integer() }),
  Type.Object({ clear: Type.Literal(true) }),
]);

export const STEERING = {
  pause: steering('Closes the latch of a target. Survives the client’s disconnect.', {
    target: Target,
    mode: words(PAUSE_MODES),
  }),
  resume: steering('Opens the latch of a target.', { target: Target }),
  step: steering('Opens the run’s latch for n steps and pauses at the boundary after them.', {
    n: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
  allocate: steering(
    'Sets, adds or clears the budget of subjects. Without `untilStep` a set is a pin. `charge: total` takes it from the other prompts of the step, `extra` adds to the step.',
    {
      subjects: Type.Array(Subject, { minItems: 1, maxItems: 100_000 }),
      rollouts: Type.Optional(Rollouts),
      each: Type.Optional(
        Type.Array(Count, {
          maxItems: 100_000,
          description: 'In place of `rollouts`: what each subject is set to, in the order of `subjects`.',
        }),
      ),
      tokens: Type.Optional(Rollouts),
      turns: Type.Optional(Rollouts),
      temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      charge: words(['total', 'extra'] as const),
      untilStep: Type.Optional(Count),
    },
  ),
  setMethod: steering('Changes the allocation, branching or credit method from the next step.', {
    kind: words(['allocation', 'branching', 'credit'] as const),
    method: Id,
    parameters: Parameters,
  }),
  skip: steering('Leaves prompts out of planning.', {
    prompts: Type.Array(Id, { minItems: 1, maxItems: 100_000 }),
    untilStep: Type.Optional(Count),
  }),
  undo: steering('Takes back what a request changed, from now on. Recorded as a request of its own.', {
    undoes: Id,
  }),
  fork: steering(
    'Launches n rollouts from position `at` of a node, at once. Never overwrites the parent. Probes never enter training.',
    {
      node: Id,
      at: Count,
      n: Type.Integer({ minimum: 1, maximum: 1024 }),
      temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      edit: Type.Optional(
        Type.Object(
          { text: Type.String({ maxLength: 16384 }) },
          { description: 'Replaces nothing of the parent; the text stands from `at` on, train mask 0.' },
        ),
      ),
      hint: Type.Optional(Type.Object({ text: Type.String({ maxLength: 16384 }) })),
      use: words(['probe', 'train'] as const),
      baseline: Type.Optional(Type.Boolean()),
    },
  ),
  stop: steering('Ends what still runs of a node’s subtree, a rollout, a group or a prompt.', {
    subject: Subject,
  }),
  'break.add': steering('Pauses the run when the condition holds.', {
    condition: BreakCondition,
    mode: Type.Optional(words(PAUSE_MODES)),
  }),
  'break.remove': steering('Removes a condition.', { breakpoint: Id }),
} as const;

export type SteeringName = keyof typeof STEERING;
export type SteeringParams<N extends SteeringName> = Static<(typeof STEERING)[N]['params']>;
export const STEERING_NAMES = Object.keys(STEERING) as SteeringName[];

/** Method on the wire of a steering request. */
export const steeringMethod = (name: SteeringName): string => `steer.${name}`;
