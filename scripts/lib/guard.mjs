import { spawn } from 'node:child_process';

// Leads a process group on behalf of a script: node guard.mjs COMMAND ARGS... with a pipe as standard input.
// When the script is gone, however it ended, the pipe closes, and the whole group goes with it.
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

// A signal to the group reaches the program by itself; its end is this one's end.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
child.once('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.once('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));

process.stdin.resume();
process.stdin.once('close', () => {
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), 5000);
});
