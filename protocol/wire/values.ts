import { Type, type Static } from '@sinclair/typebox';
import { FORK_CHILDREN, FORK_POSITIONS, SEVERITIES, STEERING_ACTIONS, SUBJECT_TYPES } from './words';

/** Structured values that stand in `json` columns and in requests. All ids are strings of at most 256 characters. */

export const Id = Type.String({ minLength: 1, maxLength: 256 });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A number, or the declared texts for what JSON cannot write. */
export const WireNumber = Type.Union([
  Type.Number(),
  Type.Literal('NaN'),
  Type.Literal('Infinity'),
  Type.Literal('-Infinity'),
]);
export type WireNumber = Static<typeof WireNumber>;

/** One of a closed list. */
export const words = <T extends readonly string[]>(list: T) =>
  Type.Union(list.map((word) => Type.Literal(word as T[number])));

export const Parameters = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 1024 }), Type.Null()]),
);
export type Parameters = Static<typeof Parameters>;

export const Sampling = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0 })),
    topP: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    topK: Type.Optional(Count),
    maxTokens: Type.Optional(Count),
  },
  { description: 'Sampling settings; a missing field means the run does not say.' },
);
export type Sampling = Static<typeof Sampling>;

export const VersionSpans = Type.Array(Type.Tuple([Count, Count]), {
  description: 'Policy versions as [from position, version], positions rising.',
});
export const RewardParts = Type.Record(Type.String({ maxLength: 64 }), WireNumber);
export const RowIds = Type.Array(Type.String({ maxLength: 256 }), { maxItems: 4096 });
export const Series = Type.Array(WireNumber, { maxItems: 65536 });

export const Subject = Type.Object({ type: words(SUBJECT_TYPES), id: Id });
export type Subject = Static<typeof Subject>;

/** One cell of a decision's columns. */
export const Cell = Type.Union([
  Type.Number(),
  Type.String({ maxLength: 4096 }),
  Type.Boolean(),
  Type.Null(),
]);
export const CellColumns = Type.Record(Type.String({ maxLength: 64 }), Type.Array(Cell));

export const Decision = Type.Object(
  {
    parameters: Parameters,
    shared: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Cell, {
        description: 'Inputs that all subjects share: total, bounds, price, round.',
      }),
    ),
    subjects: Type.Object({
      type: words(SUBJECT_TYPES),
      ids: Type.Array(Id, { maxItems: 1_000_000 }),
    }),
    inputs: Type.Optional(CellColumns),
    outcome: Type.Optional(CellColumns),
    reasonCodes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
    reasons: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }))),
    numbers: Type.Optional(CellColumns),
    alternatives: Type.Optional(
      Type.Array(
        Type.Object({
          subject: Type.Optional(Id),
          label: Type.String({ maxLength: 256 }),
          score: Type.Optional(WireNumber),
        }),
        { maxItems: 4096 },
      ),
    ),
    position: Type.Optional(words(FORK_POSITIONS)),
    children: Type.Optional(words(FORK_CHILDREN)),
    samplingBefore: Type.Optional(Sampling),
    samplingAfter: Type.Optional(Sampling),
    versionBefore: Type.Optional(Count),
    versionAfter: Type.Optional(Count),
    inclusionProbability: Type.Optional(Type.Array(Type.Number({ minimum: 0, maximum: 1 }))),
  },
  {
    description:
      'What a choice was made from, as it was at that moment. Every column of `inputs`, `outcome`, `numbers`, `reasonCodes`, `reasons`, `inclusionProbability` has one cell a subject.',
  },
);
export type Decision = Static<typeof Decision>;

export const EvalProblems = Type.Object({
  prompts: Type.Array(Id, { maxItems: 1_000_000 }),
  n: Type.Array(Count),
  c: Type.Array(Count),
});
export type EvalProblems = Static<typeof EvalProblems>;

export const Lever = Type.Object({
  label: Type.String({ maxLength: 120 }),
  action: words(STEERING_ACTIONS),
  params: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown())),
});
export const FindingBody = Type.Object({
  code: Type.String({ maxLength: 64 }),
  severity: words(SEVERITIES),
  title: Type.String({ maxLength: 256 }),
  evidence: Type.String({ maxLength: 2048 }),
  subjects: Type.Optional(Type.Array(Subject, { maxItems: 1024 })),
  levers: Type.Optional(Type.Array(Lever, { maxItems: 8 })),
});
export type FindingBody = Static<typeof FindingBody>;

export const BreakCondition = Type.Object({
  metric: words([
    'budget',
    'zeroGradientShare',
    'entropy',
    'reward',
    'passRate',
    'stepSeconds',
    'toolError',
  ] as const),
  op: Type.Union([Type.Literal('>'), Type.Literal('<')]),
  value: Type.Number(),
});
export type BreakCondition = Static<typeof BreakCondition>;

export const Before = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  description: 'The settings that the request changes, before or after it.',
});
