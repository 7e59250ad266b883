import type { ConfigFiles, ConfigSource } from '../framework';
import type { PyNode } from '../yaml/pyValue';
import { readYaml } from '../yaml/readYaml';
import type { YamlFlavour } from '../yaml/scalars';
import { isTemplate } from '../yaml/template';
import { resolveInterpolations } from './interpolate';
import type { ConfigEntry, ConfigModel, ModelProblem } from './model';
import { entriesOf } from './treeModel';

const DEEPEST_PARENT = 8;

/** How a framework's YAML joins other files: not at all, or NeMo RL's parents under `defaults:`. */
export type Parents = 'none' | 'defaults';

/** A YAML file as a config; none for a template, whose values are not there yet, and for what is no mapping. */
export async function readYamlConfig(
  source: ConfigSource,
  flavour: YamlFlavour,
  parents: Parents,
): Promise<ConfigModel[]> {
  const reading = readYaml(source.text, flavour);
  if (isTemplate(source.text, reading.literals) || reading.root.value.kind !== 'dict') return [];
  const [problem] = reading.problems;
  const own = entriesOf(reading.root, 'plain').filter(
    (entry) => !problem || entry.valuePlace.end < problem.start,
  );
  const above =
    parents === 'none'
      ? { entries: [], isWhole: !hasGroups(reading.root) }
      : await inherited(reading.root, source.path, source.files, new Set([source.path]));
  const entries = [...above.entries, ...own.filter(({ name }) => name !== 'defaults')];
  const [first] = own;
  return [
    {
      entries: flavour === 'omegaconf' ? resolveInterpolations(entries) : entries,
      isWhole: above.isWhole && !problem,
      problems: problem ? [yamlProblem(problem.message, problem.start, problem.end, source.text)] : [],
      head: first ? first.key : { start: 0, end: 0 },
      program: '',
    },
  ];
}

function yamlProblem(message: string, start: number, end: number, text: string): ModelProblem {
  const lineEnd = /[\r\n]/.exec(text.slice(start))?.index ?? text.length - start;
  const words = `This is not YAML that the framework reads: ${message}. It stops before it reads any key.`;
  const shown = Math.max(start, Math.min(end, start + lineEnd));
  return {
    code: 'yaml',
    severity: 'error',
    message: words,
    start: Math.min(start, text.length),
    end: Math.min(shown, text.length),
  };
}

/** Hydra's `defaults:` names config groups, which are not beside the file: their keys are not known. */
function hasGroups(root: PyNode): boolean {
  return valueOf(root, 'defaults') !== undefined;
}

interface Inherited {
  readonly entries: readonly ConfigEntry[];
  readonly isWhole: boolean;
}

async function inherited(
  root: PyNode,
  path: string,
  files: ConfigFiles,
  seen: ReadonlySet<string>,
): Promise<Inherited> {
  const defaults = valueOf(root, 'defaults');
  if (!defaults) return { entries: [], isWhole: true };
  const nodes = defaults.value.kind === 'list' ? defaults.value.items : [defaults];
  const entries: ConfigEntry[] = [];
  let isWhole = true;
  for (const node of nodes) {
    const name = node.value.kind === 'str' ? node.value.value : null;
    const file = name === null || seen.size > DEEPEST_PARENT ? null : await files.read(path, name);
    const parent = file && !seen.has(file.path) ? readYaml(file.text, 'omegaconf') : null;
    if (!file || parent?.problems.length !== 0) {
      isWhole = false;
      continue;
    }
    const above = await inherited(parent.root, file.path, files, new Set([...seen, file.path]));
    isWhole &&= above.isWhole;
    entries.push(...above.entries, ...entriesOf(parent.root, 'inherited'));
  }
  return { entries, isWhole };
}

function valueOf(root: PyNode, name: string): PyNode | undefined {
  if (root.value.kind !== 'dict') return undefined;
  return root.value.entries.find(({ key }) => key.value.kind === 'str' && key.value.value === name)?.value;
}
