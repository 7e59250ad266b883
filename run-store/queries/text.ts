import type { TextParams, TextPiece, TextView } from '../../protocol/panels/text';
import type { ReadResult } from '../../protocol/wire/reads';
import { NODE_KINDS, ORIGINS } from '../../protocol/wire/words';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { authorOf, decisionOf, findRollout } from './find';
import { attachmentOf, nodesOfRollouts } from './treeNodes';

/** A stretch of a rollout's path: which tokens of which node, and where its text is. */
export interface PathPiece {
  readonly node: string;
  readonly rollout: string;
  readonly origin: string;
  readonly kind: string;
  /** Positions on the path, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** Position in the node of the first token. */
  readonly at: number;
  /** Where the journal holds the node's text; null for a live stream. */
  readonly record: {
    readonly incarnation: number;
    readonly segment: number;
    readonly offset: number;
    readonly bytes: number;
  } | null;
  readonly fork: TextPiece['fork'];
  /** Policy versions as [position in the node, version]. */
  readonly versions: readonly (readonly [number, number])[];
}

export interface TextPath {
  readonly rollout: string;
  readonly prompt: string;
  readonly incarnation: number;
  /** Tokens of the whole path. */
  readonly length: number;
  /** Pieces inside the window. */
  readonly pieces: readonly PathPiece[];
}

/**
 * A rollout's path from the prompt to its end: its ancestors, cut where it leaves them, then its own nodes; the
 * part between `from` and `to`. null: the rollout is not in memory.
 */
export function textPath(store: RunStore, { rollout, from, to }: TextParams): TextPath | null {
  const found = findRollout(store, rollout);
  if (!found) return null;
  const { incarnation } = found;
  const stretches = stretchesOf(incarnation, found.rollout);
  const pieces: PathPiece[] = [];
  let position = 0;
  stretches.forEach(({ node, length }, k) => {
    const begin = Math.max(from, position);
    const end = Math.min(to, position + length);
    if (begin < end) {
      const before = stretches[k - 1]?.node ?? NONE;
      pieces.push(pieceOf(incarnation, node, before, begin, end, begin - position, begin === position));
    }
    position += length;
  });
  const chunk = incarnation.rollouts.chunk(found.rollout)!;
  const group = chunk.group.get(found.rollout & CHUNK_MASK);
  const prompt = group >= 0 ? incarnation.groups.prompt[group]! : NONE;
  return {
    rollout,
    prompt: prompt >= 0 ? incarnation.prompts.ids[prompt]! : '',
    incarnation: incarnation.start.number,
    length: position,
    pieces,
  };
}

/** Nodes of the path from the root, each with how many of its units belong to it. */
function stretchesOf(incarnation: Incarnation, rollout: number): { node: number; length: number }[] {
  const own = nodesOfRollouts(incarnation, [rollout]);
  const chunkOf = (row: number) => incarnation.nodes.chunk(row)!;
  const parents = new Set(own.map((row) => attachmentOf(incarnation, row)[0]));
  // The end of the path is the own node that no own node goes on from.
  let node = own.findLast((row) => !parents.has(row)) ?? NONE;
  let length = node === NONE ? 0 : chunkOf(node).length.get(node & CHUNK_MASK);
  if (node === NONE) {
    const owner = incarnation.rollouts.chunk(rollout)!;
    node = owner.fromNode?.get(rollout & CHUNK_MASK) ?? NONE;
    length = Math.max(0, owner.at?.get(rollout & CHUNK_MASK) ?? 0);
  }
  const path: { node: number; length: number }[] = [];
  const seen = new Set<number>();
  while (node >= 0 && !seen.has(node) && incarnation.nodes.chunk(node)) {
    seen.add(node);
    path.push({ node, length: Math.min(length, chunkOf(node).length.get(node & CHUNK_MASK)) });
    const [parent, at] = attachmentOf(incarnation, node);
    node = parent;
    length = at;
  }
  return path.reverse();
}

function pieceOf(
  incarnation: Incarnation,
  node: number,
  before: number,
  from: number,
  to: number,
  at: number,
  whole: boolean,
): PathPiece {
  const chunk = incarnation.nodes.chunk(node)!;
  const i = node & CHUNK_MASK;
  const owner = incarnation.rollouts.chunk(chunk.rollout.get(i));
  const bytes = chunk.textBytes?.get(i) ?? NONE;
  const spans = chunk.versions?.last(i);
  const versions: (readonly [number, number])[] = [];
  if (spans) for (let k = 0; k < spans.length; k += 2) versions.push([spans[k]!, spans[k + 1]!]);
  else if (chunk.policyVersion.get(i) >= 0) versions.push([0, chunk.policyVersion.get(i)]);
  return {
    node: incarnation.text(chunk.handle.get(i)),
    rollout: owner ? incarnation.text(owner.handle.get(chunk.rollout.get(i) & CHUNK_MASK)) : '?',
    origin: ORIGINS[chunk.origin[i]!] ?? 'other',
    kind: NODE_KINDS[chunk.kind[i]!] ?? 'other',
    from,
    to,
    at,
    record:
      bytes < 0
        ? null
        : {
            incarnation: incarnation.start.number,
            segment: chunk.textSegment?.[i] ?? 0,
            offset: chunk.textOffset?.[i] ?? 0,
            bytes,
          },
    fork: whole ? forkBefore(incarnation, node, before) : null,
    versions,
  };
}

