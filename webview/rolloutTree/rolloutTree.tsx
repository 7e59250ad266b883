import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeView } from '../../protocol/panels/tree';
import { Banner } from '../shared/banner';
import type { BannerItem } from '../shared/bannerItems';
import { absenceOf } from '../shared/emptyState';
import { PanelHeader } from '../shared/header';
import { command, header, select, selection } from '../shared/host';
import { PANE } from '../shared/keys';
import { mismatchOf } from '../shared/ledgerSums';
import { breakpoint } from '../shared/panelSize';
import { SideToggle } from '../shared/sidePane';
import { say } from '../shared/strings';
import { TableBehind } from '../shared/tableBehind';
import { useView } from '../shared/view';
import { Figures } from './figures';
import { axisEnd } from './layout';
import { overlaysOf } from './overlay';
import { Picture } from './picture';
import { Sash } from './sash';
import { searchTextOf } from './status';
import { TextPane } from './textPane';
import { text } from './texts';
import { Toolbar } from './toolbar';
import { treeTable } from './treeTable';
import { buildModel, itemsOf, partAt, pathOf, type TreeModel } from './treeModel';
import { marksInView } from './treeLegend';
import {
  caret,
  chosenOf,
  colour,
  creditRule,
  currentRollout,
  pictureShare,
  scrollTop,
  search,
  setCaret,
  zoom,
} from './treeState';
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

/** Places of the rollouts that the search finds; null: nothing is searched. */
const hitsOf = ({ view }: TreeModel, words: string): ReadonlySet<number> | null => {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return null;
  const found = new Set<number>();
  for (let r = 0; r < view.rollouts.id.length; r++) {
    if (searchTextOf(view, r).includes(wanted)) found.add(r);
  }
  return found;
};

/** Another group: nothing of the old one's place, zoom and caret holds. */
const useFresh = (group: string): void => {
  const shown = useRef(group);
  useEffect(() => {
    if (shown.current === group) return;
    shown.current = group;
    zoom.value = null;
    scrollTop.value = 0;
    currentRollout.value = null;
    setCaret(null);
  }, [group]);
};

const choose = (model: TreeModel, rollout: number, position: number | null): void => {
  const { view } = model;
  const id = view.rollouts.id[rollout];
  if (id === undefined) return;
  const part = position === null ? null : partAt(pathOf(model, rollout), position);
  const own = itemsOf(model.nodes, rollout);
  const node = view.nodes.id[part?.node ?? own[own.length - 1] ?? -1] ?? null;
  currentRollout.value = id;
  select({ prompt: view.prompt, group: view.group, rollout: id, node });
  if (position !== null) setCaret({ rollout: id, position });
};

/** One level up: token, rollout, group. */
const levelUp = (): void => {
  if (caret.value !== null) setCaret(null);
  else if (selection.value.rollout !== null) select({ rollout: null, node: null });
  else if (selection.value.group !== null) select({ group: null, prompt: null });
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
  const drawer = useSignal(true);
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
  const key = treeKey(model, { moveTo, choose: (r) => choose(model, r, null), levelUp });
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
      />
      <Banner items={mismatchBanner(view)} />
      <TableBehind
        class="tree-behind"
        label={text('picture', { group: view.group })}
        head={<Figures model={model} />}
        table={() => treeTable(model, header.value?.state === 'lost')}
      >
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
            onChoose={(rollout, position) => choose(model, rollout, position)}
            onKey={key}
            shower={show}
          />
          {narrow && <Sash />}
          <aside
            class={`rs-side tree-side${drawer.value ? '' : ' rs-side-closed'}`}
            aria-label={text('text')}
            {...PANE}
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
          <SideToggle label={text('text')} open={drawer} />
        </div>
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
        <PanelHeader crumbs={crumbs} note={view?.excerpt ?? ''} />
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
