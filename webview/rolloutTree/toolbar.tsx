import { useSignal, type Signal } from '@preact/signals';
import { Button, Dropdown, TextField } from '../shared/controls';
import { isPending, searchAsked } from '../shared/host';
import { IconButton } from '../shared/iconButton';
import { PANE } from '../shared/keys';
import { breakpoint } from '../shared/panelSize';
import { SideToggle } from '../shared/sidePane';
import { steeringShown } from '../shared/steering';
import { count } from '../shared/format';
import { forkAction, pauseAction, stopAction } from './actions';
import type { Overlay } from './overlay';
import { text } from './texts';
import type { TreeModel } from './treeModel';
import { caret, colour, creditRule, search } from './treeState';

const SteeringButtons = ({ model, chosen }: { model: TreeModel; chosen: number }) => {
  const narrow = breakpoint.value === 'narrow';
  const { prompt } = model.view;
  const fork = forkAction(model, chosen, caret.value);
  const stop = stopAction(model, chosen);
  const pause = pauseAction(prompt);
  const pausing = isPending('prompt', prompt, 'pause');
  return (
    <>
      <Button icon="repo-forked" title={fork.title} off={fork.off} onPress={fork.run}>
        {text('forkHere')}
      </Button>
      {narrow ? (
        <>
          <IconButton icon="debug-stop" label={text('stopBranch')} off={stop.off} onPress={stop.run} />
          <IconButton icon="debug-pause" label={text('pausePrompt')} off={pause.off} onPress={pause.run} />
        </>
      ) : (
        <>
          <Button icon="debug-stop" title={stop.title} off={stop.off} onPress={stop.run}>
            {text('stopBranch')}
          </Button>
          <Button
            icon="debug-pause"
            title={pause.title}
            off={pause.off}
            requested={pausing}
            onPress={pause.run}
          >
            {text('pausePrompt')}
          </Button>
        </>
      )}
    </>
  );
};

/** What the strips are painted by, whose advantages, the search; at the right what acts on the selection. */
export const Toolbar = ({
  model,
  overlays,
  overlay,
  chosen,
  hits,
  onNextHit,
  drawer,
}: {
  model: TreeModel;
  overlays: readonly Overlay[];
  overlay: Overlay | null;
  chosen: number;
  hits: ReadonlySet<number> | null;
  onNextHit: (back: boolean) => void;
  /** The text pane, where it is a drawer. */
  drawer: Signal<boolean>;
}) => {
  const composing = useSignal(false);
  const { view } = model;
  const narrow = breakpoint.value === 'narrow';
  const all = count(view.rollouts.id.length);
  return (
    <div class="rs-toolbar tree-toolbar" role="toolbar" aria-label={text('pictureHead')} {...PANE}>
      {overlay !== null && (
        <Dropdown
          label={text('colour')}
          value={overlay.name}
          options={overlays.map(({ name }) => ({ value: name, label: text(name) }))}
          onChange={(name) => {
            colour.value = name;
          }}
        />
      )}
      {view.rules.length > 1 && !narrow && (
        <Dropdown
          label={text('creditRule')}
          value={view.rule ?? view.rules[0] ?? ''}
          options={view.rules.map((rule) => ({ value: rule, label: text('ruleOption', { rule }) }))}
          onChange={(rule) => {
            creditRule.value = rule;
          }}
        />
      )}
      <span
        class="tree-search"
        role="search"
        onCompositionStart={() => {
          composing.value = true;
        }}
        onCompositionEnd={() => {
          composing.value = false;
        }}
        onKeyDown={(event) => {
          if (composing.value) return;
          if (event.key === 'Enter') onNextHit(event.shiftKey);
          else if (event.key === 'Escape') search.value = '';
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <TextField
          label={text('searchLabel')}
          placeholder={text('search')}
          icon="search"
          value={search.value}
          focusAsked={searchAsked.value}
          onInput={(value) => {
            search.value = value;
          }}
        />
        {hits !== null && (
          <span class="rs-second rs-small" role="status">
            {hits.size === 0 ? text('noHits', { all }) : text('hits', { count: count(hits.size), all })}
          </span>
        )}
      </span>
      <span class="rs-grow" />
      {steeringShown() && <SteeringButtons model={model} chosen={chosen} />}
      <SideToggle label={text('text')} open={drawer} />
    </div>
  );
};
