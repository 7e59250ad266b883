import { readToml } from '../toml/readToml';
import type { ConfigModel } from './model';
import { entriesOf } from './treeModel';

/** A TOML file as a config. Where it is broken: what stands before the fault, and the fault. */
export function readTomlConfig(text: string): ConfigModel[] {
  const { root, problem } = readToml(text);
  const entries = entriesOf(root, 'plain');
  const [first] = entries;
  const at = Math.min(problem?.at ?? 0, text.length);
  const lineEnd = /[\r\n]/.exec(text.slice(at))?.index ?? text.length - at;
  const message = `This is not TOML that Python reads: ${problem?.message ?? ''}.`;
  return [
    {
      entries,
      isWhole: problem === null,
      problems: problem ? [{ code: 'toml', severity: 'error', message, start: at, end: at + lineEnd }] : [],
      head: first ? first.key : { start: 0, end: 0 },
      program: '',
    },
  ];
}
