import type { PassAtKView } from '../../protocol/panels/passAtK';
import type { RunStore } from '../runStore';
import { NONE } from '../tables/chunks';

/** n and c of every prompt (by its row) at one step; n = 0: not measured. */
export interface Measurement {
  readonly set: string;
  readonly step: number;
  readonly policyVersion: number;
  readonly sampling: PassAtKView['sampling'];
  readonly n: Int32Array;
  readonly c: Int32Array;
}

/** Evaluations of the set that was evaluated last, by step; of two at one step the later one. */
export function heldOutMeasurements(store: RunStore): Measurement[] {
  const all = store.incarnations.flatMap(({ evaluations }) => evaluations);
  const name = all.at(-1)?.name;
  const byStep = new Map<number, Measurement>();
  for (const evaluation of all) {
    if (evaluation.name !== name) continue;
    const n = new Int32Array(store.prompts.count);
    const c = new Int32Array(store.prompts.count);
    evaluation.prompts.forEach((prompt, i) => {
      n[prompt]! += evaluation.n[i]!;
      c[prompt]! += evaluation.c[i]!;
    });
    const { step, policyVersion, sampling } = evaluation;
    byStep.set(step, {
      set: name,
      step,
      policyVersion,
      sampling: { temperature: sampling.temperature ?? null, topP: sampling.topP ?? null },
      n,
      c,
    });
  }
  return [...byStep.values()].sort((a, b) => a.step - b.step);
}

/** The most steps whose training groups are compared; older ones are left out. */
const TRAINING_STEPS = 60;

/** The groups of each closed step, rollouts from the root only. */
export function trainingMeasurements(store: RunStore): Measurement[] {
  return store
    .steps()
    .filter(({ step }) => step.isClosed && step.totals.n > 0)
    .slice(-TRAINING_STEPS)
    .map(({ incarnation, step }) => {
      const { groups, start } = incarnation;
      const n = new Int32Array(store.prompts.count);
      const c = new Int32Array(store.prompts.count);
      for (let group = step.firstGroup; group !== NONE; group = groups.nextInStep[group]!) {
        const prompt = groups.prompt[group]!;
        n[prompt]! += groups.rootN[group]!;
        c[prompt]! += groups.rootC[group]!;
      }
      const { temperature = null, topP = null } = start.sampling ?? {};
      return {
        set: 'training',
        step: step.number,
        policyVersion: step.policyVersion,
        sampling: { temperature, topP },
        n,
        c,
      };
    });
}
