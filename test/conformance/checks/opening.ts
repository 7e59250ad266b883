import assert from 'node:assert/strict';
import { CLOSE_CODES, RPC_ERRORS } from '../../../protocol/wire/wireError';
import type { Check } from '../check';
import { RpcFailure, WireClient } from '../wireClient';

const refusedWith = (status: number) => (error: unknown) =>
  error instanceof Error && error.message === `HTTP ${status}`;

const failsWith = (code: number) => (error: unknown) => error instanceof RpcFailure && error.code === code;

export const OPENING: readonly Check[] = [
  {
    name: 'initialize answers with the run, the incarnation and the granted scope',
    async run({ hello }) {
      assert.equal(hello.protocolVersion, 1);
      assert.equal(hello.scope, 'read');
      assert.ok(hello.headSeq >= 0 && hello.now >= 0);
      assert.ok(hello.maxFrameBytes <= 4 * 1024 * 1024, 'frames are at most 4 MiB');
    },
  },
  {
    name: 'a missing or wrong token is refused before the upgrade',
    async run({ place }) {
      await assert.rejects(WireClient.connect(place.address, {}), refusedWith(401));
      await assert.rejects(WireClient.connect(place.address, { token: 'x'.repeat(32) }), refusedWith(401));
      await assert.rejects(
        WireClient.connect(`${place.address}?token=${place.read}`, {}),
        (error) => error instanceof Error && /^HTTP 40[134]$/.test(error.message),
      );
    },
  },
  {
    name: 'a foreign Origin is refused before the upgrade, also with the right token',
    async run({ place }) {
      const headers = { Origin: 'https://evil.example' };
      await assert.rejects(
        WireClient.connect(place.address, { token: place.steer, headers }),
        refusedWith(403),
      );
    },
  },
  {
    name: 'a foreign Host is refused before the upgrade (DNS rebinding)',
    async run({ place }) {
      const headers = { Host: 'evil.example:80' };
      await assert.rejects(
        WireClient.connect(place.address, { token: place.steer, headers }),
        refusedWith(403),
      );
    },
  },
  {
    name: 'another subprotocol is refused',
    async run({ place }) {
      const attempt = WireClient.connect(place.address, { token: place.read, subprotocol: 'something.v9' });
      const client = await attempt.catch(() => null);
      if (client !== null) assert.equal((await client.whenClosed()).code, CLOSE_CODES.wrongProtocol);
    },
  },
  {
    name: 'the read token does not grant steering',
    async run({ connect, place, hello, command }) {
      const client = await WireClient.connect(place.address, { token: place.read });
      const granted = await client.initialize('steer').then(
        (answer) => answer.scope,
        (error: unknown) => {
          assert.ok(failsWith(RPC_ERRORS.forbidden)(error), String(error));
          return 'refused';
        },
      );
      client.close();
      assert.notEqual(granted, 'steer');
      const reader = await connect('read');
      await reader.initialize('read');
      const params = {
        ...command(),
        incarnation: hello.incarnation.number,
        target: { type: 'run' as const },
        mode: 'now' as const,
      };
      await assert.rejects(reader.steer('pause', params), failsWith(RPC_ERRORS.forbidden));
    },
  },
  {
    name: 'requests before initialize are refused, the connection stays',
    async run({ connect }) {
      const client = await connect('read');
      await assert.rejects(client.call('config', {}), failsWith(RPC_ERRORS.notInitialized));
      await client.initialize('read');
    },
  },
  {
    name: 'a client of another protocol version gets a clear refusal',
    async run({ connect }) {
      const client = await connect('read');
      const params = { client: { name: 'x', version: '1' }, protocolVersions: [99], scope: 'read' };
      const answer = client.call('initialize', params).then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
      assert.notEqual(await answer, 'accepted');
    },
  },
  {
    name: 'unknown methods and bad parameters get their JSON-RPC error, the connection stays',
    async run({ connect }) {
      const client = await connect('read');
      await client.initialize('read');
      await assert.rejects(client.call('dance', {}), failsWith(RPC_ERRORS.methodNotFound));
      await assert.rejects(client.call('subscribe', { afterSeq: 'x' }), failsWith(RPC_ERRORS.invalidParams));
      await assert.rejects(client.call('subscribe', null), failsWith(RPC_ERRORS.invalidParams));
      assert.equal(client.closed, null);
    },
  },
];
