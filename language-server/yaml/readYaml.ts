import { parseAllDocuments } from 'yaml';
import type { Document, ErrorCode } from 'yaml';
import { asNode, Constructor } from './construct';
import type { DuplicateKey, YamlProblem } from './construct';
import { flattenFlow } from './flattenFlow';
import { lexicalProblems, withPlainBreaks } from './lexicalProblems';
import type { PyNode } from './pyValue';
import type { YamlFlavour } from './scalars';

/** A text as `yaml.safe_load` reads it: what could be read, and what Python would refuse. */
export interface YamlReading {
  /** Null where the text holds no document; partial where there are problems. */
  readonly root: PyNode;
  /** In the order of the text. Python stops at the first. */
  readonly problems: readonly YamlProblem[];
  readonly duplicates: readonly DuplicateKey[];
  /** Stretches of quoted and block text, by offset: what stands in them is data, not syntax. */
  readonly literals: readonly { readonly start: number; readonly end: number }[];
}

const EMPTY: PyNode = { value: { kind: 'null' }, start: 0, end: 0 };
const FLATTEN_TRIES = 3;

const PARSER_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_INDENT',
  'UNEXPECTED_TOKEN',
  'BAD_COLLECTION_TYPE',
  'BAD_DIRECTIVE',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
]);

/**
 * Reads YAML 1.1 as PyYAML's safe loader does, or OmegaConf's. Never throws; a text beyond the reader's powers
 * (nesting that exhausts the stack) gives one problem and an empty root.
 */
export function readYaml(text: string, flavour: YamlFlavour = 'pyyaml'): YamlReading {
  const unreadable = lexicalProblems(text);
  if (unreadable.some((problem) => problem.phase === 'reader')) {
    return { root: EMPTY, problems: unreadable, duplicates: [], literals: [] };
  }
  try {
    return readDocuments(withPlainBreaks(text), unreadable, FLATTEN_TRIES, flavour);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const problem: YamlProblem = { phase: 'parser', message: 'nested too deep to be read', start: 0, end: 0 };
    return { root: EMPTY, problems: [...unreadable, problem], duplicates: [], literals: [] };
  }
}

function readDocuments(
  text: string,
  unreadable: readonly YamlProblem[],
  tries: number,
  flavour: YamlFlavour,
): YamlReading {
  const documents: readonly Document[] = [
    ...parseAllDocuments(text, {
      version: '1.1',
      schema: 'failsafe',
      uniqueKeys: false,
      strict: true,
      stringKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    }),
  ];
  const constructor = new Constructor(flavour);
  const built = constructor.build(asNode(documents[0]?.contents), 0);
  const root = flavour === 'omegaconf' ? configRoot(constructor, built) : built;
  if (tries > 0 && documents[0]?.errors.some((error) => error.code === 'BAD_INDENT')) {
    const flat = flattenFlow(text, constructor.flowStarts);
    if (flat !== text) return readDocuments(flat, unreadable, tries - 1, flavour);
  }
  const problems = [...syntaxProblems(documents), ...constructor.problems, ...unreadable];
  problems.sort((a, b) => a.start - b.start);
  return { root, problems, duplicates: constructor.duplicates, literals: constructor.literals };
}

/** OmegaConf makes an empty config of nothing, a key without a value of a lone text, and refuses other scalars. */
function configRoot(constructor: Constructor, root: PyNode): PyNode {
  const { value, start, end } = root;
  if (value.kind === 'dict' || value.kind === 'list') return root;
  const nothing: PyNode = { value: { kind: 'null' }, start: end, end };
  if (value.kind === 'null') return { value: { kind: 'dict', entries: [] }, start, end };
  if (value.kind === 'str')
    return { value: { kind: 'dict', entries: [{ key: root, value: nothing }] }, start, end };
  const message = 'a config is a mapping or a list';
  constructor.problems.push({ phase: 'constructor', message, start, end });
  return root;
}

function syntaxProblems(documents: readonly Document[]): YamlProblem[] {
  const problems: YamlProblem[] = (documents[0]?.errors ?? []).map((error) => ({
    phase: PARSER_ERRORS.has(error.code) ? 'parser' : 'scanner',
    message: error.message,
    start: error.pos[0],
    end: error.pos[1],
  }));
  const second = documents[1];
  if (second) {
    const start = second.range?.[0] ?? 0;
    const message = 'a config file holds one document; everything from here on is a second one';
    problems.push({ phase: 'composer', message, start, end: start });
  }
  return problems;
}
