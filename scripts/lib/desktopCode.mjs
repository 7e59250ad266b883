import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

/**
 * The person's desktop VS Code, if its windows can be opened from here with folders of their own. The `code` of a remote or
 * WSL terminal is another program: it ignores the folders and would change the person's own VS Code, so it does not count.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {string | undefined} path of the program
 */
export function findDesktopCode(env, platform) {
  const terminalOfServer = env.VSCODE_IPC_HOOK_CLI !== undefined;
  const noDisplay = platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  if (terminalOfServer || noDisplay || platform === 'win32') return undefined;
  return (env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'code'))
    .find(
      (file) => existsSync(file) && !file.startsWith('/mnt/') && !realpathSync(file).includes('/remote-cli/'),
    );
}

/**
 * The variables of a VS Code that looks for runs in a folder of its own. Display and session bus have their sockets in the
 * person's XDG_RUNTIME_DIR, so those are named in full before it is replaced.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} runtimeDir
 */
export function desktopEnv(env, runtimeDir) {
  const own = env.XDG_RUNTIME_DIR;
  const changed = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$)/.test(name)),
  );
  if (own !== undefined) {
    if (env.WAYLAND_DISPLAY) changed.WAYLAND_DISPLAY = path.resolve(own, env.WAYLAND_DISPLAY);
    changed.DBUS_SESSION_BUS_ADDRESS ??= `unix:path=${path.join(own, 'bus')}`;
  }
  return { ...changed, XDG_RUNTIME_DIR: runtimeDir };
}

/**
 * @param {object} options
 * @param {string} options.code
 * @param {string} options.root folder of this VS Code's own user data and extensions
 * @param {string} options.folder opened folder
 * @param {string} options.vsix
 * @param {NodeJS.ProcessEnv} options.env
 * @returns {Promise<{args: string[], stop: () => void} | string>} how to open and end it, or why it refuses the extension
 */
export async function prepareDesktopCode({ code, root, folder, vsix, env }) {
  const userData = path.join(root, 'user-data');
  const places = ['--user-data-dir', userData, '--extensions-dir', path.join(root, 'extensions')];
  if (process.getuid?.() === 0) places.push('--no-sandbox');
  const install = await run(code, [...places, '--install-extension', vsix, '--force'], { env, show: false });
  if (install.code !== 0) return install.output.trim();
  return {
    args: [...places, '--new-window', '--wait', '--disable-workspace-trust', folder],
    stop() {
      // Its windows are not children of the command line program; this lock file names the process that owns them.
      try {
        process.kill(Number(readFileSync(path.join(userData, 'code.lock'), 'utf8')), 'SIGTERM');
      } catch {
        // It has ended.
      }
    },
  };
}
