import type { Curve } from '../../protocol/panels/passAtK';
import { curveAt, type DrawnView } from './drawnView';
import { caretCurve, caretK } from './passAtKState';
import { readoutText } from './readoutText';
import { text } from './texts';

/** The curve that the readout is about: chosen by the keys, else the shown one, else the first. */
export const caretOf = (view: DrawnView): Curve | null =>
  curveAt(view, caretCurve.value) ?? curveAt(view, view.paired ? view.shown : null) ?? view.curves[0] ?? null;

/** The fixed line under the chart, for mouse and caret alike. */
export const Readout = ({ view, id }: { view: DrawnView; id: string }) => {
  const curve = caretOf(view);
  const at = caretK.value;
  const said = curve && at >= 0 && at < view.k.length ? readoutText(view, curve, at) : text('readoutHint');
  return (
    <div id={id} class="pk-readout rs-small rs-second" role="status" title={said}>
      {said}
    </div>
  );
};
