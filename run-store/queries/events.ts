import type { Queries } from '../../protocol/panels/views';
import { ENDINGS, NODE_KINDS, ORIGINS, SPAN_STATES, USES } from '../../protocol/wire/words';
import type { Incarnation } from '../incarnation';
import type { RunStore } from '../runStore';
import { CHUNK_MASK, NONE } from '../tables/chunks';
import { GROUP_CLOSED, JOB_COUNTS } from '../tables/groupTable';
import { decisionOf, findGroup, findGroupOfPrompt, findNode, findRollout } from './find';
import { rolloutsOf } from './groupFacts';
import { nodesOfRollouts } from './treeNodes';

interface Line {
  readonly t: number;
  readonly text: string;
}

/**
 * What the stream said about a subject, newest last, a line an event, as far as it is in memory. The lines are
 * written from the store, which keeps what events said and not the events.
 */
export function eventLines(store: RunStore, params: Queries['events']['params']): { lines: string[] } {
  const found = linesOf(store, params.subjectType, params.id);
  const shown = found.sort((a, b) => a.t - b.t).slice(-Math.max(0, params.limit));
  return { lines: shown.map(({ t, text }) => `${(t / 1000).toFixed(3)} s  ${text}`) };
}

function linesOf(store: RunStore, type: string, id: string): Line[] {
  if (type === 'node') {
    const found = findNode(store, id);
    return found ? nodeLines(found.incarnation, found.node) : [];
  }
  if (type === 'rollout') {
    const found = findRollout(store, id);
    return found ? rolloutWithNodes(found.incarnation, found.rollout) : [];
  }
  if (type === 'group' || type === 'prompt') {
    const found = type === 'group' ? findGroup(store, id) : findGroupOfPrompt(store, id, null);
    if (!found) return [];
    const { incarnation, group } = found;
    return [
      ...groupLines(incarnation, group),
      ...rolloutsOf(incarnation, group).flatMap((row) => rolloutLines(incarnation, row)),
    ];
  }
  const number = type === 'step' ? Number(id) : null;
  return store.incarnations.flatMap((incarnation) => [
    ...stepLines(incarnation, number),
    ...steeringLines(incarnation, number),
  ]);
}

const given = (name: string, value: string | number | null): string[] =>
  value === null || value === '' || Number.isNaN(value) ? [] : [`${name} ${value}`];
const join = (head: string, parts: readonly string[]): string => [head, ...parts].join(', ');

function nodeLines(incarnation: Incarnation, node: number): Line[] {
  const chunk = incarnation.nodes.chunk(node)!;
  const i = node & CHUNK_MASK;
  const name = incarnation.text(chunk.handle.get(i));
  const parent = chunk.parent.get(i);
  const parentChunk = parent >= 0 ? incarnation.nodes.chunk(parent) : null;
  const lines: Line[] = [];
  if (!Number.isNaN(chunk.opened[i]!)) {
    lines.push({
      t: chunk.base + chunk.opened[i]!,
      text: join(`nodeOpened ${name}`, [
        NODE_KINDS[chunk.kind[i]!] ?? 'other',
        ORIGINS[chunk.origin[i]!] ?? 'other',
        ...(parentChunk
          ? [`parent ${incarnation.text(parentChunk.handle.get(parent & CHUNK_MASK))} at ${chunk.at.get(i)}`]
          : []),
        ...(chunk.policyVersion.get(i) >= 0 ? [`policy ${chunk.policyVersion.get(i)}`] : []),
      ]),
    });
  }
  if (!Number.isNaN(chunk.closed[i]!)) {
    lines.push({
      t: chunk.base + chunk.closed[i]!,
      text: join(`nodeClosed ${name}`, [
        ENDINGS[chunk.ending[i]!] ?? 'other',
        `length ${chunk.length.get(i)}`,
        ...given('entropy', chunk.entropy?.[i] ?? null),
        ...given('logProb', chunk.logProb?.[i] ?? null),
      ]),
    });
  }
  return lines;
}

function rolloutWithNodes(incarnation: Incarnation, rollout: number): Line[] {
  return [
    ...rolloutLines(incarnation, rollout),
    ...nodesOfRollouts(incarnation, [rollout]).flatMap((node) => nodeLines(incarnation, node)),
  ];
}

