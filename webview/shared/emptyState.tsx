import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls';
import { command, header, select, selection } from './host';
import { Icon, type IconName } from './icon';
import { say } from './strings';

export interface EmptyAction {
  readonly label: string;
  readonly look?: 'primary' | 'secondary' | 'plain';
  readonly run: () => void;
}

/** Says what is so, then what a person can do. */
export const EmptyState = ({
  icon,
  title,
  text,
  actions = [],
}: {
  icon: IconName;
  title: string;
  text?: string;
  actions?: readonly EmptyAction[];
}) => (
  <div class="rs-empty" role="status">
    <Icon name={icon} />
    <h2 class="rs-strong">{title}</h2>
    {text !== undefined && <p class="rs-second rs-small">{text}</p>}
    {actions.length > 0 && (
      <div class="rs-row">
        {actions.map((action) => (
          <Button key={action.label} look={action.look ?? 'secondary'} onPress={action.run}>
            {action.label}
          </Button>
        ))}
      </div>
    )}
  </div>
);

const NoRun = () => (
  <EmptyState
    icon="plug"
    title={say('noRunTitle')}
    text={say('noRunText')}
    actions={[
      { label: say('startSampleRun'), look: 'primary', run: () => void command({ id: 'startSampleRun' }) },
      { label: say('attach'), run: () => void command({ id: 'attach' }) },
    ]}
  />
);

/** Grey strips in the shape of the picture after 200 ms and a 2 px progress line; nothing shimmers. */
export const Loading = ({ text, done, all }: { text?: string; done?: number; all?: number }) => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return <div class="rs-loading" />;
  const share = done === undefined || all === undefined || all <= 0 ? null : done / all;
  return (
    <div class="rs-loading" role="status">
      <div class="rs-row rs-small">
        <span class="rs-grow">{text ?? say('loading')}</span>
        {share !== null && (
          <span class="rs-second">{say('amounts', { done: done ?? 0, all: all ?? 0 })}</span>
        )}
      </div>
      <div class={`rs-progress${share === null ? ' rs-progress-unknown' : ''}`}>
        <div style={share === null ? undefined : { width: `${share * 100}%` }} />
      </div>
      <svg class="rs-skeleton" width="100%" height="140" aria-hidden="true">
        {[92, 64, 74, 40, 80, 58].map((width, i) => (
          <rect
            key={width}
            x={`${(i % 3) * 6}%`}
            y={i * 20 + 12}
            width={`${width - 12}%`}
            height="8"
            fill="var(--rs-strip)"
          />
        ))}
      </svg>
    </div>
  );
};

/** A step that a person has asked for before it began. */
const NotBegun = ({ step, newest }: { step: number; newest: number | null }) => (
  <EmptyState
    icon="watch"
    title={say('stepNotBegunTitle', { step })}
    text={say('waitingText')}
    actions={
      newest === null
        ? []
        : [{ label: say('showStep', { step: newest }), run: () => select({ step: newest }) }]
    }
  />
);

/**
 * What stands in the place of a picture that has no data: no run, not answered yet, nothing yet. null when
 * there is data and the picture can be drawn.
 */
export const absenceOf = (data: unknown) => {
  const run = header.value;
  if (run === null) return <NoRun />;
  if (data === undefined || run === undefined) return <Loading />;
  if (data !== null) return null;
  const { step } = selection.value;
  if (step !== null && (run.lastStep === null || step > run.lastStep)) {
    return <NotBegun step={step} newest={run.lastStep} />;
  }
  return <EmptyState icon="watch" title={say('waitingTitle')} text={say('waitingText')} />;
};
