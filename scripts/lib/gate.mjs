import { randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import { URLSearchParams } from 'node:url';

/** @param {string} given @param {string} secret */
const same = (given, secret) =>
  given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret));

/**
 * The door of a served workbench on 127.0.0.1. A workbench has a terminal: with no door every user of this machine could
 * use it as the person who started it. So it listens on a socket file that only that person can open, and this one port
 * passes on only requests that carry the secret: first in the address, from then on in a cookie.
 * @param {string} socket path of the socket file behind the door
 * @returns {Promise<{port: number, address: (query: Record<string, string>) => string, close: () => void}>}
 */
export async function openGate(socket) {
  const secret = randomBytes(24).toString('hex');
  let cookie = '';

  /** @param {http.IncomingMessage} request */
  const known = (request) =>
    (request.headers.cookie ?? '').split(/;\s*/).some((pair) => {
      const [name, value] = pair.split('=');
      return name === cookie && value !== undefined && same(value, secret);
    });

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const token = url.searchParams.get('tkn');
    if (token !== null && same(token, secret)) {
      url.searchParams.delete('tkn');
      // On to the same page without the secret, so that it stays out of the history and of what people copy.
      const headers = {
        'set-cookie': `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Lax`,
        location: `/${url.search}`,
      };
      response.writeHead(302, headers).end();
      return;
    }
    if (!known(request)) {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('Open the full address that was printed.\n');
      return;
    }
    const onward = http.request({
      socketPath: socket,
      method: request.method,
      path: request.url,
      headers: request.headers,
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });

  server.on('upgrade', (request, client, head) => {
    if (!known(request)) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onward = net.connect(socket, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(request.rawHeaders.slice(at, at + 2).join(': '));
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      client.pipe(onward).pipe(client);
    });
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  cookie = `rolloutscope-${port}`;
  return {
    port,
    address: (query) => `http://127.0.0.1:${port}/?${new URLSearchParams({ tkn: secret, ...query })}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
