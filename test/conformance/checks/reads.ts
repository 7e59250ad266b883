import assert from 'node:assert/strict';
import { RPC_ERRORS } from '../../../protocol/wire/wireError';
import { Skipped, type Check, type Context } from '../check';
import { RpcFailure, type WireClient } from '../wireClient';

/** A client that has read the run so far, for checks that need ids. */
export async function informed(context: Context, scope: 'read' | 'steer' = 'read'): Promise<WireClient> {
  const client = await context.connect(scope);
  await client.initialize(scope);
  let cursor: string | undefined;
  for (;;) {
    const page: Awaited<ReturnType<typeof client.read<'snapshot'>>> = await client.read(
      'snapshot',
      cursor === undefined ? {} : { cursor },
    );
    for (const batch of page.batches) client.apply(batch);
    if (page.next === null) {
      await client.read('subscribe', { afterSeq: page.seq, strings: client.strings.size });
      return client;
    }
    cursor = page.next;
  }
}

const idOf = (client: WireClient, kind: string, field: string): string => {
  const event = client.events.find((candidate) => candidate.kind === kind);
  assert.ok(event, `the run has a ${kind} event`);
  return String(event.fields[field]);
};

export const READ_CHECKS: readonly Check[] = [
  {
    name: 'tokens of a closed node: text, offsets and columns fit together',
    needs: ['read.tokens'],
    async run(context) {
      const client = await informed(context);
      const closed = await client.event(
        (e) => e.kind === 'nodeClosed' && Number(e.fields['length']) >= 4,
        'a closed node',
        90_000,
      );
      const node = String(closed.fields['node']);
      const length = Number(closed.fields['length']);
      const all = await client.read('tokens', { node, from: 0, to: length });
      assert.equal(all.length, length);
      assert.equal(all.ids.length, length);
      assert.equal(all.offsets.length, length);
      for (const column of [all.logProb, all.entropy, all.trained, all.alternatives]) {
        if (column !== undefined) assert.equal(column.length, length);
      }
      let last = 0;
      for (const offset of all.offsets) {
        assert.ok(offset >= last && offset <= all.text.length, 'offsets rise within the text');
        last = offset;
      }
      const part = await client.read('tokens', { node, from: 1, to: 3 });
      assert.deepEqual(part.ids, all.ids.slice(1, 3));
      assert.equal(part.text, all.text.slice(all.offsets[1], all.offsets[3]));
      for (const value of all.entropy ?? []) assert.ok(Number(value) >= 0, 'entropy is not negative');
      for (const value of all.logProb ?? []) assert.ok(Number(value) <= 0, 'log-probability is not positive');
    },
  },
  {
    name: 'the mean entropy that an event states is the mean over the tokens',
    needs: ['read.tokens'],
    async run(context) {
      const client = await informed(context);
      const closed = await client.event(
        (e) =>
          e.kind === 'nodeClosed' &&
          typeof e.fields['entropy'] === 'number' &&
          Number(e.fields['length']) > 4,
        'a closed node with its entropy',
        90_000,
      );
      const node = String(closed.fields['node']);
      const { entropy, trained } = await client.read('tokens', {
        node,
        from: 0,
        to: Number(closed.fields['length']),
      });
      if (entropy === undefined) throw new Skipped('no entropy per token');
      const sampled = entropy.map(Number).filter((_, i) => trained === undefined || trained[i] === 1);
      if (sampled.length !== entropy.length) throw new Skipped('the node holds tokens that were not sampled');
      const mean = sampled.reduce((a, b) => a + b, 0) / sampled.length;
      assert.ok(
        Math.abs(mean - Number(closed.fields['entropy'])) < 1e-3,
        `${mean} and ${String(closed.fields['entropy'])}`,
      );
    },
  },
  {
    name: 'the text of a prompt',
    needs: ['read.prompt'],
    async run(context) {
      const client = await informed(context);
      const prompt = idOf(client, 'groupOpened', 'prompt');
      assert.ok((await client.read('prompt', { prompt })).text.length > 0);
      const history = await client.read('groupHistory', { prompt });
      assert.ok(history.groups.length >= 1);
    },
  },
  {
    name: 'unknown ids get notFound, not a crash and not something else',
    async run({ connect }) {
      const client = await connect('read');
      await client.initialize('read');
      const notFound = (error: unknown) =>
        error instanceof RpcFailure &&
        [RPC_ERRORS.notFound, RPC_ERRORS.unsupported].some((c) => c === error.code);
      await assert.rejects(client.read('tokens', { node: 'no-such-node', from: 0, to: 9 }), notFound);
      await assert.rejects(client.read('prompt', { prompt: '__proto__' }), notFound);
      await assert.rejects(client.read('attachment', { attachment: '../../etc/passwd' }), notFound);
    },
  },
  {
    name: 'steps of the journal can be read again and hold the same events',
    needs: ['read.steps'],
    async run(context) {
      const client = await informed(context);
      const opened = client.events.find((e) => e.kind === 'stepOpened');
      if (opened === undefined) throw new Skipped('no step yet');
      const step = Number(opened.fields['step']);
      const page = await client.read('readSteps', {
        incarnation: context.hello.incarnation.number,
        from: step,
        to: step,
      });
      const seqs = page.batches.flatMap((batch) =>
        Object.values(batch.events).flatMap((columns) => columns['seq'] ?? []),
      );
      assert.ok(seqs.includes(opened.seq), 'the step’s opening is in it');
      if (page.start) assert.deepEqual(page.start.incarnation, context.hello.incarnation);
    },
  },
  {
    name: 'decisions carry a sentence and columns that fit their subjects',
    async run(context) {
      const client = await informed(context);
      const decision = await client.event((e) => e.kind === 'decision', 'a decision', 60_000);
      const body = decision.fields['body'] as {
        subjects: { ids: string[] };
        inputs?: Record<string, unknown[]>;
        outcome?: Record<string, unknown[]>;
      };
      assert.ok(String(decision.fields['sentence']).length > 10);
      for (const columns of [body.inputs ?? {}, body.outcome ?? {}]) {
        for (const [name, cells] of Object.entries(columns)) {
          assert.equal(cells.length, body.subjects.ids.length, `cells of ${name}`);
        }
      }
    },
  },
];
