import { computed, signal, type ReadonlySignal } from '@preact/signals';

/** Breakpoints on the panel's own width, CSS pixels, the same as in the style sheet. */
export type Breakpoint = 'wide' | 'medium' | 'narrow';

export const breakpointOf = (width: number): Breakpoint =>
  width >= 1100 ? 'wide' : width >= 800 ? 'medium' : 'narrow';

const size = signal({ width: window.innerWidth, height: window.innerHeight });

/** The panel's own size, CSS pixels. */
export const panelSize: ReadonlySignal<{ readonly width: number; readonly height: number }> = size;
export const breakpoint: ReadonlySignal<Breakpoint> = computed(() => breakpointOf(size.value.width));

/** Measures the panel's root until the returned function is called. */
export const watchPanel = (element: HTMLElement): (() => void) => {
  const observer = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width !== size.value.width || height !== size.value.height) size.value = { width, height };
  });
  observer.observe(element);
  return () => observer.disconnect();
};
