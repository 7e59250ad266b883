import type { TextRecord } from '../../protocol/journal/format';
import type { ReadParams, ReadResult } from '../../protocol/wire/reads';
import type { JobReads } from '../server/jobPort';
import { RpcError } from '../server/rpcError';
import { correctAnswer } from '../tasks/problem';
import { taskById } from '../tasks/taskSet';
import type { JobState } from './jobState';
import { binned, textRecord } from './nodeText';
import type { NodeRecord } from './records';

/** Finds the text of a node that is no longer in memory; null when the journal has none. */
export type OldTexts = (node: string) => Promise<TextRecord | null>;

/** Characters of model text looked through before a search lets the run go on. */
const SEARCH_CHUNK = 200_000;
const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 1000;

const limitOf = (limit: number | undefined): number => Math.min(limit ?? DEFAULT_LIMIT, MOST_LIMIT);

/** What clients may read of the job: from memory, and texts of older nodes from the journal. */
export function jobReads(job: JobState, oldTexts: OldTexts, config: ReadResult<'config'>): JobReads {
  const textOf = async (id: string): Promise<{ record: TextRecord; node: NodeRecord | null }> => {
    const node = job.memory.node(id);
    if (node) return { record: textRecord(node), node };
    const record = await oldTexts(id);
    if (record) return { record, node: null };
    throw new RpcError('notFound', `The run holds no text of a node ${id.slice(0, 100)}.`);
  };
  return {
    prompt: ({ prompt }) => {
      const task = taskById(prompt);
      if (!task) throw new RpcError('notFound', `The run has no prompt ${prompt.slice(0, 100)}.`);
      return { prompt, text: task.text, reference: String(correctAnswer(task.problem)), truncated: false };
    },
    groupHistory: ({ prompt, limit }) => history(job, prompt, limitOf(limit)),
    tokens: async (params) => {
      const { record, node } = await textOf(params.node);
      return window(record, node, params);
    },
    series: async ({ nodes, field, bin }) => {
      if (field !== 'entropy' && field !== 'logProb') {
        throw new RpcError('unsupported', 'This run records entropy and logProb of its tokens.');
      }
      const mean: number[][] = [];
      const greatest: number[][] = [];
      for (const id of nodes) {
        const { record } = await textOf(id);
        const values = record[field] ?? [];
        const bins = binned(values, 0, values.length, bin);
        mean.push(bins.mean);
        greatest.push(bins.greatest);
      }
      return { mean, greatest };
    },
    attachment: ({ attachment }) => {
      throw new RpcError('unsupported', `This run has no attachments, so no ${attachment.slice(0, 100)}.`);
    },
    search: (params) => search(job, params),
    decisions: ({ subject, limit }) => ({ decisions: job.decisions.about(subject, limitOf(limit)) }),
    config: () => config,
  };
}

function history(job: JobState, prompt: string, limit: number): ReadResult<'groupHistory'> {
  if (!taskById(prompt)) throw new RpcError('notFound', `The run has no prompt ${prompt.slice(0, 100)}.`);
  const open = job.memory.openGroupsOf(prompt).map((group) => ({
    step: group.step,
    group: group.id,
    planned: group.planned,
    n: 0,
    c: 0,
  }));
  const rows = [...open, ...[...job.statistics.results(prompt)].reverse()].slice(0, limit);
  return {
    steps: rows.map(({ step }) => step),
    groups: rows.map(({ group }) => group),
    planned: rows.map(({ planned }) => planned),
    n: rows.map(({ n }) => n),
    c: rows.map(({ c }) => c),
  };
}

function window(
  record: TextRecord,
  node: NodeRecord | null,
  { from, to }: ReadParams<'tokens'>,
): ReadResult<'tokens'> {
  const length = record.ids.length;
  const begin = Math.min(from, length);
  const end = Math.max(begin, Math.min(to, length));
  const start = record.offsets[begin] ?? record.text.length;
  const stop = record.offsets[end] ?? record.text.length;
  const cut = <T>(column: readonly T[]): T[] => column.slice(begin, end);
  return {
    node: record.node,
    from: begin,
    to: end,
    length,
    text: record.text.slice(start, stop),
    offsets: cut(record.offsets).map((offset) => offset - start),
    ids: cut(record.ids),
    ...(record.logProb ? { logProb: cut(record.logProb) } : {}),
    ...(record.entropy ? { entropy: cut(record.entropy) } : {}),
    ...(record.trained ? { trained: cut(record.trained) } : {}),
    ...(record.alternatives ? { alternatives: cut(record.alternatives) } : {}),
    ...(node ? { versions: node.versions.map(([at, version]) => [at, version]) } : {}),
  };
}

async function search(
  job: JobState,
  { text, scope, limit }: ReadParams<'search'>,
): Promise<ReadResult<'search'>> {
  const most = limitOf(limit);
  const nodes: string[] = [];
  const positions: number[] = [];
  let looked = 0;
  const all = [...job.memory.allNodes()].reverse();
  for (const node of all) {
    if (!inScope(node, scope)) continue;
    const record = textRecord(node);
    const found = record.text.indexOf(text);
    if (found >= 0) {
      nodes.push(node.id);
      positions.push(
        Math.max(
          0,
          record.offsets.findLastIndex((offset) => offset <= found),
        ),
      );
      if (nodes.length >= most) return { nodes, positions, complete: false };
    }
    looked += record.text.length;
    if (looked < SEARCH_CHUNK) continue;
    looked = 0;
    await job.clock.sleep(0);
  }
  const everything = job.settings.heldSteps > job.doneStep && job.incarnation === 1;
  return { nodes, positions, complete: everything };
}

function inScope(node: NodeRecord, scope: ReadParams<'search'>['scope']): boolean {
  const { group } = node.rollout;
  if (!scope) return true;
  switch (scope.type) {
    case 'run':
      return true;
    case 'step':
      return String(group.step) === scope.id;
    case 'prompt':
      return group.task.id === scope.id;
    case 'group':
      return group.id === scope.id;
    case 'rollout':
      return node.rollout.id === scope.id;
    case 'node':
      return node.id === scope.id;
    default:
      return false;
  }
}
