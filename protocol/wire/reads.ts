import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { CellColumns, Count, Id, Parameters, Sampling, Subject, WireNumber, words } from './values';

/** A batch inside an answer; validated by decodeBatch when it is applied. */
export const RawBatch = Type.Object({
  from: Count,
  to: Type.Integer(),
  now: Type.Number(),
  strings: Type.Optional(Type.Object({ from: Count, values: Type.Array(Type.String()) })),
  events: Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.Unknown()))),
});

const Cursor = Type.Union([Type.String({ maxLength: 256 }), Type.Null()], {
  description: 'Hand it back for the next page; null: this is the last.',
});
const request = <P extends TSchema, R extends TSchema>(doc: string, params: P, result: R) => ({
  doc,
  params,
  result,
});

/** Requests that read. All are paged and capped by `maxFrameBytes`; metadata comes first. */
export const READS = {
  subscribe: request(
    'Starts the stream after `afterSeq`. `strings`: entries of the incarnation’s table that the client has; the first batch brings the missing ones, also those first used before `afterSeq`. Answers `gone` when the job no longer holds that seq: take a snapshot.',
    Type.Object({
      afterSeq: Count,
      strings: Count,
      kinds: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
    }),
    Type.Object({ from: Count }),
  ),
  snapshot: request(
    'The run so far as batches, oldest first, beginning with the string table. `seq` is where the stream goes on. `fromStep` leaves out older steps.',
    Type.Object({
      cursor: Type.Optional(Type.String({ maxLength: 256 })),
      fromStep: Type.Optional(Count),
    }),
    Type.Object({
      batches: Type.Array(RawBatch),
      seq: Count,
      next: Cursor,
      stringsSoFar: Count,
      done: Type.Optional(Type.Number({ description: 'Share that has been sent, 0 to 1.' })),
    }),
  ),
  readSteps: request(
    'Batches of the journal for the steps from..to of an incarnation, earlier ones included. What stands before the first step of an incarnation belongs to that step; of one that opened no step everything is handed out. The batches repeat the string table from its beginning.',
    Type.Object({
      incarnation: Count,
      from: Count,
      to: Count,
      cursor: Type.Optional(Type.String({ maxLength: 256 })),
    }),
    Type.Object({
      strings: Type.Array(Type.String()),
      batches: Type.Array(RawBatch),
      next: Cursor,
      start: Type.Optional(
        Type.Object(
          {
            incarnation: Type.Object({ number: Count, id: Id, startedAt: Type.Number() }),
            successThreshold: Type.Number(),
            sampling: Sampling,
          },
          {
            description:
              'What `initialize` said of that incarnation; on the first page. Without it a client cannot place the times of an incarnation that it has not seen.',
          },
        ),
      ),
    }),
  ),
  prompt: request(
    'Text of a prompt.',
    Type.Object({ prompt: Id }),
    Type.Object({
      prompt: Id,
      text: Type.String(),
      reference: Type.Optional(Type.String()),
      truncated: Type.Boolean(),
    }),
  ),
  groupHistory: request(
    'Groups of a prompt over steps, newest first.',
    Type.Object({ prompt: Id, limit: Type.Optional(Count) }),
    Type.Object({
      steps: Type.Array(Count),
      groups: Type.Array(Id),
      planned: Type.Array(Count),
      n: Type.Array(Count),
      c: Type.Array(Count),
    }),
  ),
  tokens: request(
    'A window of a node’s tokens: positions from..to (to excluded). `offsets[i]` is the UTF-16 offset of token i in `text`.',
    Type.Object({ node: Id, from: Count, to: Count }),
    Type.Object({
      node: Id,
      from: Count,
      to: Count,
      length: Count,
      text: Type.String(),
      offsets: Type.Array(Count),
      ids: Type.Array(Count),
      logProb: Type.Optional(Type.Array(WireNumber)),
      entropy: Type.Optional(Type.Array(WireNumber)),
      trained: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 1 }))),
      versions: Type.Optional(Type.Array(Type.Tuple([Count, Count]))),
      alternatives: Type.Optional(
        Type.Array(Type.Array(Type.Tuple([Type.String(), Type.Number()])), {
          description: 'Per token the most probable ones with their probabilities, the sampled one included.',
        }),
      ),
    }),
  ),
  series: request(
    'Mean and greatest value per bin of an overlay field.',
    Type.Object({
      nodes: Type.Array(Id, { maxItems: 4096 }),
      field: Type.String({ maxLength: 64 }),
      bin: Type.Integer({ minimum: 1 }),
    }),
    Type.Object({ mean: Type.Array(Type.Array(WireNumber)), greatest: Type.Array(Type.Array(WireNumber)) }),
  ),
  attachment: request(
    'An attachment’s bytes, base64, paged.',
    Type.Object({ attachment: Id, offset: Type.Optional(Count) }),
    Type.Object({
      mime: Type.String(),
      bytes: Count,
      base64: Type.String(),
      nextOffset: Type.Union([Count, Type.Null()]),
    }),
  ),
  search: request(
    'Nodes whose text holds `text`.',
    Type.Object({
      text: Type.String({ minLength: 1, maxLength: 256 }),
      scope: Type.Optional(Subject),
      limit: Type.Optional(Count),
    }),
    Type.Object({ nodes: Type.Array(Id), positions: Type.Array(Count), complete: Type.Boolean() }),
  ),
  decisions: request(
    'Decisions about a subject, newest first.',
    Type.Object({ subject: Subject, limit: Type.Optional(Count) }),
    Type.Object({
      decisions: Type.Array(
        Type.Object({
          decision: Id,
          kind: Type.String(),
          method: Type.String(),
          step: Type.Union([Count, Type.Null()]),
          sentence: Type.String(),
          columns: Type.Optional(CellColumns),
        }),
      ),
    }),
  ),
  config: request(
    'The configuration as the job resolved it.',
    Type.Object({}),
    Type.Object({ framework: Type.String(), file: Type.Optional(Type.String()), values: Parameters }),
  ),
} as const;

export type ReadName = keyof typeof READS;
export type ReadParams<N extends ReadName> = Static<(typeof READS)[N]['params']>;
export type ReadResult<N extends ReadName> = Static<(typeof READS)[N]['result']>;

export const TOKEN_FIELDS = words(['entropy', 'logProb', 'confidence'] as const);
