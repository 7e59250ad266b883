import { Type } from '@sinclair/typebox';
import { flag, int, json, maybe, num, ref, text, type Column } from './columns';
import {
  Before,
  BreakCondition,
  Decision,
  EvalProblems,
  FindingBody,
  RewardParts,
  RowIds,
  Sampling,
  Series,
  Subject,
  VersionSpans,
} from './values';
import {
  DECISION_KINDS,
  ENDINGS,
  NODE_KINDS,
  ORIGINS,
  PAUSE_MODES,
  PHASES,
  RUN_STATES,
  SPAN_STATES,
  STEERING_ACTIONS,
  STEERING_STATES,
  USES,
} from './words';

/**
 * The events of the stream: the one source of the wire's shape. From this table come the TypeScript types,
 * the validation, the JSON schema and PROTOCOL.md. Each kind also has the columns `seq` (int, without gaps in
 * an incarnation) and `t` (num, milliseconds since the incarnation's start).
 *
 * `structural` events are never dropped; the others are samples and may be coalesced over the window.
 */
export interface EventKind {
  readonly doc: string;
  readonly structural: boolean;
  readonly columns: Readonly<Record<string, Column>>;
}

export const EVENTS = {
  runState: {
    doc: 'The job’s own state changed. Paused states name who and how.',
    structural: true,
    columns: {
      state: ref('State of the run.', RUN_STATES),
      mode: maybe.ref('How it was paused.', PAUSE_MODES),
      by: maybe.ref('Author of the pause or the end.'),
      reason: maybe.text('Why, in one sentence.'),
      heldPrompts: maybe.int('Prompts with a closed latch of their own.', 'prompts'),
    },
  },
  stepOpened: {
    doc: 'A generation round and the updates made from it begin.',
    structural: true,
    columns: {
      step: int('Number of the step.'),
      policyVersion: int('Weights that the sampler holds.'),
      planned: int('Rollouts planned, over-provisioning included.', 'rollouts'),
      pass: maybe.int('Pass over the data set (epoch in the field’s sense).'),
    },
  },
  stepPhase: {
    doc: 'The step entered a phase.',
    structural: true,
    columns: { step: int('Number of the step.'), phase: ref('Phase.', PHASES) },
  },
  stepClosed: {
    doc: 'The step’s updates are done.',
    structural: true,
    columns: {
      step: int('Number of the step.'),
      policyVersion: int('Weights after the step.'),
      seconds: num('Wall-clock time.', 's'),
      tokens: int('Tokens sampled.', 'tokens'),
      updates: maybe.int('Optimizer steps made.'),
    },
  },
  promptDeclared: {
    doc: 'What is known of a prompt. Sent before its first group; again when something changes.',
    structural: true,
    columns: {
      prompt: ref('Prompt, stable over the run.'),
      difficulty: maybe.ref('Difficulty bucket as the job names it.'),
      domain: maybe.ref('Domain.'),
      split: maybe.ref('Part of the data.', ['train', 'heldOut']),
      length: maybe.int('Length of the prompt.', 'tokens'),
      excerpt: maybe.text('Its beginning, at most 200 characters.'),
    },
  },
  promptStatistics: {
    doc: 'Recorded results of a prompt from before the stream (an earlier run, a pilot), per policy version.',
    structural: true,
    columns: {
      prompt: ref('Prompt.'),
      step: int('Step the results belong to.'),
      policyVersion: int('Policy version.'),
      n: int('Rollouts.', 'rollouts'),
      c: int('Successes.', 'rollouts'),
      sumReward: num('Σ r.'),
      sumReward2: num('Σ r².'),
    },
  },
  groupOpened: {
    doc: 'The rollouts of one prompt in one step that share a baseline.',
    structural: true,
    columns: {
      group: ref('Group.'),
      prompt: ref('Its prompt.'),
      step: int('Step that planned it.'),
      planned: int('Rollouts planned.', 'rollouts'),
      decision: maybe.ref('Decision that planned it.'),
      matched: maybe.ref('Group it is matched with (base and skill groups, a peer model’s group).'),
      arm: maybe.ref('Its role among matched groups, or the context it was given.'),
    },
  },
  groupPlanned: {
    doc: 'The plan of an open group changed.',
    structural: true,
    columns: {
      group: ref('Group.'),
      planned: int('Rollouts planned now.', 'rollouts'),
      decision: maybe.ref('Decision that changed it.'),
    },
  },
  groupClosed: {
    doc: 'No rollout of the group will be launched any more. Counts as the job has them.',
    structural: true,
    columns: {
      group: ref('Group.'),
      launched: int('running + finished + discarded + killed + carried over.', 'rollouts'),
      finished: int('Ended by itself and kept.', 'rollouts'),
      discarded: int('Ended by itself, taken out by a rule.', 'rollouts'),
      killed: int('Pruned, stopped, aborted or failed.', 'rollouts'),
      carriedOver: int('Running past the step’s close.', 'rollouts'),
      usedInStep: maybe.int('Step whose update used it; null when none did.'),
      reason: maybe.ref('Why the group was discarded.'),
      decision: maybe.ref('Decision that discarded it.'),
    },
  },
  rolloutOpened: {
    doc: 'A rollout was launched. `fromNode` and `at` say where it leaves another rollout; both null: at the root.',
    structural: true,
    columns: {
      rollout: ref('Rollout.'),
      group: ref('Group that launched it, where it is counted.'),
      fromNode: maybe.ref('Node it branches from.'),
      at: maybe.int('Position in that node.'),
      origin: ref('How it came to be.', ORIGINS),
      use: ref('train or probe.', USES),
      baseline: maybe.flag('1 when it counts in the group’s baseline; default 1 for train, 0 for probe.'),
      decision: maybe.ref('Decision that launched it (allocate, fork, resume, replay).'),
      worker: maybe.ref('Rollout worker.'),
      agent: maybe.ref('Agent, in multi-agent runs.'),
      context: maybe.ref('Strategy, hint level or scaffold it was given.'),
      rows: maybe.json('Rows of the training batch it fans out to.', RowIds),
    },
  },
  rolloutSpan: {
    doc: 'The rollout entered a state at `t`; the span ends with the next one or with the rollout.',
    structural: false,
    columns: {
      rollout: ref('Rollout.'),
      state: ref('State.', SPAN_STATES),
      policyVersion: maybe.int('Weights it is sampled with.'),
      worker: maybe.ref('Rollout worker.'),
      tool: maybe.ref('Tool or environment it waits for.'),
    },
  },
  rolloutClosed: {
    doc: 'The rollout ended.',
    structural: true,
    columns: {
      rollout: ref('Rollout.'),
      ending: ref('How it ended.', ENDINGS),
      length: int('Tokens of its own nodes.', 'tokens'),
      success: maybe.flag('1 when it solved the task; absent: decided by the run’s threshold.'),
      reward: maybe.num('Total reward.'),
      rewardParts: maybe.json('Parts of the reward by name.', RewardParts),
      reason: maybe.ref('Reason code of a prune, stop, abort or failure.'),
      decision: maybe.ref('Decision that ended it.'),
      versions: maybe.json('Policy version per position.', VersionSpans),
      logProbGap: maybe.num('Mean |sampler − trainer| log-probability of a token.', 'nats'),
      acceptedPrefix: maybe.int('Tokens of a replayed prefix that were accepted.', 'tokens'),
    },
  },
  rolloutDiscarded: {
    doc: 'A rollout that ended by itself was taken out by a rule.',
    structural: true,
    columns: {
      rollout: ref('Rollout.'),
      reason: ref('Reason code: stale, tooLong, filtered, surplus, ….'),
      decision: maybe.ref('Decision.'),
    },
  },
  nodeOpened: {
    doc: 'A stretch begins that exactly one rollout generates. A child at `at` = k replaces unit k of its parent.',
    structural: true,
    columns: {
      node: ref('Node.'),
      rollout: ref('Owner.'),
      parent: maybe.ref('Parent; null: the root.'),
      at: maybe.int('Position in the parent, 0 ≤ at ≤ its length.'),
      kind: ref('Kind.', NODE_KINDS),
      origin: ref('How it came to be.', ORIGINS),
      policyVersion: maybe.int('Weights it is sampled with.'),
      decision: maybe.ref('Fork decision.'),
      marks: maybe.int('Bits: 1 forced, 2 hinted, 4 edited, 8 duplicate.'),
      agent: maybe.ref('Agent or role.'),
      tool: maybe.ref('Tool called.'),
      signature: maybe.ref('State signature: equal signatures are the same state.'),
    },
  },
  nodeUpdated: {
    doc: 'Figures of a growing node.',
    structural: false,
    columns: {
      node: ref('Node.'),
      length: int('Units so far.'),
      entropy: maybe.num('Mean entropy so far.', 'nats'),
      logProb: maybe.num('Mean log-probability so far.', 'nats'),
      confidence: maybe.num('Confidence as the run defines it.'),
      predicted: maybe.num('Predicted probability of success.'),
      estimator: maybe.ref('What predicted it.'),
    },
  },
  nodeSeries: {
    doc: 'Bins of an overlay field appended to a growing node.',
    structural: false,
    columns: {
      node: ref('Node.'),
      field: ref('Field.', ['entropy', 'logProb', 'confidence', 'advantage']),
      bin: int('Units a bin.'),
      from: int('First bin of this piece.'),
      mean: json('Mean of each bin.', Series),
      greatest: json('Greatest value of each bin.', Series),
    },
  },
  nodeClosed: {
    doc: 'The node will not grow any more.',
    structural: true,
    columns: {
      node: ref('Node.'),
      length: int('Units.'),
      ending: ref('How it ended.', ENDINGS),
      entropy: maybe.num('Mean entropy.', 'nats'),
      logProb: maybe.num('Mean log-probability.', 'nats'),
      confidence: maybe.num('Confidence as the run defines it.'),
      trainShare: maybe.num('Share of its units in the loss.'),
      repeats: maybe.num('Share of its tokens inside a repeated suffix.'),
      logProbGap: maybe.num('Mean |sampler − trainer| log-probability of a token.', 'nats'),
      versions: maybe.json('Policy version per position.', VersionSpans),
      textOffset: maybe.int(
        'Journal only: where its text record begins in the texts file of this segment.',
        'bytes',
      ),
      textBytes: maybe.int('Journal only: length of that record.', 'bytes'),
    },
  },
  attachment: {
    doc: 'Something that belongs to a node and is fetched on demand (screenshot, environment state).',
    structural: true,
    columns: {
      node: ref('Node.'),
      attachment: ref('Attachment.'),
      mime: ref('Media type.'),
      bytes: int('Size.', 'bytes'),
      title: maybe.text('Title.'),
    },
  },
  credit: {
    doc: 'Value and advantage by a credit rule, of a node or of a whole rollout.',
    structural: false,
    columns: {
      node: maybe.ref('Node; null: the whole rollout.'),
      rollout: maybe.ref('Rollout; null: the node alone.'),
      rule: ref('Credit rule.'),
      value: maybe.num('Value.'),
      advantage: maybe.num('Advantage.'),
    },
  },
  decision: {
    doc: 'A recorded choice with the inputs it was made from.',
    structural: true,
    columns: {
      decision: ref('Decision.'),
      kind: ref('Kind.', DECISION_KINDS),
      method: ref('Method.'),
      step: maybe.int('Step it is for.'),
      command: maybe.ref('Steering request that caused it.'),
      sentence: text('The choice in one sentence.'),
      body: json('Subjects, inputs, outcome, reasons.', Decision),
    },
  },
  metric: {
    doc: 'A number of the run, a step or a worker.',
    structural: false,
    columns: {
      name: ref('Name; standard names are listed.'),
      value: num('Value.'),
      step: maybe.int('Step.'),
      worker: maybe.ref('Worker.'),
      unit: maybe.ref('Unit of a name that is not standard.'),
    },
  },
  evaluation: {
    doc: 'Samples on a set of problems, outside training.',
    structural: true,
    columns: {
      evaluation: ref('Evaluation.'),
      name: ref('Set of problems.'),
      step: int('Step whose weights were evaluated (after its updates); 0: the start.'),
      policyVersion: int('Policy version.'),
      sampling: json('Sampling settings.', Sampling),
      problems: json('n and c of each problem.', EvalProblems),
    },
  },
  worker: {
    doc: 'State of a rollout worker.',
    structural: false,
    columns: {
      worker: ref('Worker.'),
      pool: maybe.ref('Pool.'),
      host: maybe.ref('Host.'),
      device: maybe.ref('Device.'),
      queue: int('Rollouts that wait for it.', 'rollouts'),
      running: int('Rollouts it runs.', 'rollouts'),
      policyVersion: maybe.int('Weights it holds.'),
      clockError: maybe.num('Bound of the error of its clock.', 'ms'),
    },
  },
  steering: {
    doc: 'The life of a steering request. The server stamps connection and scope beside the claimed author.',
    structural: true,
    columns: {
      command: ref('commandId of the request.'),
      action: ref('Action.', STEERING_ACTIONS),
      state: ref('State.', STEERING_STATES),
      author: ref('Author as claimed.'),
      connection: ref('Connection.'),
      scope: ref('Scope of the token.'),
      sentence: text('What was asked or done, in one sentence.'),
      reason: maybe.text('The author’s reason; for a refusal, why it was refused.'),
      subjects: maybe.json('What it is about.', Type.Array(Subject)),
      before: maybe.json('Before.', Before),
      after: maybe.json('After.', Before),
      undoes: maybe.ref('Request that this one takes back.'),
      fromStep: maybe.int('First step it acts on.'),
      untilStep: maybe.int('Last step it acts on.'),
    },
  },
  breakpoint: {
    doc: 'A condition at which the run pauses was added, hit or removed.',
    structural: true,
    columns: {
      breakpoint: ref('Id.'),
      state: ref('State.', ['added', 'hit', 'removed']),
      hits: int('Times hit.'),
      condition: json('Condition.', BreakCondition),
      sentence: text('The condition, or what met it, in one sentence.'),
    },
  },
  finding: {
    doc: 'The job’s own finding. Open until the same id is closed.',
    structural: true,
    columns: {
      finding: ref('Id.'),
      open: flag('1 open, 0 closed.'),
      step: maybe.int('Step.'),
      body: json('What, evidence, levers.', FindingBody),
    },
  },
  dropped: {
    doc: 'Samples that were left out of the stream for this client. Structure never is.',
    structural: true,
    columns: {
      from: int('First seq of the stretch.'),
      to: int('Last seq of the stretch.'),
      kinds: json('Kinds that were left out.', Type.Array(Type.String({ maxLength: 64 }))),
      count: int('Events left out.', 'events'),
    },
  },
} as const satisfies Record<string, EventKind>;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name);
