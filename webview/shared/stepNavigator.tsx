import { useState } from 'preact/hooks';
import { header, select, selection } from './host';
import { IconButton } from './iconButton';
import { say } from './strings';

const show = (step: number | null): void => select({ step, group: null, rollout: null, node: null });

/**
 * Walks the steps of a run: one back, one on, a slider where all steps are there (recorded and ended runs), and
 * the way back to the newest step while the run goes on.
 *
 * @param step the step that the panel shows; null: none yet.
 */
export const StepNavigator = ({ step: drawn }: { step: number | null }) => {
  const [dragged, setDragged] = useState<number | null>(null);
  const run = header.value;
  // What was asked for stands here at once; the picture of it may take a moment.
  const step = selection.value.step ?? drawn;
  if (!run || step === null || run.firstStep === null || run.lastStep === null) return null;
  const { firstStep: first, lastStep: last } = run;
  if (first >= last) return null;
  const over = run.state === 'recorded' || run.state === 'ended';
  const followed = selection.value.step === null;
  return (
    <span class="rs-steps" role="group" aria-label={say('steps')}>
      <IconButton
        icon="chevron-left"
        label={say('stepBack')}
        off={step <= first ? say('stepFirst', { step: first }) : null}
        onPress={() => show(step - 1)}
      />
      {over && (
        <input
          type="range"
          class="rs-slider"
          min={first}
          max={last}
          value={dragged ?? step}
          aria-label={say('stepSlider')}
          aria-valuetext={say('step', { step: dragged ?? step })}
          title={say('step', { step: dragged ?? step })}
          onInput={(event) => setDragged(event.currentTarget.valueAsNumber)}
          onChange={(event) => {
            setDragged(null);
            show(event.currentTarget.valueAsNumber);
          }}
        />
      )}
      {dragged !== null && <span class="rs-small rs-second">{say('step', { step: dragged })}</span>}
      <IconButton
        icon="chevron-right"
        label={say('stepOn')}
        off={step >= last ? say('stepLast', { step: last }) : null}
        onPress={() => show(step + 1)}
      />
      {!over && !followed && (
        <button type="button" class="rs-link rs-small" title={say('followTitle')} onClick={() => show(null)}>
          {say('follow')}
        </button>
      )}
    </span>
  );
};
