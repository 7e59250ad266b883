import type { Parameter } from '../../methods/parameters';
import type { DecisionView } from '../../protocol/panels/budgets';
import { count, plainValue } from '../shared/format';
import { Icon } from '../shared/icon';
import { plainCode } from '../shared/ledgerSums';
import { isImpossible, type Cells } from './decisionNumbers';
import { methodInfo } from './methodInfo';
import { text } from './texts';

interface Pair {
  readonly name: string;
  readonly value: string;
  readonly from: string;
  readonly title?: string;
  readonly wrong?: boolean;
}

const Pairs = ({ pairs }: { pairs: readonly Pair[] }) => (
  <>
    {pairs.map(({ name, value, from, title, wrong = false }) => (
      <div key={`${from}-${name}`} class="bu-pair">
        <dt class="rs-second rs-cut" title={title ?? name}>
          {plainCode(name)}
        </dt>
        <dd
          class={`rs-cut${wrong ? ' bu-problem' : ''}`}
          title={wrong ? text('notAShare', { value }) : value}
        >
          {wrong && <Icon name="warning" small label={text('notAShare', { value })} />} {value}
        </dd>
        <dd class="rs-second rs-cut bu-from" title={from}>
          {from}
        </dd>
      </div>
    ))}
  </>
);

const pairsOf = (cells: Cells, from: string): Pair[] =>
  Object.entries(cells).map(([name, value]) => ({
    name,
    value: plainValue(value),
    from,
    wrong: isImpossible(name, value),
  }));

/** `1 of 16 = .0625`: counts and their rate in one line, where the counts are whole. */
const ratePair = ({ inputs }: DecisionView, from: string): Pair | null => {
  const { passRate, samples } = inputs;
  if (typeof passRate !== 'number' || typeof samples !== 'number' || !(samples > 0)) return null;
  if (isImpossible('passRate', passRate)) return null;
  const right = passRate * samples;
  // A predicted or smoothed rate is no count of right answers.
  if (Math.abs(right - Math.round(right)) > 1e-6 * Math.max(1, samples)) return null;
  const value = text('rateOf', { c: count(right), n: count(samples), rate: plainValue(passRate) });
  return { name: 'passRate', value, from };
};

const parameterFrom = (declared: Parameter | undefined, value: Cells[string] | undefined): string => {
  if (declared?.default === undefined) return text('parameter');
  return declared.default === value
    ? text('parameterDefault')
    : text('parameterOther', { value: plainValue(declared.default) });
};

/** Parameters as the method declares them: unit, meaning, and whether the value is the published one. */
const parameterPairs = ({ method, parameters }: DecisionView): Pair[] => {
  const declared = methodInfo(method).known?.parameters ?? [];
  return Object.entries(parameters).map(([name, value]) => {
    const own = declared.find((parameter) => parameter.name === name);
    const unit = own === undefined || own.unit === '' ? '' : ` ${own.unit}`;
    return {
      name,
      value: `${plainValue(value)}${unit}`,
      from: parameterFrom(own, value),
      ...(own ? { title: own.doc } : {}),
      wrong: isImpossible(name, value),
    };
  });
};

/** What the decision was made from, each with where it comes from. */
export const Inputs = ({ decision }: { decision: DecisionView }) => {
  const { parameters } = decision;
  const from = decision.step === null ? text('inputOf') : text('inputBefore', { step: decision.step });
  const rate = ratePair(decision, from);
  const own = pairsOf(decision.inputs, from).filter(
    ({ name }) => rate === null || (name !== 'passRate' && name !== 'samples'),
  );
  // What the rule was called with may stand in both: once is enough.
  const shared = Object.fromEntries(
    Object.entries(decision.shared).filter(([name, value]) => parameters[name] !== value),
  );
  const pairs = [
    ...(rate ? [rate] : []),
    ...own,
    ...pairsOf(shared, text('sharedBy', { n: count(decision.subjects) })),
    ...parameterPairs(decision),
  ];
  return (
    <section aria-label={text('inputs')} class="rs-small bu-block">
      {pairs.length === 0 ? (
        <p class="rs-second">{text('noInputs')}</p>
      ) : (
        <dl>
          <Pairs pairs={pairs} />
        </dl>
      )}
    </section>
  );
};
