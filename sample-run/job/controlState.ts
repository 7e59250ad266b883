import { Type, type Static } from '@sinclair/typebox';
import { SteeringAnswer } from '../../protocol/wire/steering';
import { BreakCondition, Count, Id, Parameters, words } from '../../protocol/wire/values';
import { PAUSE_MODES, STEERING_ACTIONS } from '../../protocol/wire/words';

/**
 * All that people decided and that outlives a restart, as it is written to disk after every steering request.
 * `null` in place of a latch means it is open.
 */
const optionalText = Type.Optional(Type.String({ maxLength: 1024 }));

export const Latch = Type.Object({
  mode: words(PAUSE_MODES),
  author: Type.String(),
  reason: optionalText,
  command: Id,
  /** False while a pause waits for the step’s end or for running rollouts. */
  closed: Type.Boolean(),
});
export type Latch = Static<typeof Latch>;
const MaybeLatch = Type.Union([Latch, Type.Null()]);

/** A person’s budget for a prompt, or for all of them (prompt `*`). */
export const Pin = Type.Object({
  command: Id,
  author: Type.String(),
  set: Type.Optional(Count),
  add: Type.Optional(Type.Integer()),
  tokens: Type.Optional(Count),
  temperature: Type.Optional(Type.Number()),
  charge: words(['total', 'extra'] as const),
  fromStep: Count,
  untilStep: Type.Union([Count, Type.Null()]),
});
export type Pin = Static<typeof Pin>;
const MaybePin = Type.Union([Pin, Type.Null()]);
/** The key of `pins` that stands for every prompt. */
export const EVERY_PROMPT = '*';

export const Skip = Type.Object({
  command: Id,
  author: Type.String(),
  fromStep: Count,
  untilStep: Type.Union([Count, Type.Null()]),
});
export type Skip = Static<typeof Skip>;
const MaybeSkip = Type.Union([Skip, Type.Null()]);

export const METHOD_KINDS = ['allocation', 'branching', 'credit'] as const;
export type MethodKind = (typeof METHOD_KINDS)[number];

export const MethodChoice = Type.Object({ method: Id, parameters: Parameters });
export type MethodChoice = Static<typeof MethodChoice>;

export const Breakpoint = Type.Object({
  id: Id,
  condition: BreakCondition,
  mode: words(PAUSE_MODES),
  author: Type.String(),
  command: Id,
  hits: Count,
});
export type Breakpoint = Static<typeof Breakpoint>;

const LatchTarget = Type.Object({ type: words(['run', 'prompt', 'node'] as const), id: Type.Optional(Id) });
export type LatchTarget = Static<typeof LatchTarget>;

/** What taking a request back means. */
export const Inverse = Type.Union([
  Type.Object({ kind: Type.Literal('latch'), target: LatchTarget, before: MaybeLatch }),
  Type.Object({
    kind: Type.Literal('step'),
    before: MaybeLatch,
    stepsLeft: Type.Union([Count, Type.Null()]),
  }),
  Type.Object({ kind: Type.Literal('pins'), before: Type.Record(Type.String(), MaybePin) }),
  Type.Object({ kind: Type.Literal('groups'), step: Count, before: Type.Record(Type.String(), Count) }),
  Type.Object({
    kind: Type.Literal('nodeCaps'),
    before: Type.Record(Type.String(), Type.Union([Count, Type.Null()])),
  }),
  Type.Object({ kind: Type.Literal('skips'), before: Type.Record(Type.String(), MaybeSkip) }),
  Type.Object({ kind: Type.Literal('method'), which: words(METHOD_KINDS), before: MethodChoice }),
  Type.Object({ kind: Type.Literal('fork'), rollouts: Type.Array(Id) }),
  Type.Object({ kind: Type.Literal('breakAdd'), breakpoint: Id }),
  Type.Object({ kind: Type.Literal('breakRemove'), breakpoint: Breakpoint }),
  Type.Object({ kind: Type.Literal('none'), why: Type.String() }),
]);
export type Inverse = Static<typeof Inverse>;

export const CommandRecord = Type.Object({
  action: words(STEERING_ACTIONS),
  answer: SteeringAnswer,
  /** Null for a refused request: there is nothing to take back. */
  inverse: Type.Union([Inverse, Type.Null()]),
  undone: Type.Boolean(),
  incarnation: Count,
});
export type CommandRecord = Static<typeof CommandRecord>;

export const ControlState = Type.Object({
  version: Type.Literal(1),
  runLatch: MaybeLatch,
  /** Steps until the run pauses by itself; null: it does not. */
  stepsLeft: Type.Union([Count, Type.Null()]),
  promptLatches: Type.Record(Type.String(), Latch),
  pins: Type.Record(Type.String(), Pin),
  skips: Type.Record(Type.String(), Skip),
  methods: Type.Object({
    allocation: MethodChoice,
    branching: MethodChoice,
    credit: MethodChoice,
  }),
  breakpoints: Type.Array(Breakpoint),
  breakpointCounter: Count,
  /** The newest requests, oldest first. */
  commands: Type.Array(Type.Tuple([Id, CommandRecord])),
});
export type ControlState = Static<typeof ControlState>;

/** Requests remembered, so that a repeat changes nothing. */
export const REMEMBERED_COMMANDS = 512;

export const freshControl = (methods: ControlState['methods']): ControlState => ({
  version: 1,
  runLatch: null,
  stepsLeft: null,
  promptLatches: {},
  pins: {},
  skips: {},
  methods,
  breakpoints: [],
  breakpointCounter: 0,
  commands: [],
});

/** Pin that holds for a prompt in a step; the prompt’s own before the one for every prompt. */
export const pinFor = (control: ControlState, prompt: string, step: number): Pin | null => {
  const own = Object.hasOwn(control.pins, prompt) ? control.pins[prompt] : undefined;
  return own && holds(own, step) ? own : null;
};

export const runPin = (control: ControlState, step: number): Pin | null => {
  const pin = control.pins[EVERY_PROMPT];
  return pin && holds(pin, step) ? pin : null;
};

export const holds = (span: { fromStep: number; untilStep: number | null }, step: number): boolean =>
  step >= span.fromStep && (span.untilStep === null || step <= span.untilStep);

export const isSkipped = (control: ControlState, prompt: string, step: number): boolean => {
  const skip = Object.hasOwn(control.skips, prompt) ? control.skips[prompt] : undefined;
  return skip !== undefined && holds(skip, step);
};
