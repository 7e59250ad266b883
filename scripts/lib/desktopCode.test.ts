import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktopEnv, findDesktopCode } from './desktopCode.mjs';

describe('findDesktopCode', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rs-code-'));
  const desktop = path.join(folder, 'bin');
  const linked = path.join(folder, 'linked');
  const remote = path.join(folder, 'server/bin/remote-cli');
  beforeAll(() => {
    for (const each of [desktop, linked, remote]) mkdirSync(each, { recursive: true });
    for (const each of [desktop, remote]) {
      writeFileSync(path.join(each, 'code'), '#!/bin/sh\n');
      chmodSync(path.join(each, 'code'), 0o755);
    }
    symlinkSync(path.join(remote, 'code'), path.join(linked, 'code'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('takes the code of a desktop', () => {
    expect(findDesktopCode({ PATH: `/nowhere:${desktop}`, DISPLAY: ':0' }, 'linux')).toBe(
      path.join(desktop, 'code'),
    );
    expect(findDesktopCode({ PATH: desktop }, 'darwin')).toBe(path.join(desktop, 'code'));
  });

  it('takes none where no window can be shown', () => {
    expect(findDesktopCode({ PATH: desktop }, 'linux')).toBeUndefined();
  });

  it("leaves the person's own remote VS Code alone", () => {
    expect(findDesktopCode({ PATH: `${remote}:${linked}`, DISPLAY: ':0' }, 'linux')).toBeUndefined();
    expect(
      findDesktopCode({ PATH: desktop, DISPLAY: ':0', VSCODE_IPC_HOOK_CLI: '/x.sock' }, 'linux'),
    ).toBeUndefined();
    expect(findDesktopCode({ PATH: `${linked}:${desktop}`, DISPLAY: ':0' }, 'linux')).toBe(
      path.join(desktop, 'code'),
    );
  });
});

describe('desktopEnv', () => {
  it("names the display's and the bus's sockets in full before it replaces their folder", () => {
    const env = desktopEnv(
      { XDG_RUNTIME_DIR: '/run/user/7', WAYLAND_DISPLAY: 'wayland-0', VSCODE_PID: '1', HOME: '/h' },
      '/tmp/r',
    );
    expect(env).toEqual({
      XDG_RUNTIME_DIR: '/tmp/r',
      WAYLAND_DISPLAY: '/run/user/7/wayland-0',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/7/bus',
      HOME: '/h',
    });
  });

  it('keeps what is already complete', () => {
    const given = {
      XDG_RUNTIME_DIR: '/run/user/7',
      WAYLAND_DISPLAY: '/w/0',
      DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=x',
    };
    expect(desktopEnv(given, '/tmp/r')).toEqual({ ...given, XDG_RUNTIME_DIR: '/tmp/r' });
    expect(desktopEnv({}, '/tmp/r')).toEqual({ XDG_RUNTIME_DIR: '/tmp/r' });
  });
});
