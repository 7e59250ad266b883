import type { PassAtKView } from '../../protocol/panels/passAtK';

const COLUMNS = [
  'set',
  'source',
  'step',
  'policy_version',
  'k',
  'pass_at_k',
  'low_95',
  'high_95',
  'n_min',
  'n_max',
  'prompts',
  'points_against',
  'half_width_95',
  'against_step',
] as const;

/** A cell of RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
const cell = (value: string | number | null): string => {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Every curve with its intervals, one line a step and k; empty where there is no value (k > n). */
export const csvOf = (view: PassAtKView): string => {
  const lines = view.curves.flatMap((curve) =>
    view.k.map((k, i) => {
      const difference = view.difference.find((each) => each.step === curve.step && each.k === k);
      return [
        view.set,
        view.source,
        curve.step,
        curve.policyVersion,
        k,
        curve.value[i] ?? NaN,
        curve.low[i] ?? NaN,
        curve.high[i] ?? NaN,
        curve.nMin,
        curve.nMax,
        curve.prompts,
        difference?.value ?? null,
        difference?.halfWidth ?? null,
        difference ? view.against : null,
      ]
        .map(cell)
        .join(',');
    }),
  );
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
};

/** A file name of letters, digits, points, dashes and underscores. */
export const fileName = (view: PassAtKView, ending: string): string => {
  const set = view.set
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '')
    .slice(0, 60);
  return `pass-at-k${set === '' ? '' : `-${set}`}${view.shown === null ? '' : `-step-${view.shown}`}.${ending}`;
};

const PAINT = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'paint-order',
] as const;

/** A chart as a file of its own: the colours of the theme written into it. */
export const svgOf = (chart: SVGSVGElement, ground: string): string => {
  const copy = chart.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return '';
  const from = chart.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, i) => {
    const source = from[i];
    if (!source) return;
    const style = getComputedStyle(source);
    for (const name of PAINT) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  copy.querySelectorAll('[data-hover]').forEach((element) => element.remove());
  const { width, height } = chart.getBoundingClientRect();
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  rect.setAttribute('width', '100%');
  rect.setAttribute('height', '100%');
  rect.setAttribute('fill', ground);
  copy.prepend(rect);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  for (const name of ['class', 'style', 'role', 'aria-label', 'tabindex']) copy.removeAttribute(name);
  return new XMLSerializer().serializeToString(copy);
};
