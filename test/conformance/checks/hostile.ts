import assert from 'node:assert/strict';
import { CLOSE_CODES } from '../../../protocol/wire/wireError';
import type { Check } from '../check';

export const HOSTILE: readonly Check[] = [
  {
    name: 'a frame that is not JSON closes that connection alone, with 4400',
    async run({ connect }) {
      const bystander = await connect('read');
      await bystander.initialize('read');
      const client = await connect('read');
      await client.initialize('read');
      client.send('{"jsonrpc": nonsense');
      assert.equal((await client.whenClosed()).code, CLOSE_CODES.malformedMessage);
      assert.equal(bystander.closed, null);
      await bystander.read('subscribe', { afterSeq: 0, strings: 0 }).catch(() => undefined);
      assert.equal(bystander.closed, null);
    },
  },
  {
    name: 'an oversized frame closes that connection, the server lives',
    async run({ connect }) {
      const client = await connect('read');
      await client.initialize('read');
      client.send(`{"jsonrpc":"2.0","id":1,"method":"config","params":"${'x'.repeat(5 * 1024 * 1024)}"}`);
      const { code } = await client.whenClosed();
      assert.ok(code === CLOSE_CODES.frameTooLarge || code === 1009, `closed with ${code}`);
      const next = await connect('read');
      await next.initialize('read');
    },
  },
  {
    name: 'a message that is JSON but not JSON-RPC is answered or closed, never ignored for ever',
    async run({ connect }) {
      const client = await connect('read');
      await client.initialize('read');
      client.send('[1,2,3]');
      assert.equal((await client.whenClosed()).code, CLOSE_CODES.malformedMessage);
    },
  },
  {
    name: 'deeply nested JSON does not end the server',
    async run({ connect }) {
      const client = await connect('read');
      await client.initialize('read');
      client.send(
        `{"jsonrpc":"2.0","id":9,"method":"config","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      );
      const next = await connect('read');
      await next.initialize('read');
    },
  },
  {
    name: 'an ack beyond the head or below zero does not upset the stream',
    async run({ subscribed }) {
      const { client } = await subscribed('read');
      client.send(JSON.stringify({ jsonrpc: '2.0', method: 'ack', params: { seq: 2 ** 52 } }));
      client.send(JSON.stringify({ jsonrpc: '2.0', method: 'ack', params: { seq: -5 } }));
      const next = await client.call('initialize', {}).catch((error: unknown) => String(error));
      assert.ok(next !== undefined);
    },
  },
];
