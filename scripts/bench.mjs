import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { ROOT, TOOLS } from './lib/paths.mjs';
import { passThrough } from './lib/passThrough.mjs';
import { Explained, runMain } from './lib/run.mjs';

const FOLDER = path.join(ROOT, 'bench');
const ENDING = '.bench.ts';

/** @param {string} line */
function isFigure(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

// One benchmark, its figures as JSON lines on stdout and nothing else there: npm run --silent bench -- NAME
await runMain(async () => {
  const [name, ...rest] = process.argv.slice(2);
  const file = path.join(FOLDER, `${name}${ENDING}`);
  if (name === undefined || !existsSync(file)) {
    const names = readdirSync(FOLDER).filter((each) => each.endsWith(ENDING));
    throw new Explained(
      `Which benchmark? There are: ${names.map((each) => each.slice(0, -ENDING.length)).join(', ') || 'none yet'}`,
    );
  }
  return passThrough(
    process.execPath,
    [TOOLS.tsx, file, ...rest],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
    (child) => {
      if (child.stdout === null) return;
      readline.createInterface({ input: child.stdout }).on('line', (line) => {
        (isFigure(line) ? process.stdout : process.stderr).write(`${line}\n`);
      });
    },
  );
});
