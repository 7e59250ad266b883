import assert from 'node:assert/strict';
import { Skipped, type Check, type Context } from '../check';
import type { WireClient } from '../wireClient';
import { informed } from './reads';

const RUN = { type: 'run' as const };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tokensSeen = (client: WireClient): number =>
  client.events.filter(
    (e) => e.kind === 'nodeUpdated' || e.kind === 'nodeOpened' || e.kind === 'rolloutOpened',
  ).length;

async function steeringEvent(client: WireClient, commandId: string, states = ['applied', 'refused']) {
  return client.event(
    (e) =>
      e.kind === 'steering' &&
      e.fields['command'] === commandId &&
      states.includes(String(e.fields['state'])),
    `the event of ${commandId}`,
    60_000,
  );
}

/** A rollout that runs, with a node that already has some tokens. */
async function runningNode(client: WireClient): Promise<{ node: string; rollout: string; length: number }> {
  return client.until(
    () => {
      const ended = new Set(
        client.events.filter((e) => e.kind === 'nodeClosed').map((e) => e.fields['node']),
      );
      const update = client.events.findLast(
        (e) => e.kind === 'nodeUpdated' && Number(e.fields['length']) >= 4 && !ended.has(e.fields['node']),
      );
      if (update === undefined) return undefined;
      const opened = client.events.find(
        (e) => e.kind === 'nodeOpened' && e.fields['node'] === update.fields['node'],
      );
      if (opened === undefined) return undefined;
      return {
        node: String(update.fields['node']),
        rollout: String(opened.fields['rollout']),
        length: Number(update.fields['length']),
      };
    },
    'a growing node',
    90_000,
  );
}

async function resumed(context: Context, client: WireClient): Promise<void> {
  await client.steer('resume', { ...context.command(), target: RUN });
}

