import { effect } from '@preact/signals';
import type { HTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { palette, type Palette } from './palette';

export interface CanvasSize {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
}

export type Paint = (context: CanvasRenderingContext2D, size: CanvasSize, colours: Palette) => void;

/**
 * Keeps a canvas as large as its box in device pixels and paints it: when the box, the pixel ratio, the
 * theme, `paint` itself or a signal that `paint` has read changes, at most once a frame. The context is
 * cleared and scaled, so that `paint` works in CSS pixels.
 */
class Painter {
  private frame = 0;
  private stop: () => void = () => undefined;
  private readonly observer: ResizeObserver;
  private readonly context: CanvasRenderingContext2D | null;
  private width = 0;
  private height = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private paint: Paint,
  ) {
    this.context = canvas.getContext('2d');
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(canvas);
    window.addEventListener('resize', this.ask);
    this.measure();
    this.draw();
  }

  set(paint: Paint): void {
    if (paint === this.paint) return;
    this.paint = paint;
    this.ask();
  }

  dispose(): void {
    this.observer.disconnect();
    window.removeEventListener('resize', this.ask);
    cancelAnimationFrame(this.frame);
    this.stop();
  }

  private readonly ask = (): void => {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  };

  private measure(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === this.width && clientHeight === this.height) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.ask();
  }

  private draw(): void {
    this.stop();
    let drawn = false;
    this.stop = effect(() => {
      if (drawn) {
        this.ask();
        return;
      }
      drawn = true;
      const { context, canvas, width, height } = this;
      const ratio = window.devicePixelRatio || 1;
      const colours = palette.value;
      if (!context || width === 0 || height === 0) return;
      const deviceWidth = Math.round(width * ratio);
      const deviceHeight = Math.round(height * ratio);
      if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
      if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      this.paint(context, { width, height, ratio }, colours);
    });
  }
}

/** A canvas of the size of its box. Pictures on it need a name and, beside them, a table. */
export const Canvas = ({
  paint,
  ...attributes
}: { paint: Paint } & Omit<HTMLAttributes<HTMLCanvasElement>, 'ref'>) => {
  const element = useRef<HTMLCanvasElement | null>(null);
  const painter = useRef<Painter | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    painter.current = new Painter(element.current, paint);
    return () => {
      painter.current?.dispose();
      painter.current = null;
    };
  }, []);
  useLayoutEffect(() => painter.current?.set(paint), [paint]);
  return <canvas ref={element} {...attributes} />;
};
