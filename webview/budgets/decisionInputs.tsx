import type { DecisionView } from '../../protocol/panels/budgets';
import { count, plainValue } from '../shared/format';
import { plainCode } from '../shared/ledgerSums';
import type { Cells } from './decisionNumbers';
import { text } from './texts';

const Pairs = ({ cells, from }: { cells: Cells; from: string }) => (
  <>
    {Object.entries(cells).map(([name, value]) => (
      <div key={name} class="bu-pair">
        <dt class="rs-second rs-cut" title={name}>
          {plainCode(name)}
        </dt>
        <dd class="rs-cut" title={String(value)}>
          {plainValue(value)}
        </dd>
        <dd class="rs-second rs-cut bu-from">{from}</dd>
      </div>
    ))}
  </>
);

const without = (cells: Cells, drop: (name: string, value: Cells[string]) => boolean): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([name, value]) => !drop(name, value ?? null)));

/** `1 of 16 = .0625`: counts and their rate in one line. */
const ratePair = ({ inputs }: DecisionView): Cells => {
  const { passRate, samples } = inputs;
  if (typeof passRate !== 'number' || typeof samples !== 'number') return {};
  const right = Math.round(passRate * samples);
  return { passRate: text('rateOf', { c: count(right), n: count(samples), rate: plainValue(passRate) }) };
};

/** What the decision was made from, each with where it comes from. */
export const Inputs = ({ decision }: { decision: DecisionView }) => {
  const { parameters } = decision;
  const own = ratePair(decision);
  const inputs = { ...without(decision.inputs, (name) => name === 'samples' && 'passRate' in own), ...own };
  // What the rule was called with may stand in both: once is enough.
  const shared = without(decision.shared, (name, value) => parameters[name] === value);
  const none = [inputs, shared, parameters].every((cells) => Object.keys(cells).length === 0);
  return (
    <section aria-label={text('inputs')} class="rs-small bu-block">
      {none ? (
        <p class="rs-second">{text('noInputs')}</p>
      ) : (
        <dl>
          <Pairs cells={inputs} from={text('inputOf')} />
          <Pairs cells={shared} from={text('sharedBy', { n: count(decision.subjects) })} />
          <Pairs cells={parameters} from={text('parameter')} />
        </dl>
      )}
    </section>
  );
};
