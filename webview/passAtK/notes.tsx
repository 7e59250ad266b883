import { useState } from 'preact/hooks';
import type { PasskNote } from '../../protocol/panels/passAtK';
import { count, passAt, rate } from '../shared/format';
import { Icon } from '../shared/icon';
import { curveName, type DrawnView } from './drawnView';
import { promptsOf } from './readoutText';
import { text } from './texts';

/** Notes that say that a curve does not mean what it seems to. */
const GRAVE: ReadonlySet<PasskNote['code']> = new Set(['stopsOnSuccess', 'differentPrompts', 'nonBinary']);

const number = (value: string | number | undefined): string => count(Number(value));

const BECAUSE = {
  position: 'becausePosition',
  children: 'becauseChildren',
  version: 'becauseVersion',
  sampling: 'becauseSampling',
  pruned: 'becausePruned',
  unfinished: 'becauseUnfinished',
  released: 'becauseReleased',
} as const;

const isBecause = (word: string): word is keyof typeof BECAUSE => Object.hasOwn(BECAUSE, word);

/** A note as a sentence with its numbers. */
export const noteText = (view: DrawnView, { code, values }: PasskNote): string => {
  const v = (name: string): string => String(values[name] ?? '');
  const n = (name: string): string => number(values[name]);
  // Keys of curves, as the store has them; some stand for more than can be named.
  const named = (name: string): string =>
    v(name)
      .split(', ')
      .map((key) => (key === '…' ? key : view.paired ? curveName(view, key) : key))
      .join(', ');
  switch (code) {
    case 'noSamples':
      return text('noteNoSamples', { key: v('key') });
    case 'onePrompt':
      return text('noteOnePrompt');
    case 'unequalN':
      return text('noteUnequalN', { out: n('out'), all: n('all'), k: n('k') });
    case 'fewerPrompts':
      return Number(values['all']) < 0
        ? text('noteFewerPrompts', { fixed: n('fixed'), curves: named('curves') })
        : text('noteCommonPrompts', { fixed: n('fixed'), all: n('all'), against: named('curves') });
    case 'differentPrompts':
      return text('noteDifferentPrompts', { shown: named('shown'), against: named('against') });
    case 'allZero':
      return text('noteAllZero', { prompts: promptsOf(Number(values['prompts'])) });
    case 'allOne':
      return text('noteAllOne', { prompts: promptsOf(Number(values['prompts'])) });
    case 'pooled':
      return text('notePooled', { most: n('most') });
    case 'thinned':
      return text('noteThinned', { drawn: n('drawn'), all: n('all') });
    case 'nonBinary':
      return text('noteNonBinary', {
        groups: n('groups'),
        all: n('all'),
        threshold: rate(Number(values['threshold'])),
      });
    case 'threshold':
      return text('noteThreshold', { value: rate(Number(values['value'])) });
    case 'forgotten':
      return text('noteForgotten', { groups: n('groups'), all: n('all') });
    case 'stopsOnSuccess':
      return text('noteStops', { groups: n('groups') });
    case 'treeAware':
      return text('noteTreeAware', { groups: n('groups'), all: n('all') });
    case 'rootsOnly': {
      const because = v('because');
      return text('noteRootsOnly', {
        groups: n('groups'),
        all: n('all'),
        because: isBecause(because) ? text(BECAUSE[because]) : because,
      });
    }
    case 'misfit':
      return text('noteMisfit', {
        names: named('names'),
        model: passAt(Number(values['model'])),
        counted: passAt(Number(values['counted'])),
        k: n('k'),
      });
    case 'noBucket':
      return text('noteNoBucket', { by: v('by') });
  }
};

/** Sentences of all notes, for the picture and for what is exported of it. */
export const caveats = (view: DrawnView): readonly string[] => view.notes.map((note) => noteText(view, note));

const SHOWN = 2;

/** What a reader of the curves must know, a line each; the rest on request. */
export const Notes = ({ view }: { view: DrawnView }) => {
  const [all, setAll] = useState(false);
  if (view.notes.length === 0) return null;
  const notes = all ? view.notes : view.notes.slice(0, SHOWN);
  const more = view.notes.length - SHOWN;
  return (
    <ul class="pk-notes rs-small" aria-label={text('notes')}>
      {notes.map((note, i) => (
        <li key={`${note.code} ${i}`} data-note={note.code} class="rs-row">
          <Icon name={GRAVE.has(note.code) ? 'warning' : 'info'} small />
          <span class="rs-second">{noteText(view, note)}</span>
        </li>
      ))}
      {more > 0 && (
        <li>
          <button type="button" class="rs-link rs-small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? text('fewerNotes') : text('moreNotes', { count: more })}
          </button>
        </li>
      )}
    </ul>
  );
};
