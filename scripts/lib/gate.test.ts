import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openGate } from './gate.mjs';
import type { Gate } from './gate.mjs';

describe('openGate', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rs-gate-'));
  const socket = path.join(folder, 'behind.sock');
  const seen: string[] = [];
  const behind = http.createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(203, { 'x-behind': 'yes' });
    request.pipe(response);
  });
  const sockets = new WebSocketServer({ server: behind });
  sockets.on('connection', (each) => each.on('message', (data, binary) => each.send(data, { binary })));
  let gate: Gate;

  beforeAll(async () => {
    await new Promise<void>((resolve) => behind.listen(socket, resolve));
    gate = await openGate(socket);
  });
  afterAll(() => {
    gate.close();
    for (const each of sockets.clients) each.terminate();
    behind.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (rest: string): string => `http://127.0.0.1:${gate.port}${rest}`;
  async function cookie(): Promise<string> {
    const answer = await fetch(gate.address({ folder: '/a b' }), { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/?folder=%2Fa+b');
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }
  const echo = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      const client = new WebSocket(`ws://127.0.0.1:${gate.port}/any`, { headers });
      client.once('open', () => client.send('hello'));
      client.once('message', (data: Buffer) => {
        resolve(data.toString());
        client.close();
      });
      client.once('error', reject);
    });

  it('passes on nothing without the secret', async () => {
    const wrong = `rolloutscope-${gate.port}=${'0'.repeat(48)}`;
    for (const headers of [{}, { cookie: wrong }, { cookie: 'other=1' }]) {
      expect((await fetch(at('/page'), { headers })).status).toBe(403);
      await expect(echo(headers)).rejects.toThrow('403');
    }
    expect((await fetch(at('/page?tkn=guess'))).status).toBe(403);
    expect(seen).toEqual([]);
  });

  it('passes requests on with the cookie that the address gave, body and all', async () => {
    const headers = { cookie: `first=1; ${await cookie()}` };
    const answer = await fetch(at('/page?x=1'), { headers, method: 'POST', body: 'a body' });
    expect([answer.status, answer.headers.get('x-behind'), await answer.text()]).toEqual([
      203,
      'yes',
      'a body',
    ]);
    expect(seen).toEqual(['/page?x=1']);
  });

  it('passes web sockets on with the cookie', async () => {
    expect(await echo({ cookie: await cookie() })).toBe('hello');
  });

  it('says 502 when nobody is behind it', async () => {
    const lonely = await openGate(path.join(folder, 'nobody.sock'));
    const entered = await fetch(lonely.address({}), { redirect: 'manual' });
    const headers = { cookie: (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    expect((await fetch(`http://127.0.0.1:${lonely.port}/`, { headers })).status).toBe(502);
    lonely.close();
  });
});
