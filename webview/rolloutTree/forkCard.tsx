import { signal } from '@preact/signals';
import type { DecisionView } from '../../protocol/panels/budgets';
import { count, plainValue } from '../shared/format';
import { query } from '../shared/host';
import { Mark } from '../shared/marks';
import { moment } from '../shared/times';
import { endingOf } from './status';
import { text } from './texts';
import { forkPlace, forkPosition, type TreeModel } from './treeModel';

const KEPT = 64;
/** Recorded decisions that were asked for; null: the job recorded none; undefined: not answered yet. */
const answers = signal<ReadonlyMap<string, DecisionView | null>>(new Map());
const asked = new Set<string>();

const decisionOf = (decision: string, subject: string): DecisionView | null | undefined => {
  const key = `${decision}\n${subject}`;
  if (!asked.has(key)) {
    asked.add(key);
    const keep = (answer: DecisionView | null): void => {
      const next = new Map(answers.value).set(key, answer);
      const oldest = next.keys().next();
      if (next.size > KEPT && oldest.done !== true) {
        next.delete(oldest.value);
        asked.delete(oldest.value);
      }
      answers.value = next;
    };
    query('decision', { decision, subject }).then(keep, () => keep(null));
  }
  return answers.value.get(key);
};

/** Numbers of a decision as the job wrote them, a few of them in one line each. */
const numberLines = (decision: DecisionView, most: number): readonly string[] => {
  const all = { ...decision.parameters, ...decision.inputs, ...decision.numbers };
  return Object.entries(all)
    .slice(-most)
    .map(([name, value]) => `${name} = ${plainValue(value)}`);
};

const childrenText = ({ view }: TreeModel, children: readonly number[]): string => {
  const rollouts = children.map((node) => view.nodes.rollout[node] ?? -1);
  const running = rollouts.filter((r) => endingOf(view, r) === null).length;
  if (running > 0) {
    return text('forkChildrenOpen', { count: count(children.length), running: count(running) });
  }
  const right = rollouts.filter((r) => view.rollouts.success[r] === 1).length;
  return text('forkChildren', { right: count(right), count: count(children.length) });
};

/** Card at a fork: which, where, the sentence, the numbers, the method, what came of it. */
export const ForkCard = ({ model, fork }: { model: TreeModel; fork: number }) => {
  const { view } = model;
  const entry = view.forks[fork];
  if (!entry) return null;
  const { nth, of } = forkPlace(model, fork);
  const rollout = view.rollouts.id[view.nodes.rollout[entry.node] ?? -1] ?? '';
  const decision =
    entry.decision === null ? null : decisionOf(entry.decision, view.nodes.id[entry.node] ?? '');
  const sentence = entry.sentence ?? decision?.sentence ?? null;
  const who =
    entry.by === 'person' ? text('forkBy', { who: entry.author ?? '', time: moment(entry.time) }) : null;
  return (
    <div class="tree-card">
      <div class="rs-row">
        <Mark name={entry.by === 'person' ? 'forkByPerson' : 'forkByRule'} />
        <span class="rs-strong rs-cut">{text('forkTitleCard', { nth, of, rollout })}</span>
        <span class="rs-second tree-card-right">
          {text('forkTokens', { position: count(forkPosition(view, entry)) })}
        </span>
      </div>
      {sentence !== null && <div class="tree-card-sentence">{sentence}</div>}
      {who !== null && <div>{who}</div>}
      {decision &&
        numberLines(decision, 3).map((line) => (
          <div key={line} class="rs-mono rs-second rs-cut">
            {line}
          </div>
        ))}
      <div class="rs-row">
        <span class="rs-cut">{entry.method ?? decision?.method ?? ''}</span>
        <span class="rs-second tree-card-right">{childrenText(model, entry.children)}</span>
      </div>
    </div>
  );
};
