import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { IconButton } from './iconButton';
import { count } from './format';
import { PANE } from './keys';
import { say } from './strings';
import { smallTextWidth } from './textWidth';
import { VirtualRows } from './virtualRows';

/** A table as data: what a picture shows, cell by cell. */
export interface TableData {
  readonly caption: string;
  readonly columns: readonly { readonly name: string; readonly numeric?: boolean }[];
  readonly rows: number;
  readonly cell: (row: number, column: number) => string;
}

const Table = ({ data }: { data: TableData }) => {
  // A column is as wide as its name at least; with many of them the table scrolls sideways.
  const least = data.columns.map(({ name, numeric }) =>
    Math.ceil(Math.max(numeric === true ? 48 : 112, smallTextWidth(name) + 8)),
  );
  const template = data.columns.map(
    ({ numeric }, i) => `minmax(${least[i] ?? 48}px, ${numeric === true ? 1 : 2}fr)`,
  );
  const style = { gridTemplateColumns: template.join(' ') };
  const minWidth = least.reduce((sum, width) => sum + width + 8, 24);
  return (
    <VirtualRows
      class="rs-grow rs-behind-table"
      label={data.caption}
      count={data.rows}
      columns={data.columns.length}
      headHeight={24}
      minWidth={minWidth}
      head={
        <div class="rs-behind-row rs-second rs-small" role="row" aria-rowindex={1} style={style}>
          {data.columns.map((column) => (
            <span
              key={column.name}
              role="columnheader"
              class={`rs-cut${column.numeric === true ? ' rs-behind-number' : ''}`}
            >
              {column.name}
            </span>
          ))}
        </div>
      }
      row={(index) => (
        <div class="rs-behind-row rs-grow" role="presentation" style={style}>
          {data.columns.map((column, i) => (
            <span
              key={column.name}
              role="gridcell"
              class={`rs-cut${column.numeric === true ? ' rs-behind-number' : ''}`}
            >
              {data.cell(index, i)}
            </span>
          ))}
        </div>
      )}
    />
  );
};

export interface TableBehindProps {
  /** Name of the picture. */
  readonly label: string;
  /** Head of the picture, left of the button. */
  readonly head: ComponentChildren;
  readonly table: () => TableData;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A picture and, behind the key T, its table: the same numbers as text. */
export const TableBehind = ({ label, head, table, children, class: className = '' }: TableBehindProps) => {
  const [open, setOpen] = useState(false);
  const section = useRef<HTMLElement | null>(null);
  const toggle = (): void => {
    setOpen(!open);
    requestAnimationFrame(() => {
      // The picture, or its table: what T has brought up takes the focus from what it has put away.
      if (document.activeElement !== document.body) return;
      section.current?.querySelector<HTMLElement>('[role="grid"], [tabindex="0"]')?.focus();
    });
  };
  const data = open ? table() : null;
  return (
    <section
      ref={section}
      class={`rs-behind ${className}`}
      aria-label={label}
      {...PANE}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 't' || event.ctrlKey || event.metaKey || event.altKey) return;
        if (
          event.target instanceof HTMLElement &&
          /^(INPUT|TEXTAREA|VSCODE-TEXT-FIELD)$/.test(event.target.tagName)
        )
          return;
        event.preventDefault();
        toggle();
      }}
    >
      <div class="rs-behind-head rs-small">
        {head}
        {data !== null && <span class="rs-second">{say('rows', { count: count(data.rows) })}</span>}
        <IconButton
          icon={open ? 'pulse' : 'table'}
          label={open ? say('picture') : say('table')}
          pressed={open}
          onPress={toggle}
        />
      </div>
      {data === null ? children : <Table data={data} />}
    </section>
  );
};
