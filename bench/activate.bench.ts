/** Time inside `activate()` in a real extension host, started anew each time, and the size of the .vsix. */
import { statSync } from 'node:fs';
import { packOurs, startRealHost } from './realHost/realHost';

const STARTS = 5;
const print = (name: string, value: number, unit: string, n: number): void => {
  console.log(JSON.stringify({ bench: 'activate', name, value: Number(value.toPrecision(4)), unit, n }));
};

async function main(): Promise<void> {
  const ours = packOurs();
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const host = await startRealHost(ours);
    try {
      times.push(Number((await host.answer('activated.json'))['activateMs']));
    } finally {
      await host.stop();
    }
  }
  times.sort((a, b) => a - b);
  print('activate_ms', times[STARTS >> 1]!, 'ms', STARTS);
  print('activate_ms_max', times.at(-1)!, 'ms', STARTS);
  print('vsix_kb', statSync(ours).size / 1000, 'kB', 1);
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
