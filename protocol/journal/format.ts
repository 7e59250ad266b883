import { Type, type Static } from '@sinclair/typebox';
import { Count, Id, Sampling } from '../wire/values';

/**
 * A journal is a folder on the job's disk:
 *
 *     journal.json                              JournalManifest
 *     incarnation-0001/segment-000001.jsonl     line 1: SegmentHead; then a line a batch, as on the wire
 *     incarnation-0001/segment-000001.texts     a line a node: TextRecord, found by byte offset (nodeClosed)
 *     incarnation-0001/segment-000001.index     a line a step: IndexLine, written when the step opens
 *
 * Append-only. A torn last line is cut and reported. An index that is missing or short is rebuilt by reading.
 */
export const JOURNAL_VERSION = 1;
export const SEGMENT_BYTES = 64 * 1024 * 1024;
export const MANIFEST_NAME = 'journal.json';

const padded = (value: number, width: number) => String(value).padStart(width, '0');
export const incarnationFolder = (incarnation: number): string => `incarnation-${padded(incarnation, 4)}`;
export const segmentName = (segment: number, part: 'jsonl' | 'texts' | 'index'): string =>
  `segment-${padded(segment, 6)}.${part}`;

export const JournalManifest = Type.Object({
  format: Type.Literal('rolloutscope-journal'),
  version: Type.Literal(JOURNAL_VERSION),
  run: Type.Object({
    id: Id,
    name: Type.String({ maxLength: 256 }),
    framework: Type.Optional(Type.String({ maxLength: 64 })),
    device: Type.Optional(Type.String({ maxLength: 120 })),
    startedAt: Type.Number({ description: 'Unix milliseconds.' }),
  }),
});
export type JournalManifest = Static<typeof JournalManifest>;

/** First line of a segment: a segment can be read without the ones before it. */
export const SegmentHead = Type.Object({
  journal: Type.Literal(JOURNAL_VERSION),
  segment: Type.Integer({ minimum: 1 }),
  incarnation: Type.Object({ number: Count, id: Id, startedAt: Type.Number() }),
  firstSeq: Count,
  successThreshold: Type.Number(),
  sampling: Sampling,
  strings: Type.Array(Type.String(), { description: 'The whole string table so far.' }),
});
export type SegmentHead = Static<typeof SegmentHead>;

export const IndexLine = Type.Object({
  step: Count,
  seq: Count,
  offset: Type.Integer({
    minimum: 0,
    description: 'Byte offset of the line of the batch that opens the step.',
  }),
});
export type IndexLine = Static<typeof IndexLine>;

/** A node's text with its token data: the answer to `tokens` over the whole node. */
export const TextRecord = Type.Object({
  node: Id,
  text: Type.String(),
  offsets: Type.Array(Count),
  ids: Type.Array(Count),
  logProb: Type.Optional(Type.Array(Type.Number())),
  entropy: Type.Optional(Type.Array(Type.Number())),
  trained: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 1 }))),
  alternatives: Type.Optional(Type.Array(Type.Array(Type.Tuple([Type.String(), Type.Number()])))),
});
export type TextRecord = Static<typeof TextRecord>;
