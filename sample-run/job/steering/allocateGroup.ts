import type { SteeringParams } from '../../../protocol/wire/steering';
import type { JobState } from '../jobState';
import { countGroup, type GroupRecord } from '../records';
import { costs } from './planChange';
import { checkTemperature, counted, MOST_ROLLOUTS, named, Refused, type Proposal } from './proposal';

type Params = SteeringParams<'allocate'>;

/** @throws Refused unless the group is one of this step and open. */
export function openGroup(job: JobState, id: string): GroupRecord {
  const group = job.memory.groups.get(id);
  if (!group) {
    throw new Refused('unknownSubject', `This start of the run holds no group ${id}. Nothing was changed.`);
  }
  if (group.closed) throw new Refused('ended', `Group ${id} is closed. Nothing was changed.`);
  return group;
}

const unlaunched = (group: GroupRecord): number => group.planned - countGroup(group).launched;

/** Budgets of open groups: they hold at once, for this step. */
export function proposeGroupBudget(job: JobState, params: Params, ids: readonly string[]): Proposal {
  const { rollouts, tokens, temperature, charge, commandId, author } = params;
  if (params.untilStep !== undefined) {
    throw new Refused('outOfRange', 'A group belongs to one step. Give its prompt a budget for later steps.');
  }
  checkTemperature(temperature);
  const groups = ids.map((id) => openGroup(job, id));
  const wanted = new Map(groups.map((group) => [group, wantedOf(group, rollouts)]));
  let raise = 0;
  for (const [group, want] of wanted) {
    const { launched } = countGroup(group);
    if (want < launched) {
      throw new Refused(
        'outOfRange',
        `${group.id} has launched ${launched} rollouts already; stop some instead.`,
      );
    }
    if (want > MOST_ROLLOUTS) {
      throw new Refused('outOfRange', `A group can have at most ${MOST_ROLLOUTS} rollouts.`);
    }
    raise += want - group.planned;
  }
  if (charge === 'total' && raise > 0) takeFromOthers(job, wanted, raise);
  const changed = [...wanted].filter(([group, want]) => want !== group.planned);
  if (changed.length === 0 && !tokens && temperature === undefined) {
    throw new Refused('alreadySo', `${named(ids)}: the budget is this already. Nothing was changed.`);
  }
  const before = job.memory.current.reduce((sum, { planned }) => sum + planned, 0);
  const after = changed.reduce((sum, [group, want]) => sum + want - group.planned, before);
  const step = job.openStep ?? 0;
  return {
    sentence: sentenceOf(groups, changed, before, after),
    subjects: ids.map((id) => ({ type: 'group', id })),
    before: Object.fromEntries(changed.map(([group]) => [group.id, group.planned])),
    after: Object.fromEntries(changed.map(([group, want]) => [group.id, want])),
    effect: {
      rollouts: { before, after },
      ...costs(job, { before, after }),
      subjects: changed.map(([group, want]) => ({
        subject: { type: 'group', id: group.id },
        before: group.planned,
        after: want,
      })),
      fromStep: step,
      untilStep: step,
    },
    inverse: {
      kind: 'groups',
      step,
      before: Object.fromEntries(changed.map(([group]) => [group.id, group.planned])),
    },
    apply: () => {
      for (const group of groups) {
        if (temperature !== undefined) group.temperature = temperature;
        if (tokens) group.tokenCap = capOf(group, tokens);
      }
      setGroupBudgets(job, new Map(changed), { commandId, author });
      return [];
    },
  };
}

const wantedOf = (group: GroupRecord, rollouts: Params['rollouts']): number => {
  if (!rollouts) return group.planned;
  if ('clear' in rollouts) {
    throw new Refused(
      'outOfRange',
      'An open group cannot go back to the method; set it, or take the request back.',
    );
  }
  return 'set' in rollouts ? rollouts.set : Math.max(0, group.planned + rollouts.add);
};

