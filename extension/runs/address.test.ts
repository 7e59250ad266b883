import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopback, parseAddress, tunnelCommand } from './address';

describe('an address', () => {
  it.each([
    ['127.0.0.1:7777', 'ws://127.0.0.1:7777', true],
    ['localhost:7777', 'ws://localhost:7777', true],
    [' ws://[::1]:7777/ ', 'ws://[::1]:7777', true],
    ['WSS://Trainer.Example:8443/run', 'wss://trainer.example:8443', false],
  ])('%s belongs to %s', (text, origin, loopback) => {
    expect(parseAddress(text)).toMatchObject({ origin, loopback });
  });

  it.each([
    ['', 'badAddress'],
    ['ws://', 'badAddress'],
    ['http://127.0.0.1:1', 'badAddress'],
    ['127.0.0.1:port', 'badAddress'],
    ['ws://trainer.example:7777', 'plainRemote'],
    ['10.0.0.5:7777', 'plainRemote'],
    ['ws://127.0.0.1.evil.example:7777', 'plainRemote'],
    ['wss://user:pass@trainer.example', 'secretInAddress'],
    ['ws://127.0.0.1:7777/?token=abc', 'secretInAddress'],
  ])('%j is refused as %s', (text, problem) => {
    expect(parseAddress(text)).toEqual({ problem });
  });

  it('never throws, and is never plain text to another machine', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
        const parsed = parseAddress(text);
        if ('problem' in parsed) return true;
        return parsed.address.startsWith('wss:') || isLoopback(parsed.host);
      }),
    );
  });
});

describe('the tunnel command', () => {
  it('names the port twice and the host', () => {
    expect(tunnelCommand('login03', '7777')).toBe('ssh -N -L 7777:127.0.0.1:7777 login03');
  });

  it.each(['-oProxyCommand=x', 'a;b', 'a b', '$(x)', ''])('is not made for %j', (host) => {
    expect(tunnelCommand(host, '1')).toBeNull();
  });
});
