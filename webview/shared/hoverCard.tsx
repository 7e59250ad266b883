import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { placeCard, type Box } from './cardPlace';

const DELAY_MS = 300;

interface Card {
  readonly key: string;
  readonly mark: Box;
  readonly at: number;
  readonly content: () => ComponentChildren;
}

const shown = signal<Card | null>(null);
let waiting: { key: string; timer: ReturnType<typeof setTimeout> } | null = null;
/** Closed by Escape: stays closed until the pointer is on another thing. */
let dismissed: string | null = null;

const forget = (): void => {
  if (waiting) clearTimeout(waiting.timer);
  waiting = null;
};

/**
 * Shows a card for the thing `key` after 300 ms. The card holds at most seven lines: what, where, the
 * sentence, the rule with its numbers, the source.
 *
 * @param mark box of the thing in the window, CSS pixels; `at`: the pointer's x on it.
 */
export const showCard = (key: string, mark: Box, content: () => ComponentChildren, at?: number): void => {
  if (dismissed === key) return;
  dismissed = null;
  const card: Card = { key, mark, at: at ?? (mark.left + mark.right) / 2, content };
  if (shown.value?.key === key) return;
  if (waiting?.key === key) return;
  forget();
  shown.value = null;
  waiting = {
    key,
    timer: setTimeout(() => {
      waiting = null;
      shown.value = card;
    }, DELAY_MS),
  };
};

/** Takes the card away; with a key, only the card of that thing. */
export const hideCard = (key?: string): void => {
  if (key === undefined || waiting?.key === key) forget();
  if (key === undefined || shown.value?.key === key) shown.value = null;
  if (key === undefined || dismissed === key) dismissed = null;
};

/** Attributes that give an element a card, for mouse and keyboard. */
export const cardFor = (key: string, content: () => ComponentChildren) => ({
  onPointerEnter: (event: PointerEvent) => {
    if (event.currentTarget instanceof Element) {
      showCard(key, event.currentTarget.getBoundingClientRect(), content, event.clientX);
    }
  },
  onPointerLeave: () => hideCard(key),
  onFocus: (event: FocusEvent) => {
    if (event.currentTarget instanceof Element && event.currentTarget.matches(':focus-visible')) {
      showCard(key, event.currentTarget.getBoundingClientRect(), content);
    }
  },
  onBlur: () => hideCard(key),
});

/** Escape closes the card first; put the layer once into a page. */
export const HoverLayer = () => {
  const card = shown.value;
  const element = useRef<HTMLDivElement | null>(null);
  const [place, setPlace] = useState<{ left: number; top: number }>({ left: 0, top: 0 });
  useLayoutEffect(() => {
    if (!card || !element.current) return undefined;
    const { offsetWidth: width, offsetHeight: height } = element.current;
    setPlace(placeCard(card.mark, card.at, { width, height }, { width: innerWidth, height: innerHeight }));
    const close = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      dismissed = card.key;
      shown.value = null;
      event.stopPropagation();
    };
    const scrolled = (): void => hideCard();
    document.addEventListener('keydown', close, true);
    document.addEventListener('scroll', scrolled, true);
    return () => {
      document.removeEventListener('keydown', close, true);
      document.removeEventListener('scroll', scrolled, true);
    };
  }, [card]);
  if (!card) return null;
  return (
    <div
      ref={element}
      class="rs-card"
      role="tooltip"
      style={{ left: `${place.left}px`, top: `${place.top}px` }}
    >
      {card.content()}
    </div>
  );
};
