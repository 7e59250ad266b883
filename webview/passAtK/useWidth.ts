import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Width and height of an element's box as they change, CSS pixels. */
export const useWidth = (): {
  readonly box: { current: HTMLDivElement | null };
  readonly width: ReadonlySignal<number>;
  readonly height: ReadonlySignal<number>;
} => {
  const box = useRef<HTMLDivElement | null>(null);
  const width = useSignal(0);
  const height = useSignal(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      width.value = element.clientWidth;
      height.value = element.clientHeight;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width, height };
};
