import { IndexLine, JournalManifest, SegmentHead, TextRecord } from '../journal/format';
import type { Column } from '../wire/columns';
import { EVENTS, type EventKind } from '../wire/events';
import { CAPABILITIES, Discovery, INITIALIZE, SUBPROTOCOL } from '../wire/handshake';
import { READS } from '../wire/reads';
import { RpcMessage } from '../wire/rpc';
import { STEERING, SteeringAnswer } from '../wire/steering';
import { STANDARD_METRICS } from '../wire/words';

const CELLS: Readonly<Record<Column['type'], object>> = {
  int: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  num: { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] },
  ref: { type: 'integer', minimum: 0, description: 'handle' },
  flag: { enum: [0, 1] },
  text: { type: 'string' },
  json: {},
};

function columnSchema(column: Column): object {
  const cell = column.schema ?? CELLS[column.type];
  return {
    type: 'array',
    description: column.doc,
    items: column.optional ? { anyOf: [cell, { type: 'null' }] } : cell,
    ...(column.words === undefined ? {} : { 'x-words': column.words }),
    ...(column.unit === undefined ? {} : { 'x-unit': column.unit }),
    'x-column': column.type,
  };
}

function kindSchema(kind: EventKind): object {
  const columns = Object.entries(kind.columns);
  return {
    type: 'object',
    description: kind.doc,
    'x-structural': kind.structural,
    properties: {
      seq: { type: 'array', items: CELLS.int },
      t: { type: 'array', items: CELLS.num },
      ...Object.fromEntries(columns.map(([name, column]) => [name, columnSchema(column)])),
    },
    required: ['seq', 't', ...columns.filter(([, c]) => !c.optional).map(([name]) => name)],
  };
}

/** The whole contract as one JSON schema, for ends in other languages (protocol/schema.json). */
export function jsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: SUBPROTOCOL,
    capabilities: CAPABILITIES,
    metrics: STANDARD_METRICS,
    events: Object.fromEntries(Object.entries(EVENTS).map(([name, kind]) => [name, kindSchema(kind)])),
    rpc: RpcMessage,
    requests: {
      initialize: { params: INITIALIZE.params, result: INITIALIZE.result },
      ...READS,
      ...Object.fromEntries(
        Object.entries(STEERING).map(([name, s]) => [
          `steer.${name}`,
          { doc: s.doc, params: s.params, result: SteeringAnswer },
        ]),
      ),
    },
    discovery: Discovery,
    journal: { manifest: JournalManifest, segmentHead: SegmentHead, index: IndexLine, text: TextRecord },
  };
}
