import { parse } from 'csv-parse/sync';
import type { ByteSource } from '../byteSource';
import { DumpError } from '../dumpError';
import type { Row, RowPiece, Unusable } from '../measured';
import { readLines } from './lines';

const DELIMITERS = [',', ';', '\t'] as const;
/** A quoted cell with more lines than this was never closed. */
const MOST_CELL_LINES = 10_000;

/** The delimiter that the header uses most. */
export const delimiterOf = (header: string): string =>
  [...DELIMITERS].sort((a, b) => header.split(b).length - header.split(a).length)[0]!;

/** Names of the columns; of a malformed header the pieces between delimiters, for the message that names them. */
export function headerOf(line: string): string[] {
  const delimiter = delimiterOf(line);
  let cells: readonly string[];
  try {
    cells = parseCells(line, delimiter)[0] ?? [];
  } catch {
    cells = line.split(delimiter);
  }
  return cells.map((name) => name.trim());
}

const parseCells = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, relax_column_count: true, relax_quotes: true });

/** Whether the text leaves a quote open: each quote opens or closes. */
function isOpen(text: string): boolean {
  let open = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) open = !open;
  return open;
}

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines to rows of cells: lines are put together while a quote is open. */
class RowAssembler {
  private lines: Line[] = [];
  private open = false;
  readonly unusable: Unusable[] = [];
  complete: Line[] = [];

  add(line: Line): void {
    if (this.lines.length === 0 && line.text.trim() === '') return;
    this.lines.push(line);
    if (isOpen(line.text)) this.open = !this.open;
    if (!this.open) {
      this.complete.push({
        number: this.lines[0]!.number,
        text: this.lines.map(({ text }) => text).join('\n'),
      });
      this.lines = [];
    } else if (this.lines.length > MOST_CELL_LINES) {
      this.giveUp();
    }
  }

  /** The line with the open quote is unusable; those after it are taken anew. */
  giveUp(): void {
    while (this.lines.length > 0) {
      const [first, ...rest] = this.lines;
      this.unusable.push({ place: `line ${first!.number}`, why: 'a quote is opened and never closed' });
      this.lines = [];
      this.open = false;
      for (const line of rest) this.add(line);
    }
  }
}

/** Rows of a CSV file with a header line; comma, semicolon or tab. A quoted cell may hold line ends. */
export async function* csvRows(source: ByteSource, signal?: AbortSignal): AsyncGenerator<RowPiece> {
  const table: { names: readonly string[]; delimiter: string } = { names: [], delimiter: ',' };
  const assembler = new RowAssembler();
  for await (const { first, texts, share } of readLines(source, signal)) {
    texts.forEach((text, i) => {
      const number = first + i;
      if (text === null) {
        assembler.unusable.push({ place: `line ${number}`, why: 'longer than 64 MB' });
      } else if (table.names.length === 0) {
        table.delimiter = delimiterOf(text);
        table.names = headerOf(text);
      } else {
        assembler.add({ number, text });
      }
    });
    if (share === 1) assembler.giveUp();
    const rows: Row[] = [];
    const complete = assembler.complete;
    assembler.complete = [];
    const cells = allCells(complete, table.delimiter);
    const { names } = table;
    complete.forEach(({ number }, i) => {
      const place = `line ${number}`;
      const values = cells[i];
      if (values === null || values === undefined) {
        assembler.unusable.push({ place, why: 'not a CSV row' });
      } else if (values.length !== names.length) {
        const why = `${values.length} cells, the header has ${names.length}`;
        assembler.unusable.push({ place, why });
      } else {
        rows.push({ place, fields: Object.fromEntries(names.map((name, j) => [name, values[j]])) });
      }
    });
    yield { rows, unusable: assembler.unusable.splice(0), share };
  }
  if (table.names.length === 0)
    throw new DumpError('The file is empty.', 'Choose a file with results in it.');
}

/** Cells of each row; all at once where that gives as many rows as there are, else one by one. */
function allCells(rows: readonly Line[], delimiter: string): (string[] | null)[] {
  try {
    const cells = parseCells(rows.map(({ text }) => text).join('\n'), delimiter);
    if (cells.length === rows.length) return cells;
  } catch {
    // One of them is malformed: which one is found below.
  }
  return rows.map(({ text }) => {
    try {
      const cells = parseCells(text, delimiter);
      return cells.length === 1 ? cells[0]! : null;
    } catch {
      return null;
    }
  });
}
