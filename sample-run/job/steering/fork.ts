import type { SteeringParams } from '../../../protocol/wire/steering';
import type { JobState } from '../jobState';
import { countGroup, isRunning, type NodeRecord } from '../records';
import { END_TOKEN, tokenise } from '../../tasks/vocabulary';
import { MAX_RESPONSE_TOKENS } from '../../training/samplePrompts';
import { withdraw } from './allocateGroup';
import { costs } from './planChange';
import { checkTemperature, counted, Refused, type Proposal } from './proposal';

type Params = SteeringParams<'fork'>;

/** Rollouts that may be live at a time. */
const MOST_LIVE = 4096;

export function proposeFork(job: JobState, params: Params): Proposal {
  const { node: id, at, n, use, baseline = false, commandId } = params;
  const node = job.memory.node(id);
  if (!node) {
    throw new Refused(
      'unknownSubject',
      `This start of the run holds no tokens of a node ${id}. It holds those of the last ${job.settings.heldSteps} steps.`,
    );
  }
  const { group } = node.rollout;
  const written = writtenTokens(params);
  checkPlace(node, at, written.length);
  checkTemperature(params.temperature);
  if (use === 'train' && group.closed) {
    throw new Refused(
      'notOpen',
      `The group of ${id} is closed (step ${group.step} has trained). Fork it as a probe instead.`,
    );
  }
  if (use === 'probe' && baseline) {
    throw new Refused(
      'outOfRange',
      'A probe never counts in a baseline. Fork with use “train”, or leave it out.',
    );
  }
  if (job.runner.running.size + n > MOST_LIVE) {
    throw new Refused('outOfRange', `More than ${MOST_LIVE} rollouts would be live. Ask for fewer.`);
  }
  const temperature = params.temperature ?? group.temperature;
  const origin = params.edit ? 'edited' : params.hint ? 'hinted' : 'forked';
  const launched = countGroup(group).launched;
  const rollouts = use === 'train' ? { before: launched, after: launched + n } : { before: 0, after: n };
  const waits = job.latches.runClosed ? ' The run is paused, so their tokens come when it goes on.' : '';
  const where =
    use === 'train'
      ? `trained on in step ${group.step}, ${baseline ? 'in' : 'outside'} the group’s baseline, charged to its budget`
      : 'probes, which never enter training';
  const made: string[] = [];
  return {
    sentence: `${counted(n, 'rollout')} from token ${at} of ${id}, ${where}.${waits}`,
    subjects: [{ type: 'node', id }],
    before: { planned: group.planned },
    after: { at, n, use, temperature, origin },
    effect: { rollouts, ...costs(job, rollouts) },
    inverse: { kind: 'fork', rollouts: made },
    apply: () => {
      const decision = recordFork(job, node, params, temperature);
      if (use === 'train') charge(job, node, n, decision);
      for (let i = 0; i < n; i++) {
        const rollout = job.runner.launch({
          group,
          use,
          origin,
          from: { node, at },
          decision,
          command: commandId,
          baseline,
          temperature,
          written,
        });
        job.memory.add(rollout);
        made.push(rollout.id);
      }
      return made.map((rollout) => ({ type: 'rollout' as const, id: rollout }));
    },
  };
}

function writtenTokens({ edit, hint }: Params): number[] {
  if (edit && hint) throw new Refused('outOfRange', 'Give an edit or a hint, not both.');
  const text = edit?.text ?? hint?.text;
  if (text === undefined) return [];
  if (text === '') throw new Refused('outOfRange', 'The text is empty. Leave it out to fork without one.');
  const answer = tokenise(text);
  if (!answer.ok) throw new Refused('outOfRange', answer.message);
  return answer.tokens;
}

function checkPlace(node: NodeRecord, at: number, written: number): void {
  const { tokens, rollout } = node;
  if (at > tokens.length) {
    throw new Refused(
      'outOfRange',
      `${node.id} has ${tokens.length} tokens ${isRunning(rollout) ? 'so far' : 'in all'}; ${at} is past its end.`,
    );
  }
  if (at > 0 && tokens.ids[at - 1] === END_TOKEN) {
    throw new Refused(
      'outOfRange',
      `Token ${at - 1} ends the rollout; nothing can follow it. Fork at ${at - 1} or before.`,
    );
  }
  if (rollout.prefix.length + at + written >= MAX_RESPONSE_TOKENS) {
    throw new Refused(
      'outOfRange',
      `A response has at most ${MAX_RESPONSE_TOKENS} tokens; after ${rollout.prefix.length + at} of the path and ${written} of the text none would be left.`,
    );
  }
}

function recordFork(job: JobState, node: NodeRecord, params: Params, temperature: number): string {
  const { at, n, use, author, commandId, edit, hint } = params;
  const { group } = node.rollout;
  const what = edit ? ' with an edited text' : hint ? ' with a hint' : '';
  return job.decisions.record(group.step, {
    kind: 'fork',
    method: 'person',
    command: commandId,
    sentence: `${author} forks ${counted(n, 'rollout')} at token ${at}${what}, as ${use}.`,
    body: {
      parameters: { use, baseline: params.baseline ?? false },
      subjects: { type: 'node', ids: [node.id] },
      inputs: { at: [at], length: [node.tokens.length], entropy: [node.tokens.entropy[at] ?? null] },
      outcome: { children: [n] },
      reasonCodes: ['person'],
      reasons: [params.reason ?? `Asked for by ${author}.`],
      position: 'person',
      children: edit || hint ? 'guided' : 'same-policy',
      samplingBefore: { temperature: node.rollout.temperature },
      samplingAfter: { temperature },
      versionBefore: node.versions[node.versions.length - 1]![1],
      versionAfter: job.policyVersion,
    },
  });
}

/** Forks that train are paid from what the group has not launched; the rest raises its plan. */
function charge(job: JobState, node: NodeRecord, n: number, decision: string): void {
  const { group } = node.rollout;
  const paid = withdraw(group, n);
  if (paid === n) return;
  group.planned += n - paid;
  job.publisher.add('groupPlanned', { group: group.id, planned: group.planned, decision });
}
