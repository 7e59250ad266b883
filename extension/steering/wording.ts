import type { SteeringAnswer } from '../../protocol/wire/steering';
import type { BreakCondition } from '../../protocol/wire/values';
import { amount, count, rate, seconds, signed, signedSeconds } from '../format';
import { t } from '../l10n';
import type { Own, SteeringRequest } from './request';

/** The words of VS Code's modal: a question with the effect's size, the changes, who gains and loses, who and why. */
export interface Confirmation {
  readonly question: string;
  readonly detail: string;
  /** Names the act and, where the job says one, the step. */
  readonly button: string;
}

export interface ConfirmationFacts {
  readonly author: string;
  readonly reason: string;
}

export function confirmation(
  request: SteeringRequest,
  preview: SteeringAnswer,
  facts: ConfirmationFacts,
): Confirmation {
  const from = preview.fromStep;
  const blocks = [changes(preview), gains(preview), record(request, preview, facts)].filter(
    (block) => block !== '',
  );
  return {
    question: question(request, preview),
    detail: blocks.join('\n\n'),
    button: from === undefined ? verb(request) : t('Apply from Step {0}', count(from)),
  };
}

/** Three lines at most: rollouts, tokens, step time, each before → after (difference). */
function changes({ rollouts, tokens, seconds: time }: SteeringAnswer): string {
  const lines: string[] = [];
  if (rollouts) {
    const { before, after } = rollouts;
    lines.push(t('Rollouts {0} → {1} ({2})', count(before), count(after), signed(after - before)));
  }
  if (tokens) {
    const { before, after } = tokens;
    lines.push(
      t('Tokens {0} → {1} ({2}, estimated)', amount(before), amount(after), signed(after - before, amount)),
    );
  }
  if (time) {
    const { before, after } = time;
    lines.push(
      t(
        'Step time {0} → {1} ({2}, estimated)',
        seconds(before),
        seconds(after),
        signedSeconds(after - before),
      ),
    );
  }
  return lines.join('\n');
}

/** The job's own sentence, and who gains and who loses. */
function gains({ sentence, subjects }: SteeringAnswer): string {
  if (!subjects || subjects.length === 0) return sentence;
  const more = subjects.filter(({ before, after }) => after > before);
  const fewer = subjects.filter(({ before, after }) => after < before);
  const parts: string[] = [];
  if (more.length > 0) parts.push(moved(more, t('more')));
  parts.push(fewer.length > 0 ? moved(fewer, t('fewer')) : t('No one gets fewer.'));
  return [sentence, parts.join(' ')].filter((part) => part !== '').join('\n');
}

type Moved = NonNullable<SteeringAnswer['subjects']>;
const NAMED = 3;

function moved(rows: Moved, how: string): string {
  const first = rows[0]!;
  const alike = rows.every(({ before, after }) => before === first.before && after === first.after);
  if (rows.length === 1) {
    return t('{0} goes from {1} to {2}.', first.subject.id, count(first.before), count(first.after));
  }
  if (alike)
    return t('{0} go from {1} to {2} each.', count(rows.length), count(first.before), count(first.after));
  const total = rows.reduce((sum, { before, after }) => sum + after - before, 0);
  const named = rows.slice(0, NAMED).map(({ subject }) => subject.id);
  const others = rows.length > NAMED ? t(' and {0} others', count(rows.length - NAMED)) : '';
  return t('{0} get {1} ({2}): {3}{4}.', count(rows.length), how, signed(total), named.join(', '), others);
}

function record(
  request: SteeringRequest,
  preview: SteeringAnswer,
  { author, reason }: ConfirmationFacts,
): string {
  const parts = [
    ...(reason === '' ? [] : [t('Reason: {0}.', reason.replace(/[.\s]+$/, ''))]),
    t('Recorded as {0}.', author),
  ];
  if (request.name === 'allocate' || request.name === 'skip') {
    const until = preview.untilStep;
    parts.push(until === undefined ? t('Until undone.') : t('Until step {0} or until undone.', count(until)));
  }
  return parts.join(' ');
}

function question(request: SteeringRequest, preview: SteeringAnswer): string {
  switch (request.name) {
    case 'pause':
      return pauseQuestion(request.own);
    case 'resume':
      return t('Resume {0}?', target(request.own.target));
    case 'step':
      return request.own.n === 1
        ? t('Run one step, then pause?')
        : t('Run {0} steps, then pause?', count(request.own.n));
    case 'allocate':
      return allocateQuestion(request.own, preview);
    case 'setMethod':
      return t(
        'Change the {0} method to {1}?',
        kindOfMethod(request.own.kind),
        request.title ?? request.own.method,
      );
    case 'skip':
      return request.own.prompts.length === 1
        ? t('Skip prompt {0}?', request.own.prompts[0]!)
        : t('Skip {0} prompts?', count(request.own.prompts.length));
    case 'undo':
      return t('Undo “{0}”?', request.title ?? request.own.undoes);
    case 'fork':
      return forkQuestion(request.own);
    case 'stop':
      return t('Stop {0} {1}?', noun(request.own.subject.type, 1), request.own.subject.id);
    case 'break.add':
      return t('Pause the run when {0}?', conditionText(request.own.condition));
    case 'break.remove':
      return t('Remove the break “{0}”?', request.title ?? request.own.breakpoint);
  }
}

