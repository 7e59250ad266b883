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

const SVG = 'http://www.w3.org/2000/svg';
const LINE = 16;
const EDGE = 16;

const element = (
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): Element => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = content;
  return made;
};

/** Lines of about so many letters, broken between words. */
const wrapped = (text: string, letters: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > letters) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
};

export interface Captions {
  readonly title: string;
  /** Under the chart: what is drawn, and what a reader must know. */
  readonly lines: readonly string[];
  readonly ground: string;
  readonly text: string;
}

/** A chart as a file of its own: the colours of the theme written into it, its title above and its caveats below. */
export const svgOf = (
  chart: SVGSVGElement,
  { title, lines, ground, text }: Captions,
): SVGSVGElement | null => {
  const copy = chart.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return null;
  const from = chart.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((each, i) => {
    const source = from[i];
    if (!source) return;
    const style = getComputedStyle(source);
    for (const name of PAINT) each.setAttribute(name, style.getPropertyValue(name));
    each.removeAttribute('class');
    each.removeAttribute('style');
  });
  copy.querySelectorAll('[data-hover]').forEach((each) => each.remove());
  const { width, height } = chart.getBoundingClientRect();
  const said = lines.flatMap((line) => wrapped(line, Math.floor((width - 2 * EDGE) / 6)));
  const top = LINE + EDGE;
  const all = top + height + (said.length + 1) * LINE;
  const family = getComputedStyle(chart).fontFamily;
  const group = element('g', { transform: `translate(0 ${top})` });
  group.append(...copy.childNodes);
  const words = { fill: text, 'font-family': family };
  copy.replaceChildren(
    element('title', {}, title),
    element('desc', {}, lines.join(' ')),
    element('rect', { width: '100%', height: '100%', fill: ground }),
    element('text', { x: EDGE, y: EDGE + 4, 'font-size': 14, ...words }, title),
    group,
    ...said.map((line, i) =>
      element('text', { x: EDGE, y: top + height + (i + 1) * LINE, 'font-size': 11, ...words }, line),
    ),
  );
  for (const name of ['class', 'style', 'aria-label', 'tabindex']) copy.removeAttribute(name);
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(all));
  copy.setAttribute('viewBox', `0 0 ${width} ${all}`);
  return copy;
};

export const svgText = (svg: SVGSVGElement): string => new XMLSerializer().serializeToString(svg);

/** The same as a picture of points, base64; null where the browser cannot draw it. */
export const pngOf = (svg: SVGSVGElement, scale = 2): Promise<string | null> =>
  new Promise((resolve) => {
    const image = new Image();
    image.addEventListener('error', () => resolve(null));
    image.addEventListener('load', () => {
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(image.width * scale);
      canvas.height = Math.round(image.height * scale);
      const context = canvas.getContext('2d');
      if (!context) {
        resolve(null);
        return;
      }
      context.scale(scale, scale);
      context.drawImage(image, 0, 0);
      resolve(canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, ''));
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  });
