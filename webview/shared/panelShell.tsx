import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { header } from './host';
import { HoverLayer } from './hoverCard';
import { watchPanel } from './panelSize';
import { TextureDefs } from './textures';

/** The frame of every panel: measures it, holds the patterns and the hover card. */
export const PanelShell = ({ children }: { children: ComponentChildren }) => {
  const root = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => (root.current ? watchPanel(root.current) : undefined), []);
  return (
    <main class="rs-panel" ref={root} data-state={header.value?.state ?? 'none'}>
      <TextureDefs />
      {children}
      <HoverLayer />
    </main>
  );
};
