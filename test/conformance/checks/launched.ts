import assert from 'node:assert/strict';
import { CLOSE_CODES } from '../../../protocol/wire/wireError';
import { makeContext, type Check } from '../check';
import { informed } from './reads';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks that start, kill and starve a server of their own. */
export const LAUNCHED: readonly Check[] = [
  {
    name: 'the discovery file is private and goes when the server ends',
    launched: true,
    async run({ server }) {
      assert.ok(server);
      const files = server.discoveryFiles();
      assert.equal(files.length, 1);
      assert.equal(files[0]!.mode, 0o600);
      await server.end('SIGTERM');
      assert.deepEqual(server.discoveryFiles(), []);
    },
  },
  {
    name: 'killed and started again, the same run goes on as the next incarnation',
    launched: true,
    async run(context) {
      const { server, hello } = context;
      assert.ok(server);
      const client = await informed(context);
      await client.event((e) => e.kind === 'stepClosed', 'a closed step', 120_000);
      await server.end('SIGKILL');
      const place = await server.start();
      const again = await makeContext(place, server);
      try {
        assert.equal(again.context.hello.run.id, hello.run.id);
        assert.equal(again.context.hello.incarnation.number, hello.incarnation.number + 1);
        const next = await informed(again.context);
        const opened = await next.event((e) => e.kind === 'stepOpened', 'a step', 60_000);
        assert.ok(Number(opened.fields['step']) >= 1, 'it did not begin anew');
      } finally {
        again.close();
      }
    },
  },
  {
    name: 'a client that stops reading costs the run nothing and is told what it missed or is closed',
    launched: true,
    async run(context) {
      const { client: slow } = await context.subscribed('read');
      slow.acknowledge = false;
      slow.socket.pause();
      const watcher = await informed(context);
      const from = watcher.events.at(-1)?.seq ?? 0;
      await watcher.event((e) => e.kind === 'stepClosed' && e.seq > from, 'a step meanwhile', 120_000);
      slow.socket.resume();
      await sleep(1500);
      if (slow.closed === null) {
        const behind = slow.batches.at(-1)?.to ?? 0;
        const sent = slow.events.length;
        assert.ok(
          sent <= context.hello.window.events + 5000,
          `${sent} events without an ack, window ${context.hello.window.events}`,
        );
        slow.acknowledge = true;
        slow.send(JSON.stringify({ jsonrpc: '2.0', method: 'ack', params: { seq: behind } }));
        await slow.until(
          () => ((slow.batches.at(-1)?.to ?? 0) > behind || sent === 0 ? true : undefined),
          'the rest',
          60_000,
        );
      } else {
        assert.equal(slow.closed.code, CLOSE_CODES.slowClient);
      }
      assert.deepEqual(slow.problems, []);
    },
  },
  {
    name: 'a full disk stops the journal with a finding, not the run',
    launched: true,
    async run(context) {
      const { server } = context;
      assert.ok(server);
      await server.end('SIGTERM');
      // Every write beyond 64 KiB of a file fails from now on, as on a full disk.
      const place = await server.start('trap "" XFSZ; ulimit -f 128; ');
      const starved = await makeContext(place, server);
      try {
        const { client } = await starved.context.subscribed('read');
        await client.event((e) => e.kind === 'finding', 'a finding about the journal', 120_000);
        const from = client.events.at(-1)?.seq ?? 0;
        await client.until(
          () => ((client.events.at(-1)?.seq ?? 0) > from + 20 ? true : undefined),
          'the stream goes on',
          60_000,
        );
        assert.ok(server.alive, 'the run lives');
      } finally {
        starved.close();
      }
    },
  },
];