const capOf = (group: GroupRecord, tokens: NonNullable<Params['tokens']>): number | null => {
  if ('clear' in tokens) return null;
  return 'set' in tokens ? tokens.set : Math.max(0, (group.tokenCap ?? 0) + tokens.add);
};

/** The other open groups give up what they have not launched, the largest rest first. */
function takeFromOthers(job: JobState, wanted: Map<GroupRecord, number>, raise: number): void {
  const others = job.memory.current.filter((group) => !group.closed && !wanted.has(group));
  const rest = new Map(others.map((group) => [group, unlaunched(group)]));
  const available = [...rest.values()].reduce((sum, count) => sum + count, 0);
  if (available < raise) {
    throw new Refused(
      'outOfRange',
      `The other groups of the step have only ${counted(available, 'rollout')} that are not launched yet, ${raise} are needed. Charge it as extra.`,
    );
  }
  for (let left = raise; left > 0; left--) {
    const [largest] = [...rest].sort((a, b) => b[1] - a[1]);
    if (largest) rest.set(largest[0], largest[1] - 1);
  }
  for (const [group, left] of rest) {
    const taken = unlaunched(group) - left;
    if (taken > 0) wanted.set(group, group.planned - taken);
  }
}

/** Changes the plans of open groups by a person’s word: one decision, and a new plan for each. */
export function setGroupBudgets(
  job: JobState,
  budgets: ReadonlyMap<GroupRecord, number>,
  { commandId, author }: { commandId: string; author: string },
): void {
  if (budgets.size === 0) return;
  const groups = [...budgets.keys()];
  const wants = [...budgets.values()];
  const decision = job.decisions.record(groups[0]!.step, {
    kind: 'allocate',
    method: 'person',
    command: commandId,
    sentence: `${author} changed the budget of ${counted(groups.length, 'open group')}.`,
    body: {
      parameters: {},
      subjects: { type: 'group', ids: groups.map(({ id }) => id) },
      inputs: {
        planned: groups.map(({ planned }) => planned),
        launched: groups.map((group) => countGroup(group).launched),
      },
      outcome: { rollouts: wants },
      reasonCodes: groups.map(() => 'person'),
      reasons: groups.map(({ planned }, i) => `${planned} → ${wants[i]!} by ${author}.`),
    },
  });
  for (const [group, want] of budgets) {
    if (want > group.planned) {
      group.pending += want - group.planned;
      group.decision = decision;
      group.stopped = false;
    } else withdraw(group, group.planned - want);
    group.planned = want;
    job.publisher.add('groupPlanned', { group: group.id, planned: want, decision });
  }
}

/** Takes back launches that were not made: reserve first, then roots, then forks. */
export function withdraw(group: GroupRecord, count: number): number {
  let left = count;
  const take = (available: number): number => {
    const taken = Math.min(available, left);
    left -= taken;
    return taken;
  };
  group.reserve -= take(group.reserve);
  group.pending -= take(group.pending);
  for (let i = group.forks.length - 1; i >= 0 && left > 0; i--) {
    const fork = group.forks[i]!;
    fork.left -= take(fork.left);
    if (fork.left === 0) group.forks.splice(i, 1);
  }
  return count - left;
}

function sentenceOf(
  groups: readonly GroupRecord[],
  changed: readonly (readonly [GroupRecord, number])[],
  before: number,
  after: number,
): string {
  const own = new Set(groups);
  const [first] = changed.filter(([group]) => own.has(group));
  const lose = changed.filter(([group]) => !own.has(group));
  const what = first
    ? `${named(groups.map(({ id }) => id))}: ${first[0].planned} → ${first[1]} rollouts, launched at once`
    : `${named(groups.map(({ id }) => id))}: the budget of rollouts stays`;
  const lost = lose.reduce((sum, [group, want]) => sum + group.planned - want, 0);
  const from = lost > 0 ? ` ${counted(lose.length, 'other group')} lose ${lost} that were not launched.` : '';
  const total =
    before === after ? 'The step keeps its total.' : `The step has ${after} rollouts instead of ${before}.`;
  return `${what}. ${total}${from}`;
}
