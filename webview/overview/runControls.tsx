import { Button } from '../shared/controls';
import { command, header, pending } from '../shared/host';
import { MenuButton } from '../shared/menuButton';
import { breakpoint } from '../shared/panelSize';
import { steeringShown, whyNotSteer } from '../shared/steering';
import { text } from './texts';

const runPending = (action: string): boolean =>
  pending.value.some((subject) => subject.type === 'run' && subject.action === action);

const MODES = [
  ['step-boundary', 'pauseBoundary', 'pauseBoundaryDetail'],
  ['drain', 'pauseDrain', 'pauseDrainDetail'],
  ['now', 'pauseNow', 'pauseNowDetail'],
] as const;

/** Pause in its modes, Resume, One step: each asks the host, which previews and confirms. */
export const RunControls = () => {
  const run = header.value;
  if (!run || !steeringShown()) return null;
  const offered = MODES.filter(([mode]) => run.capabilities.includes(`steer.pause.${mode}`));
  const anyPause = offered.length === 0 ? whyNotSteer('steer.pause.step-boundary') : whyNotSteer();
  const step = (
    <Button
      icon="debug-step-over"
      title={text('oneStepTitle')}
      off={whyNotSteer('steer.step')}
      requested={runPending('step')}
      label={text('oneStep')}
      onPress={() => void command({ id: 'step' })}
    >
      {breakpoint.value === 'narrow' ? null : text('oneStep')}
    </Button>
  );
  if (run.paused) {
    return (
      <>
        <Button
          icon="debug-continue"
          off={whyNotSteer()}
          requested={runPending('resume')}
          onPress={() => void command({ id: 'resume', target: 'run' })}
        >
          {text('resume')}
        </Button>
        {step}
      </>
    );
  }
  return (
    <>
      <MenuButton
        text={text('pause')}
        icon="debug-pause"
        title={text('pauseTitle')}
        off={anyPause}
        requested={runPending('pause')}
        items={offered.map(([mode, label, detail]) => ({
          label: text(label),
          detail: text(detail),
          run: () => void command({ id: 'pause', target: 'run', mode }),
        }))}
      />
      {step}
    </>
  );
};
