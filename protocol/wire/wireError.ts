/**
 * What can be wrong with something that came over the wire. `code` decides what a person is told and whether
 * trying again helps; `message` says what and where, without any payload text.
 */
export class WireError extends Error {
  constructor(
    readonly code: 'malformed' | 'outOfOrder' | 'unknownHandle' | 'tooLarge' | 'wrongProtocol',
    message: string,
  ) {
    super(message);
    this.name = 'WireError';
  }
}

/** WebSocket close codes. 4400–4449 are fatal (asking again gives the same answer); 4450–4499 may be retried. */
export const CLOSE_CODES = {
  malformedMessage: 4400,
  unauthorised: 4401,
  forbidden: 4403,
  wrongProtocol: 4406,
  frameTooLarge: 4413,
  tooManyClients: 4429,
  initializeTimeout: 4458,
  slowClient: 4460,
  shuttingDown: 4461,
} as const;

export const isFatalClose = (code: number): boolean => code >= 4400 && code < 4450;

/** JSON-RPC error codes: the standard ones, and ours from −32010 down. */
export const RPC_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notInitialized: -32002,
  forbidden: -32010,
  gone: -32011,
  notFound: -32012,
  wrongIncarnation: -32013,
  unsupported: -32014,
} as const;
