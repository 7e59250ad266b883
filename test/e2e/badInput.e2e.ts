import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { policyViolations } from './harness/artefacts';
import { answer, choose, runCommand } from './harness/commands';
import { panelErrors, panelFrame } from './harness/panels';
import { ROLLOUTSCOPE_VSIX } from './harness/places';
import {
  PATIENCE,
  eventsSoFar,
  modal,
  notified,
  openPanel,
  statusItem,
  statusReads,
  viewRows,
  openViews,
  withRun,
} from './harness/rolloutscope';
import { ScriptedJob, startServer } from './harness/scriptedJob';
import { useWorkbench } from './harness/session';

const TOKEN = 'a-token-of-the-test';

describe('what bad input gets', () => {
  const session = useWorkbench(
    () => ({
      vsix: [ROLLOUTSCOPE_VSIX],
      settings: { 'rolloutscope.author': 'Ada Lovelace', 'workbench.colorTheme': 'Default Dark Modern' },
    }),
    { width: 1500, height: 900 },
  );
  const running: { stop: () => Promise<unknown> }[] = [];
  const keep = <T extends { stop: () => Promise<unknown> }>(one: T): T => {
    running.push(one);
    return one;
  };
  afterAll(async () => {
    for (const one of running) await one.stop();
  });
  /** The extension host answers, and no page has failed. */
  afterEach(async () => {
    const { page } = session();
    expect(await panelErrors(page)).toEqual([]);
    expect(policyViolations(page)).toEqual([]);
    await runCommand(page, 'Rolloutscope: Look for Runs Again');
    expect(await page.locator('.notifications-toasts', { hasText: 'Extension host' }).count()).toBe(0);
  });

  const attach = async (address: string, token: string | null): Promise<void> => {
    const { page } = session();
    await runCommand(page, 'Rolloutscope: Attach…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Enter an address…' }).click();
    await answer(page, address);
    if (token === null) return;
    // The box of the address must be gone, or the token would be typed into it.
    await page.locator('.quick-input-title', { hasText: 'Token for' }).waitFor();
    await answer(page, token);
  };
  const detach = async (): Promise<void> => {
    const { page } = session();
    await runCommand(page, 'Rolloutscope: Detach');
    await statusReads(page, /Attach to a run/);
  };

  it('an address that is none is not taken, and says what one looks like', async () => {
    const { page } = session();
    await attach('http://127.0.0.1:7777', null);
    const message = page.locator('.quick-input-message');
    await expect.poll(() => message.innerText()).toMatch(/Not an address\. Use ws:\/\/127\.0\.0\.1:PORT/);
    await page.locator('.quick-input-widget input.input').fill('ws://example.org:7777');
    await expect.poll(() => message.innerText()).toMatch(/only wss:\/\/, or an SSH tunnel/);
    await page.locator('.quick-input-widget input.input').fill('ws://user:secret@127.0.0.1:7777');
    await expect.poll(() => message.innerText()).toMatch(/The address alone; the token is asked for/);
    await page.keyboard.press('Escape');
  });

  it('an address where nothing answers: told, and tried again until somebody does', async () => {
    const { page } = session();
    const { port, stop } = await startServer(createServer());
    await stop();
    await attach(`ws://127.0.0.1:${port}`, TOKEN);
    expect(await notified(page, /Nothing listens/)).toMatch(/Start the job, or check host, port and tunnel/);
    await statusReads(page, /lost, (next try|trying)/);
    await detach();
  });

  it('a server that speaks plain HTTP', async () => {
    const { page } = session();
    const { port } = keep(await startServer(createServer((_request, response) => response.end('hello'))));
    await attach(`ws://127.0.0.1:${port}`, TOKEN);
    expect(await notified(page, /is not a training job/)).toMatch(/Check the port/);
    await statusReads(page, /not attached/);
    await detach();
  });

  it('a WebSocket server that speaks something else', async () => {
    const { page } = session();
    const server = createServer();
    const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] ?? false });
    sockets.on('connection', (socket) => socket.send('hello'));
    const { port } = keep(await startServer(server));
    await attach(`ws://127.0.0.1:${port}`, TOKEN);
    expect(await notified(page, /speaks another protocol/)).toMatch(/Use versions .* that belong together/);
    await statusReads(page, /not attached/);
    await detach();
  });

  it('a wrong token is asked for again, and the right one attaches', async () => {
    const { page } = session();
    const job = keep(await ScriptedJob.start({ token: TOKEN, name: 'guarded' }));
    await attach(job.address, 'not-the-token');
    await statusReads(page, /token refused/);
    // Asked for at once; put away, it is asked for by command, with the reason in the panel.
    await page.locator('.quick-input-title', { hasText: 'Token for' }).waitFor();
    await page.keyboard.press('Escape');
    const overview = await openPanel(page, 'overview');
    await expect
      .poll(() => overview.locator('.rs-banner').innerText(), PATIENCE)
      .toMatch(/The job refused the token\. Paste the one from its start-up lines\.[^]*Enter token…/);
    await runCommand(page, 'Rolloutscope: Enter Token…');
    await page.locator('.quick-input-title', { hasText: 'Token for' }).waitFor();
    await answer(page, TOKEN);
    await statusReads(page, /guarded · step 1 · live/);
    expect(job.connections).toBe(1);
    await detach();
  });

  const fault = async (
    name: string,
    misbehave: NonNullable<Parameters<typeof ScriptedJob.start>[0]['afterFirstStep']>,
    sentence: RegExp,
  ): Promise<void> => {
    const { page } = session();
    const job = keep(await ScriptedJob.start({ token: TOKEN, name, afterFirstStep: misbehave }));
    await attach(job.address, TOKEN);
    await statusReads(page, new RegExp(`${name} · (not attached|lost)`));
    const overview = await panelFrame(page, 'overview');
    await statusReads(page, /not attached/);
    await expect.poll(() => overview.locator('.rs-banner').innerText(), PATIENCE).toMatch(sentence);
    // What came before it stays on the screen.
    expect(await overview.locator('.rs-header').innerText()).toMatch(/step 1/);
    await detach();
  };

  it('a malformed frame', () =>
    fault(
      'babbler',
      (_job, socket) => socket.send('{"jsonrpc":"2.0","method":'),
      /does not allow[^]*Everything before it is kept/,
    ));

  it('an oversized frame', () =>
    fault(
      'giant',
      (_job, socket) => socket.send('x'.repeat(5 * 1024 * 1024)),
      /a frame over 4 MB[^]*Everything before it is kept/,
    ));

  it('an event out of order', () =>
    fault(
      'jumper',
      (job, socket) => job.events(socket, { from: 900, to: 900, now: 20, events: {} }),
      /Events came out of order[^]*Everything before them is kept/,
    ));

  it('a steering request that no longer applies: refused with the reason, and nothing is changed', async () => {
    const { page, workbench } = session();
    await runCommand(page, 'Rolloutscope: Start Sample Run');
    await statusReads(page, /Sample run · step [2-9]\d* · live/);
    await openViews(page);
    const tree = await openPanel(page, 'rolloutTree');
    await viewRows(page, 'Prompts').first().click();
    // A rollout that ends while a person still looks at it.
    const ended = tree.locator('[data-rollout][data-ending="finished"]').first();
    await ended.waitFor({ timeout: 60_000 });
    const rollout = (await ended.getAttribute('data-rollout')) ?? '';
    await ended.click({ position: { x: 60, y: 8 } });
    await runCommand(page, 'Rolloutscope: Stop…');
    await choose(page, `rollout ${rollout}`);
    expect(await notified(page, /Refused by the job/)).toMatch(/Nothing was changed\./);
    expect(await modal(page).count()).toBe(0);
    const steering = await withRun(workbench, async (client) =>
      (await eventsSoFar(client)).filter(({ kind }) => kind === 'steering'),
    );
    expect(steering).toEqual([]);
    expect(await statusItem(page).innerText()).toMatch(/live/);
    await runCommand(page, 'Rolloutscope: Stop Sample Run');
  });
});
