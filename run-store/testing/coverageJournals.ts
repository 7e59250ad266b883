import { MANIFEST_NAME, type JournalManifest, JOURNAL_VERSION } from '../../protocol/journal/format';
import { Rng } from '../../methods/random';
import { Life } from './goldenJournals';

/** What is true of a set of problems: the success rate of each at each step. */
export interface Truth {
  readonly set: string;
  readonly prompts: readonly string[];
  /** Step → success rates, in the order of `prompts`. */
  readonly p: Readonly<Record<string, readonly number[]>>;
}

const PROMPTS = 120;
const STEPS = [0, 50, 100, 150, 200] as const;
const SAMPLES = 64;
/** Samples of the ragged set, by turns. */
const RAGGED = [8, 32, 64] as const;

const id = (i: number): string => `q-${String(i).padStart(3, '0')}`;
const DOMAINS = ['algebra', 'geometry'] as const;

/** Success rate at the start: few are easy, many are hard. */
const start = (i: number): number => {
  const x = (i + 0.5) / PROMPTS;
  return x * x * x;
};

/** Where a policy that sharpens ends: what it often solves it solves nearly always, what it seldom solves it loses. */
const sharpened = (i: number): number => {
  if (start(i) >= 0.06) return 0.6 + (0.38 * ((i * 37) % PROMPTS)) / PROMPTS;
  return i % 5 < 4 ? 0 : start(i);
};

/** Where a policy that learns evenly ends. */
const even = (i: number): number => start(i) + 0.35 * (1 - start(i)) * start(i) + 0.01;

const rates = (end: (i: number) => number, share: number): readonly number[] =>
  Array.from({ length: PROMPTS }, (_, i) => start(i) + share * (end(i) - start(i)));

const drawn = (rng: Rng, n: number, p: number): number => {
  let correct = 0;
  for (let i = 0; i < n; i++) if (rng.float() < p) correct += 1;
  return correct;
};

/**
 * Two small runs with known truth, on the same problems: in `sharpened` coverage shrinks while accuracy grows, in
 * `even` both grow. Path below test/golden/coverage-v1 → content; `truth.json` stands beside each journal.
 */
export function coverageJournals(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const [name, end] of [
    ['sharpened', sharpened],
    ['even', even],
  ] as const) {
    for (const [path, content] of journal(name, end)) files.set(`${name}/${path}`, content);
  }
  return files;
}

function journal(name: string, end: (i: number) => number): Map<string, Buffer> {
  const manifest: JournalManifest = {
    format: 'rolloutscope-journal',
    version: JOURNAL_VERSION,
    run: {
      id: `coverage-${name}`,
      name: `coverage ${name}`,
      framework: 'none',
      startedAt: 1_700_000_000_000,
    },
  };
  const files = new Map<string, Buffer>([[MANIFEST_NAME, Buffer.from(`${JSON.stringify(manifest)}\n`)]]);
  const life = new Life(files, 1);
  const rng = Rng.from(`coverage journal ${name}`);
  life.add('runState', { state: 'running' });
  for (let i = 0; i < PROMPTS; i++) {
    const difficulty = i < 40 ? 'hard' : i < 80 ? 'middle' : 'easy';
    life.add('promptDeclared', { prompt: id(i), difficulty, domain: DOMAINS[i % 2]!, split: 'heldOut' });
  }
  evaluation(life, 'ragged', 0, rates(end, 0), rng, (i) => RAGGED[i % RAGGED.length]!);
  if (name === 'sharpened') training(life);
  const p: Record<string, readonly number[]> = {};
  for (const step of STEPS) {
    const now = rates(end, step / STEPS[STEPS.length - 1]!);
    p[step] = now;
    evaluation(life, 'held-out', step, now, rng, () => SAMPLES);
  }
  life.close();
  const truth: Truth = { set: 'held-out', prompts: Array.from({ length: PROMPTS }, (_, i) => id(i)), p };
  files.set('truth.json', Buffer.from(`${JSON.stringify(truth)}\n`));
  return files;
}

function evaluation(
  life: Life,
  name: string,
  step: number,
  p: readonly number[],
  rng: Rng,
  samples: (i: number) => number,
): void {
  const n = p.map((_, i) => samples(i));
  life.add('evaluation', {
    evaluation: `${name}-${step}`,
    name,
    step,
    policyVersion: step,
    sampling: { temperature: 1, topP: 1 },
    problems: { prompts: p.map((_, i) => id(i)), n, c: n.map((each, i) => drawn(rng, each, p[i]!)) },
  });
  life.line();
}

/** Rewards of a group with forks: four trees, of which the first has three leaves and the second two. */
const LEAVES = [1, 0, 0, 1, 1, 0, 1] as const;

/** One step: plain groups, a group with forks by an online rule, and the same forks chosen after the outcome. */
function training(life: Life): void {
  life.step(1);
  for (let g = 0; g < 6; g++) {
    const rewards = Array.from({ length: 8 }, (_, i) => (i < g ? 1 : 0));
    life.group(
      `g-${g}`,
      `t-${g}`,
      1,
      rewards.map((reward, i) => [`g-${g}.${i}`, 'text', reward] as const),
    );
  }
  forks(life, 'online');
  forks(life, 'after-outcome');
  life.endStep(1);
}

function forks(life: Life, position: 'online' | 'after-outcome'): void {
  const group = `f-${position}`;
  life.add('groupOpened', { group, prompt: `fork-${position}`, step: 1, planned: LEAVES.length });
  const open = (i: number, from: number | null, at: number | null, decision: string | null): void => {
    const origin = from === null ? 'sampled' : 'forked';
    const fromNode = from === null ? null : `${group}.${from}.n`;
    const rollout = `${group}.${i}`;
    life.add('rolloutOpened', { rollout, group, fromNode, at, origin, use: 'train', decision });
    life.add('nodeOpened', { node: `${rollout}.n`, rollout, parent: fromNode, at, kind: 'tokens', origin });
  };
  for (const i of [0, 1, 2, 3]) open(i, null, null, null);
  const decide = (from: number): string => {
    const decision = `${group}.d${from}`;
    life.add('decision', {
      decision,
      kind: 'fork',
      method: 'entropy',
      step: 1,
      sentence: 'Forked where the entropy is highest.',
      body: {
        parameters: {},
        subjects: { type: 'node', ids: [`${group}.${from}.n`] },
        position,
        children: 'same-policy',
      },
    });
    return decision;
  };
  const first = decide(0);
  open(4, 0, 4, first);
  open(5, 0, 4, first);
  open(6, 1, 6, decide(1));
  LEAVES.forEach((reward, i) => {
    life.add('nodeClosed', { node: `${group}.${i}.n`, length: 10, ending: 'finished' });
    life.add('rolloutClosed', { rollout: `${group}.${i}`, ending: 'finished', length: 10, reward });
  });
  const launched = LEAVES.length;
  life.add('groupClosed', { group, launched, finished: launched, discarded: 0, killed: 0, carriedOver: 0 });
  life.line();
}