/** The fork at which a piece leaves the rollout before it; null where the rollout goes on in a node of its own. */
function forkBefore(incarnation: Incarnation, node: number, before: number): TextPiece['fork'] {
  if (before === NONE) return null;
  const chunk = incarnation.nodes.chunk(node)!;
  const i = node & CHUNK_MASK;
  const parent = incarnation.nodes.chunk(before)!;
  const rollout = chunk.rollout.get(i);
  if (parent.rollout.get(before & CHUNK_MASK) === rollout) return null;
  const owner = incarnation.rollouts.chunk(rollout);
  const own = chunk.decision?.get(i) ?? NONE;
  const handle = own === NONE ? (owner?.decision?.get(rollout & CHUNK_MASK) ?? NONE) : own;
  const decision = decisionOf(incarnation, handle);
  const author = authorOf(incarnation, decision);
  const label = [decision?.sentence ?? '', author ?? decision?.method ?? ''].filter((part) => part !== '');
  return {
    decision: incarnation.textOrNull(handle),
    label: label.join(' · '),
    siblings: siblingsOf(incarnation, node, before),
  };
}

/** Other rollouts that leave the same node at the same position. */
function siblingsOf(incarnation: Incarnation, node: number, parent: number): number {
  const at = attachmentOf(incarnation, node)[1];
  const own = incarnation.nodes.chunk(node)!.rollout.get(node & CHUNK_MASK);
  const group = incarnation.rollouts.chunk(own)?.group.get(own & CHUNK_MASK) ?? NONE;
  let siblings = 0;
  for (let row = group < 0 ? NONE : incarnation.groups.firstRollout[group]!; row >= 0;) {
    const chunk = incarnation.rollouts.chunk(row);
    if (!chunk) break;
    const i = row & CHUNK_MASK;
    if (row !== own && chunk.fromNode?.get(i) === parent && chunk.at?.get(i) === at) siblings += 1;
    row = chunk.nextInGroup.get(i);
  }
  return siblings;
}

/** The answer to `tokens` for a window of a node, or the same cut out of a journal's record. */
export type NodeTokens = Pick<ReadResult<'tokens'>, 'from' | 'to' | 'text' | 'offsets' | 'ids'> &
  Partial<Pick<ReadResult<'tokens'>, 'logProb' | 'entropy' | 'trained' | 'versions' | 'alternatives'>>;

/**
 * Merges a path with the tokens of its nodes (by node id; each must begin at the piece's `at` or before). Pieces
 * without tokens are left out and named in `missing`.
 */
export function textView(
  path: TextPath,
  promptText: string,
  tokensByNode: ReadonlyMap<string, NodeTokens>,
  unreachable: string | null = null,
): TextView {
  const pieces: TextPiece[] = [];
  const lacking: string[] = [];
  for (const piece of path.pieces) {
    const tokens = tokensByNode.get(piece.node);
    const cut = tokens ? cutTokens(tokens, piece.at, piece.at + piece.to - piece.from) : null;
    if (!cut) {
      lacking.push(piece.node);
      continue;
    }
    const { node, rollout, origin, kind, from, fork, at } = piece;
    const versions = cut.versions ?? piece.versions;
    pieces.push({
      node,
      rollout,
      origin,
      kind,
      from,
      to: from + cut.offsets.length,
      at,
      ...cut,
      versions,
      fork,
    });
  }
  const { rollout, prompt, length } = path;
  const missing =
    unreachable ??
    (lacking.length === 0
      ? null
      : `The job gave no text for ${lacking.length === 1 ? `node ${lacking[0]!}` : `${lacking.length} nodes of this path`}.`);
  return { rollout, prompt, promptText, length, pieces, missing };
}

/** Cuts tokens from..to (positions in the node) out of a window; offsets count from the first one's text. */
function cutTokens(
  tokens: NodeTokens,
  from: number,
  to: number,
):
  | (Pick<TextPiece, 'text' | 'offsets' | 'logProb' | 'entropy' | 'trained' | 'alternatives'> & {
      readonly versions: TextPiece['versions'] | null;
    })
  | null {
  const first = from - tokens.from;
  const last = Math.min(to - tokens.from, tokens.offsets.length);
  if (first < 0 || last <= first) return null;
  const begin = tokens.offsets[first]!;
  const end = tokens.offsets[last] ?? tokens.text.length;
  const numbers = (values: readonly (number | string)[] | undefined): number[] | null =>
    values ? values.slice(first, last).map(Number) : null;
  return {
    text: tokens.text.slice(begin, end),
    offsets: tokens.offsets.slice(first, last).map((offset) => offset - begin),
    logProb: numbers(tokens.logProb),
    entropy: numbers(tokens.entropy),
    trained: tokens.trained?.slice(first, last) ?? null,
    alternatives: tokens.alternatives?.slice(first, last) ?? null,
    versions: tokens.versions ?? null,
  };
}
