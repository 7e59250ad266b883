import { WebSocket, type RawData } from 'ws';
import { MAX_FRAME_BYTES, PING_SECONDS, SUBPROTOCOL } from '../../protocol/wire/handshake';
import { messageOf } from '../lifecycle';
import { problemOfClose, problemOfStatus, problemOfSystem, type ProblemKind } from './problems';
import type { Connect, TransportEnd } from './transport';

const HANDSHAKE_MS = 10_000;
/** The server pings every 30 s: nothing for twice as long means that it is gone, whatever the system says. */
const SILENCE_MS = 2 * PING_SECONDS * 1000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

function problemOfError(error: unknown): ProblemKind {
  const known = problemOfSystem(codeOf(error));
  if (known !== null) return known;
  const text = messageOf(error);
  // The library has no codes for these three.
  if (/subprotocol/i.test(text)) return 'wrongProtocol';
  if (/handshake has timed out/i.test(text)) return 'timeout';
  return /invalid url|protocol must be/i.test(text) ? 'notRolloutscope' : 'unreachable';
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}

/** Connects a WebSocket. No compression: it costs more than it saves here, and its buffers fragment memory. */
export const connectWebSocket: Connect = (target, listener) => {
  let ended = false;
  let silence: NodeJS.Timeout | undefined;
  let socket: WebSocket | null = null;

  const finish = (end: TransportEnd | null) => {
    if (ended) return;
    ended = true;
    clearTimeout(silence);
    if (socket) {
      // An error after the end has no one to tell.
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.terminate();
    }
    if (end) listener.onEnd(end);
  };
  const fail = (problem: ProblemKind, detail: string, code: number | null = null) => {
    finish({ problem, code, detail });
  };
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      fail('silent', `nothing was heard for ${SILENCE_MS / 1000} s`);
    }, SILENCE_MS);
  };

  try {
    socket = new WebSocket(target.address, SUBPROTOCOL, {
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
      headers: target.token === null ? {} : { Authorization: `Bearer ${target.token}` },
    });
  } catch (error) {
    setImmediate(() => {
      fail('notRolloutscope', messageOf(error));
    });
    return { send: () => undefined, dispose: () => finish(null) };
  }
  const open = socket;
  open.on('open', () => {
    heard();
    listener.onOpen();
  });
  open.on('ping', heard);
  open.on('message', (data, binary) => {
    heard();
    if (binary) fail('malformed', 'a binary frame');
    else listener.onText(textOf(data));
  });
  open.on('unexpected-response', (_request, response) => {
    const status = response.statusCode ?? 0;
    response.resume();
    fail(problemOfStatus(status), `HTTP ${status}`);
  });
  open.on('error', (error) => fail(problemOfError(error), messageOf(error)));
  open.on('close', (code) => fail(problemOfClose(code), `close code ${code}`, code));

  return {
    send: (text) => {
      if (!ended && open.readyState === WebSocket.OPEN) open.send(text);
    },
    dispose: () => finish(null),
  };
};
