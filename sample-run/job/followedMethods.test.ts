import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AllocationInputs, Memory, PromptInput } from '../../methods/allocation/inputs';
import { allocationMethodById } from '../../methods/allocation/methods';
import { runToEnd } from '../../methods/allocation/runToEnd';
import type { Parameters } from '../../methods/parameters';
import { Rng } from '../../methods/random';
import { Value } from '@sinclair/typebox/value';
import { Decision } from '../../protocol/wire/values';
import type { PolicyParameters } from '../policy/policyParameters';
import { loadWeights } from '../policy/weights';
import { candidatesOf, followedAllocations } from './followedMethods';
import { allocationChoice, JobHarness, type Seen } from './jobHarness';

const SIZES = { promptsPerStep: 6, groupSize: 4 };
const STEPS = 3;

/** The shipped policy solves some sums and not others: groups of every kind. */
const shipped = loadWeights(readFileSync(join(import.meta.dirname, '../policy/weights.bin'))).parameters;

/** @param weights absent: a small policy that solves next to nothing. */
async function runWith(method: string, steps = STEPS, weights?: PolicyParameters): Promise<JobHarness> {
  const harness = new JobHarness({
    ...(weights === undefined ? {} : { weights: { ...weights, values: weights.values.slice() } }),
    settings: { steps, pace: 0, slots: 64, ...SIZES, allocation: allocationChoice(method, SIZES) },
  });
  await harness.job.run();
  return harness;
}

const bodyOf = ({ fields }: Seen): Decision => {
  const body: unknown = fields['body'];
  if (!Value.Check(Decision, body)) throw new Error('A decision without a body.');
  return body;
};

const decisionsOf = (harness: JobHarness, step: number, method: string): Decision[] =>
  harness
    .of('decision')
    .filter(({ fields }) => fields['step'] === step && fields['method'] === method)
    .map(bodyOf);

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** `3:2/8 5:4/8` as groups. */
const historyOf = (text: unknown): NonNullable<PromptInput['history']> =>
  typeof text !== 'string' || text === ''
    ? []
    : text.split(' ').map((group) => {
        const [step, successes, rollouts] = group.split(/[:/]/u).map(Number) as [number, number, number];
        return { step, successes, rollouts, meanReward: successes / rollouts };
      });

/** The prompts that the decisions of a step speak of, as the first one that names each saw them. */
function promptsOf(decisions: readonly Decision[]): PromptInput[] {
  const prompts = new Map<string, PromptInput>();
  for (const { subjects, inputs = {} } of decisions) {
    subjects.ids.forEach((id, row) => {
      const passRate = number(inputs['passRate']?.[row]);
      const samples = number(inputs['samples']?.[row]);
      const prediction = number(inputs['prediction']?.[row]);
      if (prompts.has(id)) return;
      prompts.set(id, {
        id,
        history: historyOf(inputs['history']?.[row]),
        ...(passRate === undefined
          ? {}
          : { passRate: { value: passRate, ...(samples === undefined ? {} : { samples }) } }),
        ...(prediction === undefined ? {} : { prediction }),
      });
    });
  }
  return [...prompts.values()];
}

/** Everything that a rule was called with, from its recorded decisions alone. */
function inputsOf(decisions: readonly Decision[]): AllocationInputs {
  const shared = decisions[0]!.shared ?? {};
  const step: Record<string, number> = {};
  for (const name of ['failureRate', 'epoch', 'step', 'totalSteps']) {
    const value = number(shared[name]);
    if (value !== undefined) step[name] = value;
  }
  const memory = shared['memory'];
  return {
    ...step,
    prompts: promptsOf(decisions),
    budget: number(shared['budget'])!,
    ...(typeof memory === 'string' ? { memory: JSON.parse(memory) as Memory } : {}),
  };
}

const launchesOf = (ids: readonly string[], counts: readonly number[]): [string, number][] =>
  ids.flatMap((id, i): [string, number][] => (counts[i]! > 0 ? [[id, counts[i]!]] : []));

