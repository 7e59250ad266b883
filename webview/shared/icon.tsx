/** Code points of the codicons that the pages use. */
const ICONS = {
  add: 0xea60,
  archive: 0xea98,
  'arrow-swap': 0xebcb,
  check: 0xeab2,
  'chevron-down': 0xeab4,
  'chevron-left': 0xeab5,
  'chevron-right': 0xeab6,
  'circle-slash': 0xeabd,
  close: 0xea76,
  copy: 0xebcc,
  'debug-disconnect': 0xead0,
  'debug-pause': 0xead1,
  'debug-continue': 0xeacf,
  'debug-step-over': 0xead6,
  'debug-stop': 0xead7,
  ellipsis: 0xea7c,
  error: 0xea87,
  export: 0xebac,
  filter: 0xeaf1,
  gear: 0xeaf8,
  'graph-line': 0xebe2,
  history: 0xea82,
  info: 0xea74,
  key: 0xeb11,
  layout: 0xebeb,
  'layout-sidebar-right': 0xebf4,
  pinned: 0xeba0,
  plug: 0xeb2d,
  pulse: 0xeb31,
  'repo-forked': 0xea63,
  search: 0xea6d,
  sync: 0xea77,
  table: 0xebb7,
  'triangle-down': 0xeb6e,
  'triangle-up': 0xeb71,
  'type-hierarchy': 0xebb9,
  warning: 0xea6c,
  watch: 0xeb7c,
  'zoom-in': 0xeb81,
  'zoom-out': 0xeb82,
} as const;

export type IconName = keyof typeof ICONS;

/** A codicon. Decoration: what it says stands in text, in a title or in `label`. */
export const Icon = ({
  name,
  small = false,
  label,
  turning = false,
  slot,
}: {
  name: IconName;
  small?: boolean;
  label?: string;
  turning?: boolean;
  slot?: string;
}) => (
  <i
    class={`rs-icon${small ? ' rs-icon-small' : ''}${turning ? ' rs-turns' : ''}`}
    {...(slot === undefined ? {} : { slot })}
    {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
  >
    {String.fromCodePoint(ICONS[name])}
  </i>
);
