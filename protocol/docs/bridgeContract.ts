import {
  IndexLine,
  JOURNAL_VERSION,
  JournalManifest,
  SEGMENT_BYTES,
  SegmentHead,
  TextRecord,
} from '../journal/format';
import type { Column } from '../wire/columns';
import { EVENTS } from '../wire/events';
import {
  CAPABILITIES,
  DISCOVERY_TOUCH_SECONDS,
  INITIALIZE_SECONDS,
  MAX_FRAME_BYTES,
  PING_SECONDS,
  SUBPROTOCOL,
} from '../wire/handshake';
import { READS } from '../wire/reads';
import { STEERING } from '../wire/steering';
import { CLOSE_CODES, RPC_ERRORS } from '../wire/wireError';

const fieldsOf = (schema: { readonly properties: object }): string[] => Object.keys(schema.properties);

const columnOf = ({ type, optional, words }: Column): object => ({
  type,
  optional,
  ...(words === undefined ? {} : { words }),
});

/** What the Python bridge reads of the contract, so that neither side writes it down twice. */
export function bridgeContract(): object {
  return {
    subprotocol: SUBPROTOCOL,
    events: Object.fromEntries(
      Object.entries(EVENTS).map(([name, { structural, columns }]) => [
        name,
        {
          structural,
          columns: Object.fromEntries(
            Object.entries<Column>(columns).map(([column, declared]) => [column, columnOf(declared)]),
          ),
        },
      ]),
    ),
    capabilities: Object.keys(CAPABILITIES),
    reads: Object.keys(READS),
    steering: Object.keys(STEERING),
    closeCodes: CLOSE_CODES,
    errorCodes: RPC_ERRORS,
    limits: {
      maxFrameBytes: MAX_FRAME_BYTES,
      pingSeconds: PING_SECONDS,
      initializeSeconds: INITIALIZE_SECONDS,
      discoveryTouchSeconds: DISCOVERY_TOUCH_SECONDS,
      segmentBytes: SEGMENT_BYTES,
    },
    journal: {
      version: JOURNAL_VERSION,
      manifest: fieldsOf(JournalManifest),
      segmentHead: fieldsOf(SegmentHead),
      indexLine: fieldsOf(IndexLine),
      textRecord: fieldsOf(TextRecord),
    },
  };
}
