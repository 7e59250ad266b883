import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { SUBPROTOCOL, type Scope } from '../../protocol/wire/handshake';
import { scopeOf, type TokenPair } from './tokens';

export interface GateOptions {
  readonly tokens: TokenPair;
  /** Names under which the server may be spoken to, besides loopback names and addresses. */
  readonly hosts: readonly string[];
  /** Origins that may connect; a browser sends one, other clients do not. */
  readonly origins: readonly string[];
  /** Bound to more than loopback: then it may be addressed by any of its numbers. */
  readonly open: boolean;
}

export type GateVerdict =
  | { readonly ok: true; readonly scope: Scope; readonly subprotocol: boolean }
  | { readonly ok: false; readonly status: 401 | 403 | 426; readonly message: string };

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostName = (header: string): string => header.replace(/:\d+$/, '').toLowerCase();

function hostAllowed(header: string | undefined, { hosts, open }: GateOptions): boolean {
  if (header === undefined) return false;
  const name = hostName(header);
  if (LOOPBACK.has(name) || hosts.some((host) => host.toLowerCase() === name)) return true;
  // A page that was rebound to this address speaks to a name, never to a number.
  return open && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** Decides on a connection before it becomes a WebSocket. */
export function checkUpgrade(headers: IncomingHttpHeaders, options: GateOptions): GateVerdict {
  if (!hostAllowed(headers.host, options)) {
    return {
      ok: false,
      status: 403,
      message:
        'This host name is not one of the server’s. Connect by 127.0.0.1, or start it with --allow-host.',
    };
  }
  if (headers.origin !== undefined && !options.origins.includes(headers.origin)) {
    return {
      ok: false,
      status: 403,
      message: 'Web pages may not connect. A page of your own can be let in with --allow-origin.',
    };
  }
  const scope = scopeOf(headers.authorization, options.tokens);
  if (scope === null) {
    return {
      ok: false,
      status: 401,
      message: 'The token is missing or wrong. It goes into the Authorization header: Bearer TOKEN.',
    };
  }
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((word) => word.trim());
  if (offered.includes(SUBPROTOCOL)) return { ok: true, scope, subprotocol: true };
  if (offered.every((word) => word === '')) return { ok: true, scope, subprotocol: false };
  return { ok: false, status: 426, message: `This server speaks ${SUBPROTOCOL}.` };
}
