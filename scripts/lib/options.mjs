import { Explained } from './run.mjs';

/**
 * Reads `--name value`, `--name=value` and `--flag` of a script.
 * @param {string[]} args
 * @param {Record<string, 'value' | 'flag'>} known
 * @returns {Record<string, string | boolean | undefined>} a flag is true or absent
 * @throws {Explained} on an unknown option or a missing value
 */
export function readOptions(args, known) {
  /** @type {Record<string, string | boolean | undefined>} */
  const options = {};
  for (let at = 0; at < args.length; at += 1) {
    const [name, ...rest] = args[at].replace(/^--/, '').split('=');
    const kind = args[at].startsWith('--') && Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) {
      const names = Object.keys(known).map((each) => `--${each}${known[each] === 'value' ? ' VALUE' : ''}`);
      throw new Explained(`Unknown argument ${args[at]}. Known: ${names.join(', ')}`);
    }
    if (kind === 'flag') {
      options[name] = true;
      continue;
    }
    const value = rest.length > 0 ? rest.join('=') : args[(at += 1)];
    if (value === undefined) throw new Explained(`--${name} needs a value.`);
    options[name] = value;
  }
  return options;
}
