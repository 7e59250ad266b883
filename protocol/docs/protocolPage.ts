import type { Column } from '../wire/columns';
import { EVENTS, type EventKind } from '../wire/events';
import {
  CAPABILITIES,
  Discovery,
  DISCOVERY_STALE_SECONDS,
  DISCOVERY_TOUCH_SECONDS,
  INITIALIZE,
  INITIALIZE_SECONDS,
  MAX_FRAME_BYTES,
  PING_SECONDS,
  SUBPROTOCOL,
} from '../wire/handshake';
import { READS } from '../wire/reads';
import { STEERING, steeringMethod, SteeringAnswer, type SteeringName } from '../wire/steering';
import { CLOSE_CODES, isFatalClose, RPC_ERRORS } from '../wire/wireError';
import { STANDARD_METRICS } from '../wire/words';
import { fieldRows, schemaText } from './schemaText';

const HEAD = '| field | type | what |\n|---|---|---|';

function columnRow(name: string, column: Column): string {
  const words = column.words === undefined ? '' : `: ${column.words.map((w) => `\`${w}\``).join(', ')}`;
  const type = column.schema === undefined ? `${column.type}${words}` : `json ${schemaText(column.schema)}`;
  const unit = column.unit === undefined ? '' : ` (${column.unit})`;
  return `| \`${name}\`${column.optional ? '?' : ''} | ${type} | ${column.doc}${unit} |`;
}

function eventSection(name: string, kind: EventKind): string {
  return [
    `### ${name}`,
    `${kind.doc} ${kind.structural ? '*Structure: never dropped.*' : '*Sample: may be coalesced.*'}`,
    HEAD,
    ...Object.entries(kind.columns).map(([column, spec]) => columnRow(column, spec)),
  ]
    .join('\n\n')
    .replaceAll('|\n\n|', '|\n|');
}

const requestSection = (title: string, doc: string, params: unknown, result: unknown): string =>
  [
    `### ${title}`,
    doc,
    `Parameters:\n\n${[HEAD, ...fieldRows(params)].join('\n')}`,
    `Answer:\n\n${[HEAD, ...fieldRows(result)].join('\n')}`,
  ].join('\n\n');

/** PROTOCOL.md, made from the schema. */
export function protocolPage(): string {
  const closes = Object.entries(CLOSE_CODES).map(
    ([name, code]) => `| ${code} | ${name} | ${isFatalClose(code) ? 'fatal' : 'may be retried'} |`,
  );
  const errors = Object.entries(RPC_ERRORS).map(([name, code]) => `| ${code} | ${name} |`);
  const sections = [
    '# The Rolloutscope wire protocol, version 1',
    '<!-- Made from protocol/wire by `npm run generate`. Do not edit. -->',
    `A training job serves this over a WebSocket; Rolloutscope attaches to it. JSON-RPC 2.0 in text frames, subprotocol \`${SUBPROTOCOL}\`, no permessage-deflate, frames of at most ${MAX_FRAME_BYTES} bytes, a ping every ${PING_SECONDS} s. Unknown events, columns, fields and capabilities are ignored; a missing capability means no.`,
    '## Opening',
    `The token stands in the \`Authorization: Bearer\` header of the upgrade, never in an address. Before the upgrade the server checks Host (its own names and port) and Origin (any Origin that is not listed is refused), then the token, in constant time: 401 when it is wrong. A server binds to loopback unless told otherwise and uses TLS for anything else. The client's first message is \`initialize\`, within ${INITIALIZE_SECONDS} s.`,
    requestSection('initialize', INITIALIZE.doc, INITIALIZE.params, INITIALIZE.result),
    '### Capabilities',
    [
      '| capability | what |',
      '|---|---|',
      ...Object.entries(CAPABILITIES).map(([name, doc]) => `| \`${name}\` | ${doc} |`),
    ].join('\n'),
    '### Discovery file',
    `\`<run>-<pid>.json\`, mode 0600, in \`$XDG_RUNTIME_DIR/rolloutscope/\`, else \`~/.rolloutscope/run/\`, and beside the journal. Touched every ${DISCOVERY_TOUCH_SECONDS} s, removed at the end. The pid counts only on the same host and boot; elsewhere a file not touched for ${DISCOVERY_STALE_SECONDS} s is left over.`,
    [HEAD, ...fieldRows(Discovery)].join('\n'),
    '## Stream',
    'Notification `events`, server to client: one batch. `ack {seq}`, client to server, gives credit: no more than `window.events` events wait for it. Over the window the job coalesces samples and says `dropped`; structure is kept.',
    [
      '| field | what |',
      '|---|---|',
      '| `from`, `to` | first and last seq that the batch speaks of, whatever was filtered or dropped; the next `from` is `to` + 1 |',
      '| `now` | milliseconds since the incarnation’s start when it was sent |',
      '| `strings?` | `{from, values}`: strings of first use; handles are dense, given per incarnation, never reused |',
      '| `events` | by kind: columns of equal length, `seq` and `t` in each |',
    ].join('\n'),
    'Column types: `int` (integer, 0 ≤ x < 2^53), `num` (finite number, or the text `NaN`, `Infinity`, `-Infinity`), `ref` (handle into the string table), `flag` (0 or 1), `text`, `json`. A cell of an optional column may be null; the whole column may be left out.',
    'Events are applied in seq order over all kinds. `t`: milliseconds since the incarnation’s start on the server’s monotonic clock.',
    'Resume: `subscribe {afterSeq, strings}` of the same incarnation goes on without loss or repeat while the job holds that seq; else the answer is the error `gone`: take `snapshot`, page by page, then subscribe after its `seq`. A new incarnation begins a new stream and a new string table; ids are unique within (run, incarnation), prompts over the run.',
    '## Positions',
    'Position 0 is the first token after the prompt. Tool, hint and edited tokens count, with train mask 0. Other node kinds count in their own unit. A child at `at` = k replaces unit k of its parent; 0 ≤ at ≤ length, also while the parent runs and after it ended.',
    '## Events',
    ...Object.entries(EVENTS).map(([name, kind]) => eventSection(name, kind)),
    '### Standard metrics',
    [
      '| name | unit | what |',
      '|---|---|---|',
      ...Object.entries(STANDARD_METRICS).map(([name, m]) => `| \`${name}\` | ${m.unit} | ${m.doc} |`),
    ].join('\n'),
    '## Reads',
    ...Object.entries(READS).map(([name, r]) => requestSection(name, r.doc, r.params, r.result)),
    '## Steering',
    'Methods are named `steer.<name>` and need the scope `steer`. Each is idempotent by `commandId`: a repeat answers `changed: false`. A request for an ended subject or another incarnation is refused with the reason, never applied to something else. What it did arrives as a `steering` event; until then it is requested.',
    ...Object.keys(STEERING).map((name) => {
      const s = STEERING[name as SteeringName];
      return `### ${steeringMethod(name as SteeringName)}\n\n${s.doc}\n\n${[HEAD, ...fieldRows(s.params)].join('\n')}`;
    }),
    '### Answer of every steering request',
    [HEAD, ...fieldRows(SteeringAnswer)].join('\n'),
    '## Codes',
    ['| close code | name | |', '|---|---|---|', ...closes].join('\n'),
    ['| error code | name |', '|---|---|', ...errors].join('\n'),
  ];
  return `${sections.join('\n\n')}\n`;
}
