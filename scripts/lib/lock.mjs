import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @param {number} pid */
function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {string} file @returns {boolean} whether the process named in the file has ended (or was never written) */
function abandoned(file) {
  try {
    return !alive(Number(readFileSync(file, 'utf8')));
  } catch {
    return false;
  }
}

/**
 * Runs work while no other process of this checkout does the same; the lock of a process that has ended counts for nothing.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  for (let waits = 0; ; waits += 1) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (abandoned(file)) {
        rmSync(file, { force: true });
        continue;
      }
      if (waits === 0) console.log('… waiting for another install of this checkout to end');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
