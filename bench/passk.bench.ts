import { PassAtKTable, powersOfTwo } from '../methods/estimators/passAtKTable';
import { sampleBeta } from '../methods/distributions';
import { Rng } from '../methods/random';

/** Arguments: prompts (10000), greatest n (1024), rounds (15). */
const PROMPTS = Number(process.argv[2] ?? 10_000);
const GREATEST = Number(process.argv[3] ?? 1024);
const ROUNDS = Number(process.argv[4] ?? 15);
const WARM_UP = 5;
const CHANGED = PROMPTS / 10;

interface Counts {
  readonly n: Int32Array;
  readonly c: Int32Array;
}

/** Each n from `least` to the greatest, as often on each octave: what an allocator leaves behind. */
function drawn(rng: Rng, size: number, least: number): Counts {
  const n = new Int32Array(size);
  const c = new Int32Array(size);
  for (let i = 0; i < size; i++) {
    n[i] = Math.round(least * (GREATEST / least) ** rng.float());
    const p = sampleBeta(rng, 0.4, 1);
    for (let j = 0; j < n[i]!; j++) if (rng.float() < p) c[i]! += 1;
  }
  return { n, c };
}

/** The least that any table must do: n, c in, one subtraction and two sums at each k. */
function floor({ n, c }: Counts, ks: readonly number[]): number {
  const values = new Float64Array(n.length * ks.length);
  for (let i = 0; i < n.length; i++) {
    const share = 1 - c[i]! / n[i]!;
    for (let j = 0; j < ks.length; j++) values[i * ks.length + j] = 1 - share;
  }
  let sum = 0;
  for (const value of values) sum += value;
  let squares = 0;
  for (const value of values) squares += (value - sum / values.length) ** 2;
  return squares;
}

function median(run: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const start = performance.now();
    run();
    const took = performance.now() - start;
    if (round >= WARM_UP) times.push(took);
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

function print(name: string, value: number, unit: string, n: number): void {
  console.log(JSON.stringify({ bench: 'passk', name, value: Number(value.toPrecision(4)), unit, n }));
}

const rng = Rng.from('passk');
const counts = drawn(rng, PROMPTS, 4);
const equal = drawn(rng, PROMPTS, GREATEST);
const ks = powersOfTwo(GREATEST);

function filled({ n, c }: Counts): PassAtKTable {
  const table = new PassAtKTable(ks);
  for (let i = 0; i < n.length; i++) table.set(i, n[i]!, c[i]!);
  return table;
}

print(
  'floor_ms',
  median(() => floor(counts, ks)),
  'ms',
  PROMPTS,
);
print(
  'curve_ms',
  median(() => filled(counts).curves()),
  'ms',
  PROMPTS,
);
print(
  'curve_equal_n_ms',
  median(() => filled(equal).curves()),
  'ms',
  PROMPTS,
);

const table = filled(counts);
const updates = Array.from({ length: WARM_UP + ROUNDS }, () => ({
  ...drawn(rng, CHANGED, 4),
  prompts: Array.from({ length: CHANGED }, () => rng.below(PROMPTS)),
}));
let next = 0;
const update = (): unknown => {
  const { n, c, prompts } = updates[next++ % updates.length]!;
  prompts.forEach((prompt, i) => table.set(prompt, n[i]!, c[i]!));
  return table.curves();
};
print('update_ms', median(update), 'ms', CHANGED);
