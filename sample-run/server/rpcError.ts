import { RPC_ERRORS } from '../../protocol/wire/wireError';

/** An answer that says why there is no result. The message is for a person: what, and what to do. */
export class RpcError extends Error {
  readonly code: number;

  constructor(kind: keyof typeof RPC_ERRORS, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = RPC_ERRORS[kind];
  }
}
