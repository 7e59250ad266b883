import { statSync } from 'node:fs';
import path from 'node:path';
import { installHost } from './host/installHost.mjs';
import { readOptions } from './lib/options.mjs';
import { ROOT, VSIX } from './lib/paths.mjs';
import { Explained, progress, run, runMain } from './lib/run.mjs';

// Makes the .vsix: npm run package [-- --folder DIR --out FILE --no-build]
await runMain(async () => {
  const options = readOptions(process.argv.slice(2), { folder: 'value', out: 'value', 'no-build': 'flag' });
  const folder = path.resolve(String(options.folder ?? ROOT));
  const out = path.resolve(String(options.out ?? VSIX));

  if (options['no-build'] !== true) {
    const built = progress('building');
    const { code } = await run(process.execPath, [path.join(ROOT, 'esbuild.mjs'), '--production']);
    if (code !== 0) throw new Explained('The build failed; its messages stand above.');
    built();
  }

  const { node, vsce } = await installHost('light');
  const packed = progress(`packing ${path.relative(ROOT, out)}`);
  // No repository address is declared, so the README's relative links stay as they are instead of being refused.
  const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  const { code } = await run(node, [vsce, 'package', ...flags, '-o', out], { cwd: folder });
  if (code !== 0) throw new Explained('The packager failed; its messages stand above.');
  packed(`${(statSync(out).size / 1000).toFixed(0)} KB`);
});
