import type { Capability, InitializeResult, Scope } from '../../protocol/wire/handshake';
import type { LaunchedServer, Place } from './target';
import { WireClient } from './wireClient';

/** What a check is given. Clients that it opens are closed for it. */
export interface Context {
  readonly place: Place;
  readonly hello: InitializeResult;
  /** Only for checks that need a server which the suite launched. */
  readonly server: LaunchedServer | null;
  readonly connect: (scope: Scope) => Promise<WireClient>;
  /** Connected, initialised and subscribed after `afterSeq` (default: the head). */
  readonly subscribed: (
    scope: Scope,
    afterSeq?: number,
  ) => Promise<{ client: WireClient; hello: InitializeResult }>;
  readonly command: () => { commandId: string; incarnation: number; author: string };
}

export interface Check {
  readonly name: string;
  /** Skipped when the server lacks one of them. */
  readonly needs?: readonly Capability[];
  /** Runs against a server of its own, launched by the suite. */
  readonly launched?: boolean;
  run(context: Context): Promise<void>;
}

export class Skipped extends Error {}

export async function makeContext(
  place: Place,
  server: LaunchedServer | null,
): Promise<{ context: Context; close: () => void }> {
  const clients: WireClient[] = [];
  let counter = 0;
  const session = `conformance-${process.pid}-${Date.now()}`;
  const connect = async (scope: Scope) => {
    const client = await WireClient.connect(place.address, { token: place[scope] });
    clients.push(client);
    return client;
  };
  const first = await connect('read');
  const hello = await first.initialize('read');
  const context: Context = {
    place,
    server,
    hello,
    connect,
    subscribed: async (scope, afterSeq) => {
      const client = await connect(scope);
      const answer = await client.initialize(scope);
      if (afterSeq === undefined) {
        // From the head, the strings so far come with the snapshot's last page or with the first batch.
        await client.read('subscribe', { afterSeq: answer.headSeq, strings: 0 });
      } else {
        await client.read('subscribe', { afterSeq, strings: 0 });
      }
      return { client, hello: answer };
    },
    command: () => ({
      commandId: `${session}-${counter++}`,
      incarnation: hello.incarnation.number,
      author: 'conformance',
    }),
  };
  return {
    context,
    close: () => {
      for (const client of clients) client.close();
    },
  };
}
