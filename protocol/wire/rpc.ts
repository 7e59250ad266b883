import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { WireError } from './wireError';

/** JSON-RPC 2.0 envelopes. Server → client notifications: `events` (a batch). Client → server: `ack` {seq}. */
const RpcId = Type.Union([Type.Number(), Type.String({ maxLength: 64 })]);
export const RpcMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Optional(Type.Union([RpcId, Type.Null()])),
  method: Type.Optional(Type.String({ maxLength: 64 })),
  params: Type.Optional(Type.Unknown()),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  ),
});
export type RpcMessage = Static<typeof RpcMessage>;
export const AckParams = Type.Object({ seq: Type.Integer({ minimum: 0 }) });

/** @throws WireError `malformed` when the text is not one JSON-RPC message. */
export function parseRpc(text: string): RpcMessage {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new WireError('malformed', 'frame: not JSON');
  }
  return check(RpcMessage, raw, 'frame');
}

/** @throws WireError `malformed` with the first place that differs from the schema. */
export function check<S extends TSchema>(schema: S, raw: unknown, what: string): Static<S> {
  if (Value.Check(schema, raw)) return raw;
  const first = Value.Errors(schema, raw).First();
  throw new WireError('malformed', `${what}${first?.path ?? ''}: ${first?.message ?? 'not as declared'}`);
}
