import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeView } from '../../protocol/panels/tree';
import { Banner } from '../shared/banner';
import type { BannerItem } from '../shared/bannerItems';
import { absenceOf, EmptyState } from '../shared/emptyState';
import { PanelHeader } from '../shared/header';
import { command, header, selection } from '../shared/host';
import { PANE } from '../shared/keys';
import { mismatchOf } from '../shared/ledgerSums';
import { breakpoint } from '../shared/panelSize';
import { isStill } from '../shared/steering';
import { say } from '../shared/strings';
import { TableBehind } from '../shared/tableBehind';
import { useView } from '../shared/view';
import { Figures } from './figures';
import { axisEnd } from './layout';
import { overlaysOf } from './overlay';
import { Picture } from './picture';
import { Sash } from './sash';
import { TextPane } from './textPane';
import { text } from './texts';
import { Toolbar } from './toolbar';
import { treeTable } from './treeTable';
import { buildModel, pathOf } from './treeModel';
import { choose, hitsOf, levelUp, useFresh } from './choosing';
import { marksInView } from './treeLegend';
import { chosenOf, colour, creditRule, currentRollout, pictureShare, search } from './treeState';
import { treeKey } from './treeKeys';

const mismatchBanner = (view: TreeView): readonly BannerItem[] => {
  const mismatch = mismatchOf(view.ledger);
  if (mismatch === null) return [];
  return [
    {
      key: `mismatch-${view.group}`,
      level: 'warning',
      icon: 'error',
      title: say('mismatchTitle'),
      text: mismatch,
      link: {
        label: say('events'),
        run: () => void command({ id: 'showEvents', subjectType: 'group', subject: view.group }),
      },
    },
  ];
};

const Body = ({ view }: { view: TreeView }) => {
  const model = useMemo(() => buildModel(view), [view]);
  const overlays = useMemo(() => overlaysOf(view), [view]);
  const marks = useMemo(() => marksInView(model), [model]);
  const overlay = overlays.find(({ name }) => name === colour.value) ?? overlays[0] ?? null;
  const axis = useRef({ group: view.group, end: 0 });
  if (axis.current.group !== view.group) axis.current = { group: view.group, end: 0 };
  axis.current.end = axisEnd(model.longest, axis.current.end);
  useFresh(view.group);
  // Counts in medium panels only, where the text is a drawer over the picture.
  const drawer = useSignal(false);
  const show = useRef<(row: number) => void>(() => undefined);
  const chosen = useMemo(() => chosenOf(model), [model, selection.value]);
  const currentId = currentRollout.value;
  const named = useMemo(
    () => (currentId === null ? -1 : view.rollouts.id.indexOf(currentId)),
    [view, currentId],
  );
  const current = named >= 0 ? named : chosen >= 0 ? chosen : (model.layout.rolloutAt[0] ?? -1);
  const path = useMemo(() => (chosen < 0 ? [] : pathOf(model, chosen)), [model, chosen]);
  const hits = useMemo(() => hitsOf(model, search.value), [model, search.value]);
  const narrow = breakpoint.value === 'narrow';

  const moveTo = (rollout: number): void => {
    currentRollout.value = view.rollouts.id[rollout] ?? null;
    show.current(model.layout.rowOf[rollout] ?? -1);
  };
  // A selection made elsewhere comes into view; growth alone moves nothing.
  const shownChoice = useRef<string | null>(null);
  useEffect(() => {
    const id = view.rollouts.id[chosen] ?? null;
    if (id === shownChoice.current) return;
    shownChoice.current = id;
    if (chosen >= 0) show.current(model.layout.rowOf[chosen] ?? -1);
  }, [chosen, model]);
  const nextHit = (back: boolean): void => {
    if (hits === null || hits.size === 0) return;
    const rows = [...hits].map((r) => model.layout.rowOf[r] ?? -1).sort((a, b) => a - b);
    const here = model.layout.rowOf[current] ?? -1;
    const row = back
      ? (rows.findLast((r) => r < here) ?? rows[rows.length - 1])
      : (rows.find((r) => r > here) ?? rows[0]);
    moveTo(model.layout.rolloutAt[row ?? -1] ?? -1);
  };
  const key = treeKey(model, {
    moveTo,
    choose: (r) => {
      drawer.value = true;
      choose(model, r, null);
    },
    levelUp,
  });
  const step = (by: -1 | 1): void => {
    const rollout = model.layout.rolloutAt[(model.layout.rowOf[chosen] ?? 0) + by];
    if (rollout !== undefined) choose(model, rollout, null);
  };
  return (
    <>
      <Toolbar
        model={model}
        overlays={overlays}
        overlay={overlay}
        chosen={chosen}
        hits={hits}
        onNextHit={nextHit}
        drawer={drawer}
      />
      <Banner items={mismatchBanner(view)} />
      <TableBehind
        class="tree-behind"
        label={text('picture', { group: view.group })}
        head={<Figures model={model} />}
        table={() => treeTable(model, isStill())}
      >
        {model.layout.count === 0 ? (
          <EmptyState
            icon="type-hierarchy"
            title={text('noRollouts', { group: view.group })}
            text={text('noGroupText')}
          />
        ) : (
          <div class="tree-body" style={narrow ? { '--tree-share': pictureShare.value } : undefined}>
            <Picture
              model={model}
              overlay={overlay}
              marks={marks}
              path={path}
              end={axis.current.end}
              chosen={chosen}
              current={current}
              hits={hits}
              onChoose={(rollout, position) => {
                drawer.value = true;
                choose(model, rollout, position);
              }}
              onKey={key}
              shower={show}
            />
            {narrow && <Sash />}
            <aside
              class={`rs-side tree-side${drawer.value ? '' : ' rs-side-closed'}`}
              aria-label={text('text')}
              {...PANE}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || breakpoint.value !== 'medium') return;
                drawer.value = false;
                event.stopPropagation();
              }}
            >
              <TextPane
                model={model}
                chosen={chosen}
                path={path}
                onMove={step}
                onFork={() => treeKey(model, { moveTo, choose: () => undefined, levelUp }).fork(chosen)}
                onEscape={levelUp}
              />
            </aside>
          </div>
        )}
      </TableBehind>
    </>
  );
};

export const RolloutTree = () => {
  const run = header.value;
  const { step, prompt, group } = selection.value;
  const rule = creditRule.value === '' ? null : creditRule.value;
  const view = useView('tree', run ? { group, prompt, step, rule } : null).value;
  const absence = absenceOf(view);
  const crumbs = view
    ? [
        {
          label: say('step', { step: view.step }),
          onOpen: () => void command({ id: 'open', panel: 'overview' }),
        },
        {
          label: text('prompt', { prompt: view.prompt }),
          onOpen: () => void command({ id: 'open', panel: 'budgets' }),
        },
        { label: text('group', { group: view.group }) },
      ]
    : [];
  return (
    <>
      <div {...PANE} role="presentation">
        <PanelHeader
          crumbs={crumbs}
          step={view?.step ?? null}
          version={view?.policyVersion ?? null}
          note={view?.excerpt ?? ''}
        />
      </div>
      {absence === null && view ? (
        <Body view={view} />
      ) : (
        <>
          <Banner />
          {absence}
        </>
      )}
    </>
  );
};
