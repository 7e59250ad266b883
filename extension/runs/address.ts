import type { ErrorKind } from '../errors';

/** An address that may be connected to. `origin` is the key of its token and of the consent to use it. */
export interface Address {
  readonly address: string;
  readonly origin: string;
  readonly host: string;
  readonly port: string;
  readonly loopback: boolean;
}

/** True for this machine itself, by name or number. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}

/**
 * Reads what a person typed: `ws://127.0.0.1:7777`, `wss://host:443/path`, or `127.0.0.1:7777` for short.
 *
 * @returns the address, or the kind of error that says why it may not be used.
 */
export function parseAddress(text: string): Address | { readonly problem: ErrorKind } {
  const trimmed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `ws://${trimmed}`;
  let url: URL;
  try {
    url = new URL(full);
  } catch {
    return { problem: 'badAddress' };
  }
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') return { problem: 'badAddress' };
  if (url.hostname === '' || trimmed === '' || url.hash !== '') return { problem: 'badAddress' };
  if (url.username !== '' || url.password !== '' || url.search !== '') return { problem: 'secretInAddress' };
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'ws:' && !loopback) return { problem: 'plainRemote' };
  return {
    address: url.href,
    origin: `${url.protocol}//${url.host}`,
    host: url.hostname,
    port: url.port || (url.protocol === 'ws:' ? '80' : '443'),
    loopback,
  };
}

/** What to type on the laptop, so that a job of another machine answers on this one. */
export function tunnelCommand(host: string, port: string): string | null {
  // The text goes to a clipboard and from there to a shell: only what can be a host name.
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(host) || !/^\d{1,5}$/.test(port)) return null;
  return `ssh -N -L ${port}:127.0.0.1:${port} ${host}`;
}
