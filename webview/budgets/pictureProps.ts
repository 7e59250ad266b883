import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BudgetsView } from '../../protocol/panels/budgets';
import type { Rows } from './promptOrder';

/** What the table, the heat map and the treemap are pictures of. */
export interface PictureProps {
  readonly view: BudgetsView;
  /** Places in the view's columns that pass the filter, in the order shown. */
  readonly rows: Rows;
  /** Place in `rows` of the selected prompt; −1: none. */
  readonly chosen: number;
  /** Selects a prompt, and with it a step: its own of the subject, or the one of a cell. */
  readonly onChoose: (row: number, step?: number) => void;
}

/** A box and its size, CSS pixels. */
export const useBox = (): {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly width: number;
  readonly height: number;
} => {
  const box = useRef<HTMLDivElement | null>(null);
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      const old = size.peek();
      if (old.width !== width || old.height !== height) size.value = { width, height };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, ...size.value };
};
