const WIDTH = 72;
const HEIGHT = 24;

/** Points of a series in a box, with gaps where there is no value. */
export const sparkPath = (
  series: readonly number[],
  median: number | null,
): {
  readonly d: string;
  readonly medianY: number | null;
  readonly end: readonly [number, number] | null;
} => {
  const known = series.filter((value) => Number.isFinite(value));
  if (known.length === 0) return { d: '', medianY: null, end: null };
  const all = median === null || !Number.isFinite(median) ? known : [...known, median];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const x = (i: number): number => 2 + (series.length < 2 ? 1 : i / (series.length - 1)) * (WIDTH - 6);
  const y = (value: number): number =>
    high === low ? HEIGHT / 2 : 3 + ((high - value) / (high - low)) * (HEIGHT - 6);
  let d = '';
  let pen = 'M';
  let end: readonly [number, number] | null = null;
  series.forEach((value, i) => {
    if (!Number.isFinite(value)) {
      pen = 'M';
      return;
    }
    d += `${pen}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = 'L';
    end = [x(i), y(value)];
  });
  return { d, medianY: median === null || !Number.isFinite(median) ? null : y(median), end };
};

/** 72 × 24: the last steps, their median dashed, the present value as a point. */
export const Sparkline = ({
  label,
  series,
  median,
}: {
  /** The line in words; empty: it is decoration. */
  label: string;
  series: readonly number[];
  median: number | null;
}) => {
  const { d, medianY, end } = sparkPath(series, median);
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {medianY !== null && (
        <line
          x1="0"
          x2={WIDTH}
          y1={Math.round(medianY) + 0.5}
          y2={Math.round(medianY) + 0.5}
          stroke="var(--rs-second)"
          stroke-opacity=".5"
          stroke-dasharray="2 2"
        />
      )}
      <path d={d} fill="none" stroke="var(--rs-second)" stroke-width="1.25" stroke-linejoin="round" />
      {end !== null && <circle cx={end[0]} cy={end[1]} r="2.5" fill="var(--rs-text)" />}
    </svg>
  );
};
