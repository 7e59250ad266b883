import type { PassAtKView } from '../../protocol/panels/passAtK';
import type { Incarnation } from '../incarnation';
import type { EvaluationRecord } from '../records';
import type { RunStore } from '../runStore';
import type { Step } from '../step';
import { type TrainingFacts, NO_FACTS, addFacts, countStep } from './trainingCounts';

/** n and c of every prompt (by its row) with the weights of one step; n = 0: not measured. */
export interface Measurement {
  /** Unique in a list: the step, the policy version or the method it stands for. */
  readonly key: string;
  readonly set: string;
  readonly step: number;
  readonly policyVersion: number;
  /** Allocation method in force; null: not recorded. */
  readonly method: string | null;
  readonly sampling: PassAtKView['sampling'];
  /** Independent samples: rollouts that began at the prompt. */
  readonly n: Int32Array;
  readonly c: Int32Array;
  /** Success rate of each independent tree, by prompt row, where the tree-aware form holds. */
  readonly trees: ReadonlyMap<number, readonly number[]>;
  /** Evaluations or steps whose samples it pools. */
  readonly pooled: number;
  readonly facts: TrainingFacts;
  /** Steps whose groups are counted; empty for evaluations. */
  readonly steps: readonly { readonly incarnation: Incarnation; readonly step: Step }[];
}

const NO_TREES: ReadonlyMap<number, readonly number[]> = new Map();

/** Names of the sets that were evaluated, the last one first. */
export function evaluatedSets(store: RunStore): string[] {
  const names = store.incarnations.flatMap(({ evaluations }) => evaluations.map(({ name }) => name));
  return [...new Set(names.reverse())];
}

/** Evaluations of one set (by itself: the one evaluated last), by step; of two at one step the later one. */
export function heldOutMeasurements(store: RunStore, set = evaluatedSets(store)[0]): Measurement[] {
  const byStep = new Map<number, Measurement>();
  for (const { evaluations } of store.incarnations) {
    for (const evaluation of evaluations) {
      if (evaluation.name === set) byStep.set(evaluation.step, heldOut(store, evaluation));
    }
  }
  return [...byStep.values()].sort((a, b) => a.step - b.step);
}

function heldOut(store: RunStore, evaluation: EvaluationRecord): Measurement {
  const n = new Int32Array(store.prompts.count);
  const c = new Int32Array(store.prompts.count);
  evaluation.prompts.forEach((prompt, i) => {
    n[prompt]! += evaluation.n[i]!;
    c[prompt]! += evaluation.c[i]!;
  });
  const { step, policyVersion, sampling, name } = evaluation;
  return {
    key: String(step),
    set: name,
    step,
    policyVersion,
    method: store.findStep(step)?.step.allocationMethod ?? null,
    sampling: { temperature: sampling.temperature ?? null, topP: sampling.topP ?? null },
    n,
    c,
    trees: NO_TREES,
    pooled: 1,
    facts: NO_FACTS,
    steps: [],
  };
}

/** The most steps whose training groups are compared; older ones are left out. */
const TRAINING_STEPS = 60;

const hasResults = ({ step }: { readonly step: Step }): boolean => step.isClosed && step.totals.n > 0;

/** How many closed steps with results the run has, those that are left out included. */
export const trainingSteps = (store: RunStore): number => store.steps().filter(hasResults).length;

/**
 * The groups of each closed step.
 *
 * @param threshold total reward from which a rollout is a success; null: as the job says.
 */
export function trainingMeasurements(store: RunStore, threshold: number | null = null): Measurement[] {
  return store
    .steps()
    .filter(hasResults)
    .slice(-TRAINING_STEPS)
    .map(({ incarnation, step }) => {
      const { temperature = null, topP = null } = incarnation.start.sampling ?? {};
      return {
        key: String(step.number),
        set: 'training',
        step: step.number,
        policyVersion: step.policyVersion,
        method: step.allocationMethod,
        sampling: { temperature, topP },
        pooled: 1,
        steps: [{ incarnation, step }],
        ...countStep(incarnation, step, store.prompts.count, threshold),
      };
    });
}

/** Measurements with the same key as one, their samples together; in the order of the newest of each. */
export function pooledBy(
  measurements: readonly Measurement[],
  keyOf: (measurement: Measurement) => string,
): Measurement[] {
  const groups = new Map<string, Measurement[]>();
  for (const one of measurements) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return [...groups]
    .map(([key, members]) => ({ ...members.reduce(together), key }))
    .sort((a, b) => a.step - b.step);
}

function together(a: Measurement, b: Measurement): Measurement {
  const trees = new Map<number, readonly number[]>();
  for (const prompt of new Set([...a.trees.keys(), ...b.trees.keys()])) {
    trees.set(prompt, [...unitsOf(a, prompt), ...unitsOf(b, prompt)]);
  }
  return {
    ...b,
    n: b.n.map((n, i) => n + a.n[i]!),
    c: b.c.map((c, i) => c + a.c[i]!),
    trees,
    pooled: a.pooled + b.pooled,
    facts: addFacts(a.facts, b.facts),
    steps: [...a.steps, ...b.steps],
  };
}

/** Success of each independent unit of a prompt: a rate a tree, else 0 or 1 a rollout. */
function unitsOf({ n, c, trees }: Measurement, prompt: number): readonly number[] {
  const known = trees.get(prompt);
  if (known) return known;
  return Array.from({ length: n[prompt]! }, (_, i) => (i < c[prompt]! ? 1 : 0));
}