describe('every allocation rule that the run follows', () => {
  it('is one of at least ten', () => expect(followedAllocations.length).toBeGreaterThanOrEqual(20));

  it.each(followedAllocations.map(({ id }) => id))(
    '%s: what is launched is what was decided, and the record alone gives the same decisions',
    async (id) => {
      const harness = await runWith(id, STEPS, shipped);
      const method = allocationMethodById(id);
      let followed = 0;
      for (let step = 1; step <= STEPS; step++) {
        const decisions = decisionsOf(harness, step, id);
        const groups = harness
          .of('groupClosed')
          .filter(({ fields }) => String(fields['group']).startsWith(`s${step}.`));
        // Launched, against all that the decisions of the step gave.
        const given = new Map<string, number>();
        for (const { subjects, outcome } of decisions) {
          subjects.ids.forEach((prompt, row) => {
            const count = number(outcome!['rollouts']![row])!;
            if (count > 0) given.set(prompt, (given.get(prompt) ?? 0) + count);
          });
        }
        const launched = new Map(
          groups.map(({ fields }) => [String(fields['group']).slice(`s${step}.`.length), fields['launched']]),
        );
        expect(launched).toEqual(given);

        // A rule that has no answer yet says so; the step is shared evenly then.
        if (decisions[0]!.shared?.['fallback'] === true) continue;
        followed++;
        const inputs = inputsOf(decisions);
        const rewards = inputs.prompts.map(({ id: prompt }) =>
          harness.job.state.memory.groups
            .get(`s${step}.${prompt}`)
            ?.rollouts.map(({ verdict }) => verdict?.reward ?? 0),
        );
        const { seed, stream } = decisions[0]!.shared!;
        const answers = runToEnd(
          method,
          inputs,
          Rng.from(Number(seed)).fork(String(stream)),
          (prompt, i) => rewards[prompt]![i]!,
          decisions[0]!.parameters as Parameters,
        );
        const said = answers.filter(({ requests }) => requests.length > 0);
        expect(said).toHaveLength(decisions.length);
        said.forEach(({ requests }, i) => {
          const { subjects, outcome, reasons, reasonCodes } = decisions[i]!;
          expect(subjects.ids).toEqual(requests.map(({ prompt }) => inputs.prompts[prompt]!.id));
          expect(outcome!['action']).toEqual(requests.map(({ action }) => action));
          expect(outcome!['rollouts']).toEqual(
            requests.map(({ action, count }) => (action === 'launch' ? count : 0)),
          );
          expect(reasonCodes).toEqual(requests.map(({ reasonCode }) => reasonCode));
          expect(reasons).toEqual(requests.map(({ reason }) => reason));
        });
        const asked = answers.at(-1)!.state.asked;
        expect(
          new Map(
            launchesOf(
              inputs.prompts.map((prompt) => prompt.id),
              asked,
            ),
          ),
        ).toEqual(launched);
      }
      expect(followed).toBeGreaterThan(0);
    },
  );

  it('shows more prompts than a step has to rules that choose among them', async () => {
    expect(candidatesOf('uniform', SIZES)).toBe(6);
    expect(candidatesOf('mopps', SIZES)).toBe(Infinity);
    const harness = await runWith('mopps', 1);
    const [chosen] = decisionsOf(harness, 1, 'mopps');
    expect(chosen!.subjects.ids).toHaveLength(96);
    expect(chosen!.outcome!['action']!.filter((action) => action === 'launch')).toHaveLength(6);
  });

  it('opens groups that a rule comes to later in the step, and leaves what it drops out of training', async () => {
    const harness = await runWith('dapo', 1);
    const plans = decisionsOf(harness, 1, 'dapo');
    // The small policy solves next to nothing, so one round does not fill the batch.
    expect(plans.length).toBeGreaterThan(2);
    const opened = harness.of('groupOpened').filter(({ fields }) => fields['step'] === 1);
    expect(opened.length).toBeGreaterThan(3 * SIZES.promptsPerStep);
    const dropped = plans.flatMap(({ subjects, outcome }) =>
      subjects.ids.filter((_, row) => outcome!['action']![row] === 'drop'),
    );
    expect(dropped.length).toBeGreaterThan(0);
    const discarded = new Set(
      harness.of('rolloutDiscarded').map(({ fields }) => String(fields['rollout']).split('.')[1]),
    );
    for (const prompt of dropped) expect(discarded).toContain(prompt);
  });

  it('is switched to live, with its parameters listed', async () => {
    const harness = new JobHarness({ settings: { steps: 1, pace: 0, slots: 64, ...SIZES } });
    const listed = harness.job.describe().methods;
    for (const { id } of followedAllocations) {
      expect(
        listed.find(({ kind, method }) => kind === 'allocation' && method === id)?.parameters,
      ).toBeDefined();
    }
    const answer = harness.steer('setMethod', {
      kind: 'allocation',
      method: 'far',
      parameters: { extra: 3 },
    });
    expect(answer).toMatchObject({ state: 'applied', fromStep: 1 });
    const refused = harness.steer('setMethod', { kind: 'allocation', method: 'aero', parameters: {} });
    expect(refused).toMatchObject({ refusal: 'outOfRange' });
    expect(refused.sentence).toMatch(/explore has no published value: give one/u);
    await harness.job.run();
    const [first] = decisionsOf(harness, 1, 'far');
    expect(first!.parameters).toEqual({ groupSize: 4, extra: 3 });
    const most = Math.max(...harness.of('groupClosed').map(({ fields }) => Number(fields['launched'])));
    expect(most).toBe(7);
  });
});
