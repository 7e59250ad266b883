import { SAMPLE_RUN, buildIfMissing } from './lib/sampleRun.mjs';
import { passThrough } from './lib/passThrough.mjs';
import { runMain } from './lib/run.mjs';

// Starts the sample run by itself: npm run sample-run -- --help
await runMain(async () => {
  await buildIfMissing();
  return passThrough(process.execPath, [SAMPLE_RUN, ...process.argv.slice(2)]);
});
