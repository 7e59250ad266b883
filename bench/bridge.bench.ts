/** What publishing costs a Python training thread: bridge/bench/publish.py in the bridge's own environment. */
import { spawnSync } from 'node:child_process';

async function main(): Promise<void> {
  const { BRIDGE, BRIDGE_PYTHON, prepareBridge } = await import('../scripts/lib/bridgeVenv.mjs');
  await prepareBridge();
  const ended = spawnSync(BRIDGE_PYTHON, ['bench/publish.py'], { cwd: BRIDGE, stdio: 'inherit' });
  process.exitCode = ended.status ?? 1;
}

void main();
