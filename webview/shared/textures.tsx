/** Status of rollouts in bars: each has a texture, so that no share is told by colour alone. */
export type Status =
  'used' | 'noGradient' | 'undecided' | 'running' | 'discarded' | 'killed' | 'carriedOver' | 'neverLaunched';

const url = (name: string): string => `url(#rs-texture-${name})`;

/** Fill of a status bar; the page needs `TextureDefs` once. */
export const STATUS_FILL: Readonly<Record<Status, string>> = {
  used: 'var(--rs-used)',
  noGradient: url('noGradient'),
  undecided: url('undecided'),
  running: url('running'),
  discarded: url('discarded'),
  killed: url('killed'),
  carriedOver: url('carriedOver'),
  neverLaunched: 'none',
};

/** Outline of a status bar. */
export const STATUS_LINE: Readonly<Record<Status, string>> = {
  used: 'var(--rs-used)',
  noGradient: 'var(--rs-second)',
  undecided: 'var(--rs-second)',
  running: 'var(--rs-blue)',
  discarded: 'var(--rs-orange)',
  killed: 'var(--rs-red)',
  carriedOver: 'var(--rs-purple)',
  neverLaunched: 'var(--rs-second)',
};

/** Hatching of tool time in strips. */
export const TOOL_FILL = url('tool');

/** The patterns; put once into a page, before the pictures that use them. */
export const TextureDefs = () => (
  <svg width="0" height="0" aria-hidden="true" class="rs-hidden">
    <defs>
      <pattern
        id="rs-texture-noGradient"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="4" height="4" fill="var(--rs-ground)" />
        <rect width="1.5" height="4" fill="var(--rs-second)" />
      </pattern>
      <pattern id="rs-texture-undecided" width="6" height="4" patternUnits="userSpaceOnUse">
        <rect width="6" height="4" fill="var(--rs-ground)" />
        <rect width="6" height="1" y="1.5" fill="var(--rs-second)" />
      </pattern>
      <pattern id="rs-texture-running" width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill="var(--rs-ground)" />
        <rect width="3" height="6" fill="var(--rs-blue)" />
      </pattern>
      <pattern id="rs-texture-discarded" width="4" height="4" patternUnits="userSpaceOnUse">
        <rect width="4" height="4" fill="var(--rs-ground)" />
        <circle cx="2" cy="2" r="1.4" fill="var(--rs-orange)" />
      </pattern>
      <pattern id="rs-texture-killed" width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" fill="var(--rs-ground)" />
        <path d="M0 0l5 5m0 -5l-5 5" stroke="var(--rs-red)" stroke-width="1" />
      </pattern>
      <pattern id="rs-texture-carriedOver" width="10" height="12" patternUnits="userSpaceOnUse">
        <rect width="10" height="12" fill="var(--rs-ground)" />
        <path d="M1 6h7m-3 -3l3 3l-3 3" fill="none" stroke="var(--rs-purple)" stroke-width="1.25" />
      </pattern>
      <pattern
        id="rs-texture-tool"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="1.5" height="4" fill="var(--rs-text)" />
      </pattern>
    </defs>
  </svg>
);

/** A sample of a status for a legend, 12 × 8. */
export const Swatch = ({ status, flat = false }: { status: Status; flat?: boolean }) => (
  <svg width="12" height="8" aria-hidden="true">
    <rect
      x=".5"
      y=".5"
      width="11"
      height="7"
      fill={flat ? STATUS_LINE[status] : STATUS_FILL[status]}
      stroke={STATUS_LINE[status]}
      stroke-dasharray={status === 'neverLaunched' ? '2 2' : undefined}
    />
  </svg>
);