function pauseQuestion({ target: what, mode }: Own<'pause'>): string {
  switch (mode) {
    case 'now':
      return t('Pause {0} now, between two tokens?', target(what));
    case 'drain':
      return t('Pause {0} once its running rollouts have ended?', target(what));
    case 'step-boundary':
      return t('Pause {0} at the end of the step?', target(what));
  }
}

function allocateQuestion({ subjects, rollouts, each }: Own<'allocate'>, preview: SteeringAnswer): string {
  const first = subjects[0]!;
  const whom =
    subjects.length === 1
      ? `${noun(first.type, 1)} ${first.id}`
      : `${count(subjects.length)} ${noun(first.type, 2)}`;
  const who = first.type === 'run' ? t('every prompt') : whom;
  if (each) {
    const total = each.reduce((sum, n) => sum + n, 0);
    return t('Set the budgets of {0}, {1} rollouts in all?', who, count(total));
  }
  if (rollouts && 'add' in rollouts) {
    // The size is the effect on the total as the job works it out; without it, what was asked for.
    const total = preview.rollouts
      ? preview.rollouts.after - preview.rollouts.before
      : rollouts.add * subjects.length;
    if (total > 0) return t('Give {0} more rollouts to {1}?', count(total), who);
    if (total < 0) return t('Take {0} rollouts from {1}?', count(-total), who);
    return rollouts.add >= 0
      ? t('Give {0} more rollouts to {1}, taken from the other prompts?', count(rollouts.add), who)
      : t('Take {0} rollouts from {1}, given to the other prompts?', count(-rollouts.add), who);
  }
  if (rollouts && 'set' in rollouts)
    return t('Set the budget of {0} to {1} rollouts?', who, count(rollouts.set));
  if (rollouts) return t('Give {0} back to the method?', who);
  return t('Change the budget of {0}?', who);
}

function forkQuestion({ node, at, n, use, edit, hint }: Own<'fork'>): string {
  const what =
    use === 'probe' ? (n === 1 ? t('probe') : t('probes')) : n === 1 ? t('rollout') : t('rollouts');
  const how = edit ? t(' with an edited beginning') : hint ? t(' with a hint') : '';
  return t('Fork {0} {1}{2} at position {3} of {4}?', count(n), what, how, count(at), node);
}

function verb(request: SteeringRequest): string {
  switch (request.name) {
    case 'pause':
      return t('Pause');
    case 'resume':
      return t('Resume');
    case 'step':
      return t('Run');
    case 'allocate':
    case 'setMethod':
      return t('Apply');
    case 'skip':
      return t('Skip');
    case 'undo':
      return t('Undo');
    case 'fork':
      return t('Fork');
    case 'stop':
      return t('Stop');
    case 'break.add':
      return t('Add Break');
    case 'break.remove':
      return t('Remove');
  }
}

const target = ({ type, id }: Own<'pause'>['target']): string =>
  type === 'run' || id === undefined ? t('the run') : `${noun(type, 1)} ${id}`;

/** One or several of a kind of subject. */
export function noun(type: string, n: number): string {
  const one = n === 1;
  switch (type) {
    case 'prompt':
      return one ? t('prompt') : t('prompts');
    case 'group':
      return one ? t('group') : t('groups');
    case 'rollout':
      return one ? t('rollout') : t('rollouts');
    case 'node':
      return one ? t('node') : t('nodes');
    case 'run':
      return one ? t('run') : t('runs');
    default:
      return type;
  }
}

function kindOfMethod(kind: Own<'setMethod'>['kind']): string {
  switch (kind) {
    case 'allocation':
      return t('allocation');
    case 'branching':
      return t('branching');
    case 'credit':
      return t('credit');
  }
}

/** What a break waits for, with the unit that its number is in. */
export const BREAK_METRICS: Readonly<
  Record<BreakCondition['metric'], { readonly label: () => string; readonly share: boolean }>
> = {
  budget: { label: () => t('the budget of a prompt (rollouts)'), share: false },
  zeroGradientShare: { label: () => t('the share of groups without gradient'), share: true },
  entropy: { label: () => t('the mean entropy (nats)'), share: false },
  reward: { label: () => t('the mean reward'), share: false },
  passRate: { label: () => t('the pass rate'), share: true },
  stepSeconds: { label: () => t('the step time (s)'), share: false },
  toolError: { label: () => t('the number of tool errors'), share: false },
};

export function conditionText({ metric, op, value }: BreakCondition): string {
  const { label, share } = BREAK_METRICS[metric];
  const number = share ? rate(value) : Number.isInteger(value) ? count(value) : String(value);
  return op === '>' ? t('{0} is above {1}', label(), number) : t('{0} is below {1}', label(), number);
}
