import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { IconButton } from './iconButton';
import { PANE } from './keys';
import { breakpoint } from './panelSize';
import { say } from './strings';

/**
 * The column beside a picture: at its right in wide panels, a drawer over the right edge in medium ones,
 * below in narrow ones. `open` counts only for the drawer.
 */
export const SidePane = ({
  label,
  width,
  open,
  children,
}: {
  label: string;
  /** CSS pixels, wide and medium. */
  width: number;
  open: Signal<boolean>;
  children: ComponentChildren;
}) => {
  const drawer = breakpoint.value === 'medium';
  return (
    <aside
      class={`rs-side rs-scroll${open.value ? '' : ' rs-side-closed'}`}
      aria-label={label}
      style={drawer || breakpoint.value === 'wide' ? { width: `${width}px` } : undefined}
      {...PANE}
      onKeyDown={(event) => {
        if (drawer && event.key === 'Escape') {
          open.value = false;
          event.stopPropagation();
        }
      }}
    >
      {children}
    </aside>
  );
};

/** Opens and shuts the drawer; there in medium panels only. */
export const SideToggle = ({ label, open }: { label?: string; open: Signal<boolean> }) => (
  <span class="rs-side-toggle">
    <IconButton
      icon="layout-sidebar-right"
      label={label ?? say('side')}
      pressed={open.value}
      onPress={() => {
        open.value = !open.value;
      }}
    />
  </span>
);
