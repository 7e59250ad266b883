import { withUnit } from '../shared/format';
import { command } from '../shared/host';
import { palette } from '../shared/palette';
import { promptsText } from './chartAxes';
import { curveName, isCompared, type DrawnView } from './drawnView';
import { csvOf, fileName, rowsCsvOf } from './exportCsv';
import { pngOf, svgOf, svgText, type Captions } from './exportImage';
import { headlineOf } from './headline';
import { caveats } from './notes';
import { text } from './texts';

export const saveCsv = (view: DrawnView): void => {
  void command({ id: 'save', name: fileName(view, 'csv'), text: csvOf(view, caveats(view)) });
};

export const saveRows = (view: DrawnView): void => {
  void command({ id: 'save', name: fileName(view, 'csv', 'prompts'), text: rowsCsvOf(view) });
};

const captionsOf = (view: DrawnView): Captions => {
  const { title, text: second } = headlineOf(view);
  const drawn = [
    view.set,
    isCompared(view)
      ? text('chartName', {
          shown: curveName(view, view.shown ?? ''),
          against: curveName(view, view.against ?? ''),
        })
      : text('chart'),
    promptsText(view),
    ...(view.interval === 'none' ? [] : [text(view.interval, { level: withUnit('95', '%') })]),
    text('extrapolatedLegend'),
  ];
  return {
    title: second === '' ? title : `${title}. ${second}`,
    lines: [drawn.join(' · '), ...caveats(view)],
    ground: palette.value.ground,
    text: palette.value.text,
  };
};

const chart = (view: DrawnView): SVGSVGElement | null => {
  const drawn = document.querySelector('svg.pk-chart');
  return drawn instanceof SVGSVGElement ? svgOf(drawn, captionsOf(view)) : null;
};

export const saveSvg = (view: DrawnView): void => {
  const svg = chart(view);
  if (svg) void command({ id: 'save', name: fileName(view, 'svg'), text: svgText(svg) });
};

export const savePng = async (view: DrawnView): Promise<void> => {
  const svg = chart(view);
  const png = svg && (await pngOf(svg));
  if (png) await command({ id: 'save', name: fileName(view, 'png'), text: png, encoding: 'base64' });
};
