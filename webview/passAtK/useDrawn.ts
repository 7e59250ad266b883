import type { PassAtKParams } from '../../protocol/panels/passAtK';
import { header, runs } from '../shared/host';
import { useView } from '../shared/view';
import type { DrawnView } from './drawnView';
import {
  againstKey,
  bootstrap,
  chosenPrompts,
  chosenRuns,
  curveBy,
  heldOutSet,
  layout,
  shownKey,
  source,
  threshold,
  upTo,
} from './passAtKState';
import { runCurves } from './runCurves';
import { useRuns } from './useRuns';

const paramsOf = (): PassAtKParams => ({
  source: source.value,
  set: source.value === 'heldOut' ? heldOutSet.value : null,
  by: curveBy.value === 'run' ? 'step' : curveBy.value,
  shown: shownKey.value,
  against: againstKey.value,
  upTo: upTo.value,
  threshold: source.value === 'training' ? threshold.value : null,
  prompts: curveBy.value === 'prompt' ? chosenPrompts.value : [],
  rows: layout.value === 'prompts' || curveBy.value === 'run',
  bootstrap: bootstrap.value,
});

/** The view of the shown run, or it and other open runs side by side. */
export const useDrawn = (): DrawnView | null | undefined => {
  const run = header.value;
  const byRun = curveBy.value === 'run';
  const params = paramsOf();
  const view = useView('passAtK', run ? params : null).value;
  const others = byRun
    ? runs.value.filter(({ key }) => key !== run?.run && (chosenRuns.value?.includes(key) ?? true))
    : [];
  const views = useRuns(
    others.map(({ key }) => key),
    { ...params, shown: null, against: null, upTo: null },
  ).value;
  if (!view) return view;
  if (!run) return null;
  if (!byRun) {
    const titles = run.methods.map(({ method, title }): [string, string] => [method, title]);
    return { ...view, names: view.by === 'method' ? Object.fromEntries<string>(titles) : {} };
  }
  const all = [
    { key: run.run, name: run.name, view },
    ...others.flatMap(({ key, name }) => {
      const other = views.get(key);
      return other ? [{ key, name, view: other }] : [];
    }),
  ];
  return runCurves(all, view.rows) ?? { ...view, by: 'run', names: {}, curves: [] };
};
