import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TextView } from '../../protocol/panels/text';
import { query } from '../shared/host';

/** Tokens in the page at once. */
export const TEXT_WINDOW = 2000;
/** A growing text is read at most twice a second. */
const LEAST_PAUSE_MS = 500;

export interface TextAnswer {
  readonly rollout: string;
  readonly view: TextView | null;
  readonly error: string | null;
}

/**
 * The text of a rollout in a window of its path. It is read anew when the window moves or `grown` changes
 * inside the window; the old text stays until the new one is there.
 *
 * @param from, to positions on the path; `grown`: tokens of the path by the newest view.
 */
export const useText = (
  rollout: string | null,
  from: number,
  grown: number,
): ReadonlySignal<TextAnswer | null> => {
  const answer = useSignal<TextAnswer | null>(null);
  const last = useRef(0);
  // Growth past the window changes nothing in it.
  const seen = Math.min(grown, from + TEXT_WINDOW);
  useEffect(() => {
    if (rollout === null) {
      answer.value = null;
      return undefined;
    }
    let over = false;
    const ask = (): void => {
      last.current = Date.now();
      query('text', { rollout, from, to: from + TEXT_WINDOW }).then(
        (view) => {
          if (!over) answer.value = { rollout, view, error: null };
        },
        (error: unknown) => {
          if (over) return;
          answer.value = {
            rollout,
            view: null,
            error: error instanceof Error ? error.message : String(error),
          };
        },
      );
    };
    const sameText = answer.peek()?.rollout === rollout;
    const wait = sameText ? Math.max(0, last.current + LEAST_PAUSE_MS - Date.now()) : 0;
    const timer = setTimeout(ask, wait);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [rollout, from, seen]);
  return answer;
};
