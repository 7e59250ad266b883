import assert from 'node:assert/strict';
import { RPC_ERRORS } from '../../../protocol/wire/wireError';
import type { Check, Context } from '../check';
import { RpcFailure, type WireClient } from '../wireClient';

/** Applies the whole snapshot to the client, page by page. */
async function takeSnapshot(client: WireClient): Promise<{ seq: number; pages: number }> {
  let cursor: string | null = null;
  let pages = 0;
  for (;;) {
    const page: Awaited<ReturnType<typeof client.read<'snapshot'>>> = await client.read(
      'snapshot',
      cursor === null ? {} : { cursor },
    );
    pages++;
    for (const batch of page.batches) client.apply(batch);
    if (page.next === null) return { seq: page.seq, pages };
    cursor = page.next;
    assert.ok(pages < 100_000, 'the snapshot ends');
  }
}

const summary = (client: WireClient, upTo: number) =>
  client.events
    .filter((event) => event.seq <= upTo && event.kind !== 'dropped')
    .map((event) => `${event.seq} ${event.kind} ${JSON.stringify(event.fields)}`);

async function whole(context: Context): Promise<{ client: WireClient; seq: number }> {
  const client = await context.connect('read');
  await client.initialize('read');
  const { seq } = await takeSnapshot(client);
  return { client, seq };
}

export const STREAM: readonly Check[] = [
  {
    name: 'the snapshot is readable from its first page and says where the stream goes on',
    async run(context) {
      const { client, seq } = await whole(context);
      assert.ok(seq >= context.hello.headSeq, 'the snapshot reaches the head of initialize');
      assert.ok(client.events.some((event) => event.kind === 'stepOpened') || seq === 0);
      await client.read('subscribe', { afterSeq: seq, strings: client.strings.size });
      await client.until(() => client.batches.find((batch) => batch.from > seq), 'a live batch', 60_000);
      assert.deepEqual(client.problems, []);
    },
  },
  {
    name: 'batches are gapless and their time never runs backwards',
    async run({ subscribed }) {
      const { client } = await subscribed('read');
      await client.until(() => (client.batches.length >= 5 ? true : undefined), 'five batches', 60_000);
      assert.deepEqual(client.problems, []);
      let last = -1;
      for (const { t } of client.events) {
        assert.ok(t >= last, `t ${t} after ${last}`);
        last = t;
      }
    },
  },
  {
    name: 'a stream resumed after its seq repeats nothing and loses nothing',
    needs: ['stream.resume'],
    async run(context) {
      const { client: first } = await context.subscribed('read');
      await first.until(() => (first.events.length >= 20 ? true : undefined), '20 events', 60_000);
      const middle = first.batches[0]!.to;
      const again = await context.connect('read');
      await again.initialize('read');
      await again.read('subscribe', { afterSeq: middle, strings: 0 });
      const until = first.batches.at(-1)!.to;
      await again.until(
        () => ((again.batches.at(-1)?.to ?? 0) >= until ? true : undefined),
        'the rest',
        60_000,
      );
      const expected = summary(first, until).filter((line) => Number(line.split(' ')[0]) > middle);
      assert.deepEqual(summary(again, until), expected);
    },
  },
  {
    name: 'two readers of the same stretch read the same',
    async run(context) {
      const [a, b] = [await whole(context), await whole(context)];
      const upTo = Math.min(a.seq, b.seq);
      assert.deepEqual(summary(a.client, upTo), summary(b.client, upTo));
    },
  },
  {
    name: 'a seq that lies in the future is refused',
    async run({ connect, hello }) {
      const client = await connect('read');
      await client.initialize('read');
      await assert.rejects(
        client.read('subscribe', { afterSeq: hello.headSeq + 1_000_000_000, strings: 0 }),
        (error) =>
          error instanceof RpcFailure &&
          [RPC_ERRORS.gone, RPC_ERRORS.invalidParams].some((c) => c === error.code),
      );
    },
  },
  {
    name: 'a filter keeps only its kinds, and the stretches stay gapless',
    async run({ connect }) {
      const client = await connect('read');
      const hello = await client.initialize('read');
      await client.read('subscribe', {
        afterSeq: hello.headSeq,
        strings: 0,
        kinds: ['nodeOpened', 'stepOpened'],
      });
      await client.until(() => (client.batches.length >= 3 ? true : undefined), 'three batches', 60_000);
      const kinds = new Set(client.events.map((event) => event.kind));
      assert.deepEqual(
        [...kinds].filter((kind) => !['nodeOpened', 'stepOpened', 'dropped'].includes(kind)),
        [],
      );
      assert.deepEqual(client.problems, []);
    },
  },
  {
    name: 'every subject is introduced before it is spoken of',
    async run(context) {
      const { client } = await whole(context);
      const known = { group: new Set(), rollout: new Set(), node: new Set() };
      for (const { kind, fields, seq } of client.events) {
        if (kind === 'groupOpened') known.group.add(fields['group']);
        if (kind === 'rolloutOpened') known.rollout.add(fields['rollout']);
        if (kind === 'nodeOpened') known.node.add(fields['node']);
        if (kind === 'rolloutOpened') assert.ok(known.group.has(fields['group']), `group of seq ${seq}`);
        if (kind === 'nodeOpened') {
          assert.ok(known.rollout.has(fields['rollout']), `rollout of seq ${seq}`);
          if (fields['parent'] !== undefined)
            assert.ok(known.node.has(fields['parent']), `parent of seq ${seq}`);
        }
      }
    },
  },
  {
    name: 'the counts of closed groups add up and equal a recount of their rollouts',
    async run(context) {
      const { client } = await whole(context);
      const count = new Map<string, Record<string, number>>();
      const groupOf = new Map<unknown, string>();
      const ended = new Map<unknown, string>();
      const bump = (group: string, field: string, by = 1) => {
        const row = count.get(group) ?? {};
        row[field] = (row[field] ?? 0) + by;
        count.set(group, row);
      };
      const outside = new Set(['replayed', 'external', 'duplicate']);
      for (const { kind, fields } of client.events) {
        const group = groupOf.get(fields['rollout']);
        if (kind === 'rolloutOpened' && fields['use'] === 'train' && !outside.has(String(fields['origin']))) {
          groupOf.set(fields['rollout'], String(fields['group']));
          bump(String(fields['group']), 'launched');
        } else if (kind === 'rolloutClosed' && group !== undefined) {
          const ending = String(fields['ending']);
          const field =
            ending === 'finished' || ending === 'truncated'
              ? 'finished'
              : ending === 'carriedOver'
                ? 'carriedOver'
                : 'killed';
          bump(group, field);
          ended.set(fields['rollout'], field);
        } else if (
          kind === 'rolloutDiscarded' &&
          group !== undefined &&
          ended.get(fields['rollout']) === 'finished'
        ) {
          bump(group, 'finished', -1);
          bump(group, 'discarded');
        } else if (kind === 'groupClosed') {
          const row = count.get(String(fields['group'])) ?? {};
          for (const field of ['launched', 'finished', 'discarded', 'killed', 'carriedOver']) {
            assert.equal(fields[field], row[field] ?? 0, `${field} of ${String(fields['group'])}`);
          }
        }
      }
    },
  },
];