function rolloutLines(incarnation: Incarnation, rollout: number): Line[] {
  const chunk = incarnation.rollouts.chunk(rollout)!;
  const i = rollout & CHUNK_MASK;
  const { dictionary } = incarnation;
  const name = incarnation.text(chunk.handle.get(i));
  const lines: Line[] = [];
  if (!Number.isNaN(chunk.opened[i]!)) {
    const decision = decisionOf(incarnation, chunk.decision?.get(i) ?? NONE);
    lines.push({
      t: chunk.base + chunk.opened[i]!,
      text: join(`rolloutOpened ${name}`, [
        ORIGINS[chunk.origin[i]!] ?? 'other',
        USES[chunk.use[i]!] ?? 'other',
        ...given('worker', dictionary.text(chunk.worker?.[i] ?? 0)),
        ...(decision ? [decision.sentence] : []),
      ]),
    });
  }
  for (const [t = 0, state = 0, version = NONE, tool = 0] of chunk.spans?.pieces(i) ?? []) {
    lines.push({
      t,
      text: join(`rolloutSpan ${name}`, [
        SPAN_STATES[state] ?? 'other',
        ...(version >= 0 ? [`policy ${version}`] : []),
        ...given('tool', dictionary.text(tool)),
      ]),
    });
  }
  if (!Number.isNaN(chunk.closed[i]!)) {
    lines.push({
      t: chunk.base + chunk.closed[i]!,
      text: join(`rolloutClosed ${name}`, [
        ENDINGS[chunk.ending[i]!] ?? 'other',
        `length ${chunk.length.get(i)}`,
        ...given('reward', chunk.reward[i]!),
        ...given('reason', dictionary.text(chunk.reason?.[i] ?? 0)),
        ...given('discarded', dictionary.text(chunk.discardReason?.[i] ?? 0)),
      ]),
    });
  }
  return lines;
}

function groupLines(incarnation: Incarnation, group: number): Line[] {
  const { groups, prompts, dictionary } = incarnation;
  const name = incarnation.text(groups.handle[group]!);
  const lines: Line[] = [
    {
      t: groups.opened[group]!,
      text: join(`groupOpened ${name}`, [
        `prompt ${prompts.ids[groups.prompt[group]!]!}`,
        `planned ${groups.planned[group]!}`,
        ...given('decision', incarnation.textOrNull(groups.decision[group]!)),
      ]),
    },
  ];
  if ((groups.flags[group]! & GROUP_CLOSED) !== 0) {
    const [launched, finished, discarded, killed, carriedOver] = groups.job.subarray(
      group * JOB_COUNTS,
      (group + 1) * JOB_COUNTS,
    );
    lines.push({
      t: groups.closed[group]!,
      text: join(`groupClosed ${name}`, [
        `launched ${launched!}`,
        `finished ${finished!}`,
        `discarded ${discarded!}`,
        `killed ${killed!}`,
        `carried over ${carriedOver!}`,
        ...given('reason', dictionary.text(groups.reason[group]!)),
      ]),
    });
  }
  return lines;
}

function stepLines(incarnation: Incarnation, number: number | null): Line[] {
  const lines: Line[] = [];
  for (const step of incarnation.steps) {
    if (number !== null && step.number !== number) continue;
    if (step.known) {
      lines.push({
        t: step.openedAt,
        text: `stepOpened ${step.number}, planned ${step.announced}, policy ${step.policyVersion}`,
      });
    }
    for (const { at, phase } of step.phases)
      lines.push({ t: at, text: `stepPhase ${step.number}, ${phase}` });
    if (step.isClosed) {
      lines.push({
        t: step.closedAt,
        text: `stepClosed ${step.number}, ${step.seconds} s, ${step.tokens} tokens`,
      });
    }
  }
  return lines;
}

function steeringLines(incarnation: Incarnation, number: number | null): Line[] {
  return [...incarnation.steering.values()]
    .filter((record) => number === null || record.step === number || record.fromStep === number)
    .map(({ t, action, state, author, sentence }) => ({
      t,
      text: join(`steering ${action}`, [state, author, sentence]),
    }));
}
