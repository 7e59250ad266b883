export const STEPS = 7;

/** Greatest entropy on the scale, nats. */
export const ENTROPY_TOP = 3.2;

/** Step 0 to 6 of an amount on the sequential scale that runs from `min` to `max`; −1 when it is no number. */
export const sequentialStep = (x: number, min: number, max: number): number => {
  if (!Number.isFinite(x)) return -1;
  if (max <= min) return x > min ? STEPS - 1 : 0;
  return Math.min(STEPS - 1, Math.max(0, Math.floor(((x - min) / (max - min)) * STEPS)));
};

export const entropyStep = (x: number): number => sequentialStep(x, 0, ENTROPY_TOP);

/** Step −3 to 3 of a signed difference on a scale whose ends are ±`reach`. */
export const divergingStep = (x: number, reach: number): number => {
  if (!Number.isFinite(x)) return 0;
  if (reach <= 0) return Math.sign(x) * 3;
  return Math.round(Math.min(1, Math.max(-1, x / reach)) * 3);
};

/** Round ticks (1, 2, 5 × 10ⁿ) from 0 to `max`, at most `most` intervals. */
export const roundTicks = (max: number, most: number): readonly number[] => {
  if (!(max > 0) || most < 1) return [0];
  const raw = max / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw * (1 - 1e-9)) ?? 10) * power;
  const ticks: number[] = [];
  for (let i = 0; i * step <= max * (1 + 1e-9); i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
};

/** The least round number (1, 2, 5 × 10ⁿ and their half steps) that is not below `x`: the end of an axis. */
export const roundEnd = (x: number): number => {
  if (!(x > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  return (
    ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= x * (1 - 1e-9)) ?? 10) * power
  );
};