export const STEERING_CHECKS: readonly Check[] = [
  {
    name: 'a dry run says what would happen and changes nothing',
    needs: ['steer.pause.step-boundary'],
    async run(context) {
      const client = await informed(context, 'steer');
      const command = { ...context.command(), dryRun: true };
      const answer = await client.steer('pause', { ...command, target: RUN, mode: 'step-boundary' });
      assert.equal(answer.state, 'preview');
      assert.equal(answer.changed, false);
      assert.ok(answer.sentence.length > 0);
      await sleep(500);
      assert.ok(
        !client.events.some((e) => e.kind === 'steering' && e.fields['command'] === command.commandId),
      );
    },
  },
  {
    name: 'paused now, no token is produced; resumed, tokens flow again',
    needs: ['steer.pause.now'],
    async run(context) {
      const client = await informed(context, 'steer');
      await runningNode(client);
      const command = context.command();
      await client.steer('pause', { ...command, target: RUN, mode: 'now', reason: 'conformance' });
      const event = await steeringEvent(client, command.commandId);
      assert.equal(event.fields['state'], 'applied');
      assert.equal(event.fields['author'], 'conformance');
      assert.equal(event.fields['reason'], 'conformance');
      await sleep(700);
      const before = tokensSeen(client);
      await sleep(2000);
      assert.equal(tokensSeen(client), before, 'nothing was generated while paused');
      await resumed(context, client);
      await client.until(
        () => (tokensSeen(client) > before ? true : undefined),
        'tokens after the resume',
        60_000,
      );
    },
  },
  {
    name: 'a repeated commandId changes nothing',
    needs: ['steer.pause.step-boundary'],
    async run(context) {
      const client = await informed(context, 'steer');
      const command = { ...context.command(), target: RUN, mode: 'step-boundary' as const };
      const first = await client.steer('pause', command);
      assert.equal(first.changed, true);
      assert.equal((await client.steer('pause', command)).changed, false);
      await resumed(context, client);
    },
  },
  {
    name: 'a pause survives the disconnect of who asked for it',
    needs: ['steer.pause.now'],
    async run(context) {
      const first = await informed(context, 'steer');
      await runningNode(first);
      await first.steer('pause', { ...context.command(), target: RUN, mode: 'now' });
      first.close();
      const second = await informed(context, 'steer');
      await sleep(700);
      const before = tokensSeen(second);
      await sleep(1200);
      assert.equal(tokensSeen(second), before);
      await resumed(context, second);
    },
  },
  {
    name: 'a request for another incarnation or an unknown subject is refused with its reason',
    needs: ['steer.stop'],
    async run(context) {
      const client = await informed(context, 'steer');
      const other = { ...context.command(), incarnation: context.hello.incarnation.number + 7 };
      const wrong = await client.steer('stop', { ...other, subject: { type: 'rollout', id: 'x' } });
      assert.equal(wrong.state, 'refused');
      assert.equal(wrong.refusal, 'wrongIncarnation');
      const unknown = await client.steer('stop', {
        ...context.command(),
        subject: { type: 'rollout', id: 'no-such' },
      });
      assert.equal(unknown.state, 'refused');
      assert.equal(unknown.refusal, 'unknownSubject');
      assert.ok(unknown.sentence.length > 0);
    },
  },
  {
    name: 'what has ended cannot be stopped',
    needs: ['steer.stop'],
    async run(context) {
      const client = await informed(context, 'steer');
      const ended = await client.event((e) => e.kind === 'rolloutClosed', 'an ended rollout', 90_000);
      const answer = await client.steer('stop', {
        ...context.command(),
        subject: { type: 'rollout', id: String(ended.fields['rollout']) },
      });
      assert.equal(answer.state, 'refused');
      assert.equal(answer.refusal, 'ended');
    },
  },
  {
    name: 'stopping a running rollout ends it as stopped, by the command',
    needs: ['steer.stop', 'steer.pause.now'],
    async run(context) {
      const client = await informed(context, 'steer');
      const { rollout } = await runningNode(client);
      const command = context.command();
      const answer = await client.steer('stop', { ...command, subject: { type: 'rollout', id: rollout } });
      if (answer.state === 'refused') throw new Skipped('it ended before the request');
      const closed = await client.event(
        (e) => e.kind === 'rolloutClosed' && e.fields['rollout'] === rollout,
        'its end',
        30_000,
      );
      assert.equal(closed.fields['ending'], 'stopped');
    },
  },
  {
    name: 'probes forked at a token attach to that node there, and never enter training',
    needs: ['steer.fork'],
    async run(context) {
      const client = await informed(context, 'steer');
      const { node, length } = await runningNode(client);
      const at = Math.min(3, length);
      const answer = await client.steer('fork', { ...context.command(), node, at, n: 2, use: 'probe' });
      assert.notEqual(answer.state, 'refused', answer.sentence);
      const made = (answer.created ?? []).filter((s) => s.type === 'rollout').map((s) => s.id);
      assert.equal(made.length, 2);
      for (const rollout of made) {
        const opened = await client.event(
          (e) => e.kind === 'rolloutOpened' && e.fields['rollout'] === rollout,
          'the probe',
          30_000,
        );
        assert.equal(opened.fields['fromNode'], node);
        assert.equal(opened.fields['at'], at);
        assert.equal(opened.fields['use'], 'probe');
        const child = await client.event(
          (e) => e.kind === 'nodeOpened' && e.fields['rollout'] === rollout,
          'its node',
          30_000,
        );
        assert.equal(child.fields['parent'], node);
        assert.equal(child.fields['at'], at);
      }
      const parentOpenings = client.events.filter(
        (e) => e.kind === 'nodeOpened' && e.fields['node'] === node,
      );
      assert.equal(parentOpenings.length, 1, 'the parent was not opened anew');
    },
  },
  {
    name: 'a budget set for a prompt is what the next step plans, until it is cleared',
    needs: ['steer.allocate.prompt'],
    async run(context) {
      const client = await informed(context, 'steer');
      const opened = await client.event((e) => e.kind === 'groupOpened', 'a group', 60_000);
      const subjects = [{ type: 'prompt' as const, id: String(opened.fields['prompt']) }];
      const command = context.command();
      const wish = { ...command, subjects, rollouts: { set: 11 }, charge: 'extra' as const };
      const preview = await client.steer('allocate', {
        ...wish,
        commandId: `${command.commandId}-p`,
        dryRun: true,
      });
      assert.equal(preview.state, 'preview');
      assert.ok(preview.rollouts !== undefined, 'the preview names rollouts');
      const answer = await client.steer('allocate', wish);
      assert.notEqual(answer.state, 'refused', answer.sentence);
      const from = (await steeringEvent(client, command.commandId)).seq;
      const next = await client.event(
        (e) => e.kind === 'groupOpened' && e.seq > from && e.fields['prompt'] === subjects[0]!.id,
        'the prompt’s next group',
        240_000,
      );
      assert.equal(next.fields['planned'], 11);
      await client.steer('undo', { ...context.command(), undoes: command.commandId });
    },
  },
  {
    name: 'a skipped prompt is left out of planning',
    needs: ['steer.skip'],
    async run(context) {
      const client = await informed(context, 'steer');
      const opened = await client.event((e) => e.kind === 'groupOpened', 'a group', 60_000);
      const prompt = String(opened.fields['prompt']);
      const command = context.command();
      await client.steer('skip', { ...command, prompts: [prompt] });
      const from = (await steeringEvent(client, command.commandId)).seq;
      const step = await client.event(
        (e) => e.kind === 'stepOpened' && e.seq > from,
        'the next step',
        120_000,
      );
      await client.event(
        (e) => e.kind === 'stepPhase' && e.seq > step.seq && e.fields['phase'] === 'train',
        'its training',
        120_000,
      );
      assert.ok(
        !client.events.some(
          (e) => e.kind === 'groupOpened' && e.seq > step.seq && e.fields['prompt'] === prompt,
        ),
      );
      const undone = await client.steer('undo', { ...context.command(), undoes: command.commandId });
      assert.notEqual(undone.state, 'refused', undone.sentence);
    },
  },
  {
    name: 'step runs that many steps and pauses at the boundary',
    needs: ['steer.step', 'steer.pause.step-boundary'],
    async run(context) {
      const client = await informed(context, 'steer');
      const pause = context.command();
      await client.steer('pause', { ...pause, target: RUN, mode: 'step-boundary' });
      await client.event(
        (e) => e.kind === 'runState' && e.fields['state'] === 'paused' && e.seq > 0,
        'the pause',
        120_000,
      );
      const from = client.events.at(-1)?.seq ?? 0;
      await client.steer('step', { ...context.command(), n: 1 });
      await client.event((e) => e.kind === 'stepClosed' && e.seq > from, 'one step', 120_000);
      await client.event(
        (e) => e.kind === 'runState' && e.fields['state'] === 'paused' && e.seq > from,
        'the pause after it',
        30_000,
      );
      await sleep(500);
      assert.equal(client.events.filter((e) => e.kind === 'stepClosed' && e.seq > from).length, 1);
      await resumed(context, client);
    },
  },
  {
    name: 'a break condition is listed, pauses the run when it holds, and can be removed',
    needs: ['steer.break'],
    async run(context) {
      const client = await informed(context, 'steer');
      const command = context.command();
      const condition = { metric: 'stepSeconds' as const, op: '>' as const, value: 0 };
      const answer = await client.steer('break.add', { ...command, condition });
      assert.notEqual(answer.state, 'refused', answer.sentence);
      const added = await client.event(
        (e) => e.kind === 'breakpoint' && e.fields['state'] === 'added',
        'the condition',
        30_000,
      );
      await client.event((e) => e.kind === 'breakpoint' && e.fields['state'] === 'hit', 'the hit', 120_000);
      await client.event(
        (e) => e.kind === 'runState' && e.fields['state'] === 'paused' && e.seq > added.seq,
        'the pause',
        30_000,
      );
      await client.steer('break.remove', {
        ...context.command(),
        breakpoint: String(added.fields['breakpoint']),
      });
      await resumed(context, client);
    },
  },
];
