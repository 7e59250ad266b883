import type { BudgetsView, DecisionView } from '../../protocol/panels/budgets';
import { Button } from '../shared/controls';
import { EmptyState } from '../shared/emptyState';
import { count, plainValue } from '../shared/format';
import { command, isPending } from '../shared/host';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { useDecision } from './decision';
import { Inputs } from './decisionInputs';
import { GainChart } from './gainChart';
import { countAtRate, gainCurve, type GainCurve } from './gainCurve';
import { methodInfo, type MethodInfo } from './methodInfo';
import { ruleLines } from './ruleLines';
import { subjectText } from './subjectText';
import { text } from './texts';

const Rule = ({ decision, curve }: { decision: DecisionView; curve: GainCurve | null }) => {
  const lines = ruleLines(decision, curve);
  if (lines.length === 0) return null;
  return (
    <section aria-label={text('rule')} class="bu-rule rs-small rs-mono rs-scroll">
      {lines.map(({ formula, result }) => (
        <div key={formula}>
          {formula}
          {result && <span class={result.strong ? 'rs-strong' : ''}>{`  ${result.word}`}</span>}
        </div>
      ))}
    </section>
  );
};

/** What other pass rates would have got at the same price: right answers of the rollouts seen before. */
const WouldGet = ({ decision, curve }: { decision: DecisionView; curve: GainCurve }) => {
  const { samples, passRate } = decision.inputs;
  if (typeof samples !== 'number' || samples < 2 || typeof passRate !== 'number') return null;
  const own = Math.round(passRate * samples);
  const near = [...new Set([0, 1, 2, 3, 4, 6, 8, own])].filter((c) => c <= samples).sort((a, b) => a - b);
  return (
    <table class="bu-would rs-small">
      <tbody>
        <tr>
          <th scope="row" class="rs-second">
            {text('wouldGetOf', { n: count(samples) })}
          </th>
          {near.map((c) => (
            <td key={c} class={c === own ? 'rs-strong' : 'rs-second'}>
              {c}
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row" class="rs-second">
            {text('wouldGet')}
          </th>
          {near.map((c) => (
            <td key={c} class={c === own ? 'rs-strong' : ''}>
              {countAtRate(c / samples, curve)}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
};

const Alternatives = ({ decision }: { decision: DecisionView }) =>
  decision.alternatives.length === 0 ? null : (
    <section aria-label={text('alternatives')} class="rs-small bu-block">
      <h3 class="rs-strong">{text('alternatives')}</h3>
      <ul>
        {decision.alternatives.slice(0, 8).map(({ label, score }) => (
          <li key={label} class="rs-row">
            <span class="rs-cut rs-grow" title={label}>
              {label}
            </span>
            {score !== null && <span class="rs-second">{text('score', { score: plainValue(score) })}</span>}
          </li>
        ))}
      </ul>
    </section>
  );

/** What the rule does and where it is published; the host opens its paper or code. */
const Source = ({ info, id }: { info: MethodInfo; id: string }) => (
  <div class="rs-small rs-second bu-block">
    {info.summary !== null && <p>{info.summary}</p>}
    <p>
      {info.source}
      {(['paper', 'code'] as const).map(
        (part) =>
          info.links[part] !== null && (
            <button
              key={part}
              type="button"
              class="rs-link bu-source"
              title={info.links[part] ?? undefined}
              onClick={() => void command({ id: 'openSource', method: id, part })}
            >
              {text(part === 'paper' ? 'openPaper' : 'openCode')}
            </button>
          ),
      )}
    </p>
  </div>
);

const Found = ({ decision, prompt, given }: { decision: DecisionView; prompt: string; given: number }) => {
  const info = methodInfo(decision.method);
  const curve = gainCurve(decision, given);
  return (
    <>
      <p class="bu-sentence">
        <b class="bu-subject">{prompt}</b>
      </p>
      <p class="bu-reason">{decision.reason ?? decision.sentence}</p>
      {decision.reason !== null && <p class="rs-small rs-second bu-whole">{decision.sentence}</p>}
      <div class="bu-evidence">
        {curve && (
          <div class="bu-gain">
            <GainChart curve={curve} />
          </div>
        )}
        <Inputs decision={decision} />
      </div>
      <Rule decision={decision} curve={curve} />
      {curve && <WouldGet decision={decision} curve={curve} />}
      <Alternatives decision={decision} />
      {info.known !== null && <Source info={info} id={info.known.id} />}
    </>
  );
};

const Title = ({ decision, n }: { decision: DecisionView | null; n: number }) => {
  const info = decision && methodInfo(decision.method);
  return (
    <div class="rs-row">
      <h2 class="rs-large">{n > 0 ? text('why', { n: count(n) }) : text('whySkipped')}</h2>
      <span class="rs-grow" />
      {info?.reconstructed === true && (
        <span class="rs-tag" title={text('reconstructedTitle')}>
          {text('reconstructed')}
        </span>
      )}
      {decision && info && (
        <span class="rs-small rs-second rs-cut" title={info.summary ?? decision.method}>
          {decision.author === null ? info.title : text('byPerson', { author: decision.author })}
        </span>
      )}
    </div>
  );
};

const Actions = ({
  prompt,
  n,
  decision,
  group,
}: {
  prompt: string;
  n: number;
  decision: DecisionView | null;
  group: string | null;
}) => {
  const allocate = whyNotSteer('steer.allocate.prompt');
  const subjects = [{ type: 'prompt', id: prompt }] as const;
  return (
    <div class="bu-actions">
      {steeringShown() && (
        <>
          <Button
            icon="add"
            off={allocate}
            requested={isPending('prompt', prompt, 'allocate')}
            onPress={() => void command({ id: 'allocate', subjects })}
          >
            {text('give')}
          </Button>
          <Button
            icon="pinned"
            off={allocate}
            title={text('pinTitle', { n: count(n) })}
            onPress={() => void command({ id: 'allocate', subjects, set: n })}
          >
            {text('pin')}
          </Button>
          <Button
            icon="debug-step-over"
            off={whyNotSteer('steer.skip')}
            requested={isPending('prompt', prompt, 'skip')}
            title={text('skipTitle')}
            onPress={() => void command({ id: 'skip', prompts: [prompt] })}
          >
            {text('skip')}
          </Button>
        </>
      )}
      <span class="bu-links">
        {group !== null && (
          <button
            type="button"
            class="rs-link rs-small"
            onClick={() => void command({ id: 'open', panel: 'rolloutTree' })}
          >
            {text('openTree')}
          </button>
        )}
        {decision && (
          <button
            type="button"
            class="rs-link rs-small"
            onClick={() => void command({ id: 'copy', text: decision.json })}
          >
            {text('json')}
          </button>
        )}
      </span>
    </div>
  );
};

/** Why a prompt got its rollouts: the recorded decision, nothing made up. */
export const WhyCard = ({ view, row }: { view: BudgetsView; row: number }) => {
  const { prompts } = view;
  const prompt = prompts.id[row] ?? '';
  const group = prompts.group[row] ?? null;
  const decisionId = prompts.decision[row] ?? null;
  const decision = useDecision(decisionId, prompt, group).value;
  const planned = prompts.planned[row] ?? -1;
  const found = decision ?? null;
  // Of several steps the card tells of the last one: what its decision gave, not their sum.
  const gave = found?.outcome['rollouts'];
  const n =
    view.subject.kind !== 'step' && typeof gave === 'number'
      ? gave
      : Math.max(0, prompts.launched[row] ?? 0, planned);
  if (row < 0) return <EmptyState icon="info" title={text('choose')} />;
  const subject = subjectText(view.subject);
  if (planned < 0 && decisionId === null) {
    return <EmptyState icon="info" title={text('notPlanned', { prompt, subject })} />;
  }
  return (
    <section class="bu-why" aria-label={text('whyCard')}>
      <Title decision={found} n={n} />
      {view.subject.kind !== 'step' && (
        <p class="rs-small rs-second">
          {text('whyLast', { step: prompts.lastStep[row] ?? view.step, subject })}
        </p>
      )}
      {found ? (
        <Found decision={found} prompt={prompt} given={n} />
      ) : (
        <p class="rs-second bu-sentence">
          {decisionId === null
            ? `${text('noDecision')} ${text('noDecisionText', { prompt, n: count(n), subject })}`
            : decision === null
              ? text('decisionGone', { decision: decisionId })
              : ''}
        </p>
      )}
      <Actions prompt={prompt} n={n} decision={found} group={group} />
    </section>
  );
};
