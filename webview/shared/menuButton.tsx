import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './controls';
import type { IconName } from './icon';
import { step } from './keys';

export interface MenuItem {
  readonly label: string;
  readonly detail?: string;
  readonly run: () => void;
}

/** A button that opens a menu under itself. */
export const MenuButton = ({
  text,
  icon,
  items,
  off = null,
  requested = false,
  title,
}: {
  text: string;
  icon?: IconName;
  items: readonly MenuItem[];
  off?: string | null;
  requested?: boolean;
  title?: string;
}) => {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement | null>(null);
  const menu = useRef<HTMLUListElement | null>(null);
  const focusItem = (index: number): void => {
    const item = menu.current?.children[index];
    if (item instanceof HTMLElement) item.focus();
  };
  const close = (back: boolean): void => {
    setOpen(false);
    if (back) anchor.current?.querySelector<HTMLElement>('vscode-button')?.focus();
  };
  useLayoutEffect(() => {
    if (!open) return undefined;
    focusItem(0);
    const outside = (event: Event): void => {
      if (event.target instanceof Node && anchor.current?.contains(event.target) === false) close(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);
  const choose = (item: MenuItem | undefined): void => {
    close(true);
    item?.run();
  };
  return (
    <div
      class="rs-menu-anchor"
      ref={anchor}
      onKeyDown={(event) => {
        if (!open) {
          if (event.key === 'ArrowDown' && off === null && !requested) setOpen(true);
          return;
        }
        const at = [...(menu.current?.children ?? [])].indexOf(document.activeElement ?? document.body);
        if (event.key === 'Escape') close(true);
        else if (event.key === 'Tab') close(false);
        else if (event.key === 'Enter' || event.key === ' ') {
          if (at < 0) return;
          choose(items[at]);
        } else {
          const next = step(event.key, at, items.length, 'column', true);
          if (next === null) return;
          focusItem(next);
        }
        if (event.key !== 'Tab') event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Button
        {...(icon === undefined ? {} : { icon })}
        {...(title === undefined ? {} : { title })}
        after="chevron-down"
        off={off}
        requested={requested}
        expanded={open}
        onPress={() => setOpen(!open)}
      >
        {text}
      </Button>
      {open && (
        <ul class="rs-menu" role="menu" aria-label={text} ref={menu}>
          {items.map((item) => (
            <li key={item.label} role="menuitem" tabIndex={-1} onClick={() => choose(item)}>
              {item.label}
              {item.detail !== undefined && <div class="rs-small">{item.detail}</div>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
