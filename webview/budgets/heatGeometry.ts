/** Places in the heat map, CSS pixels. */
export interface HeatGeometry {
  /** Width of the ids, left of the cells. */
  readonly labels: number;
  readonly cellWidth: number;
  /** Of one row, zoomed as it is. */
  readonly rowHeight: number;
  /** Of all rows. */
  readonly total: number;
  readonly height: number;
}

export const AXIS = 24;
/** From here on a row has room for its name. */
export const NAMED_ROW = 12;
const MOST_ROW = 20;
const MOST_CELL = 16;
const LEAST_CELL = 1;

/** @param zoom CSS pixels a row that a person has asked for; 0: all rows fit. */
export const heatGeometry = (
  width: number,
  height: number,
  rows: number,
  columns: number,
  zoom: number,
  narrow: boolean,
): HeatGeometry => {
  const labels = narrow ? 104 : 160;
  const room = Math.max(0, width - labels - 16);
  const inner = Math.max(0, height - AXIS);
  const fit = Math.min(MOST_ROW, rows === 0 ? MOST_ROW : inner / rows);
  const rowHeight = zoom <= 0 ? fit : Math.min(MOST_ROW, Math.max(fit, zoom));
  return {
    labels,
    cellWidth: Math.min(MOST_CELL, Math.max(LEAST_CELL, room / Math.max(1, columns))),
    rowHeight,
    total: rowHeight * rows,
    height: inner,
  };
};

/** Row heights that + and − go through: doubled and halved. */
export const zoomed = (rowHeight: number, by: number): number => Math.min(MOST_ROW, rowHeight * by);

/** Scroll place that keeps the row under a point where it is. */
export const scrollAbout = (
  scrollTop: number,
  y: number,
  before: number,
  after: number,
  total: number,
  height: number,
): number => Math.max(0, Math.min(Math.max(0, total - height), ((scrollTop + y) / before) * after - y));

/** Row and column under a point of the cells; null where there is none. */
export const heatCellAt = (
  { labels, cellWidth, rowHeight }: HeatGeometry,
  rows: number,
  columns: number,
  x: number,
  y: number,
  scrollTop: number,
): { readonly row: number; readonly column: number } | null => {
  const row = Math.floor((y - AXIS + scrollTop) / rowHeight);
  const column = Math.floor((x - labels) / cellWidth);
  return y < AXIS || row < 0 || row >= rows || column < 0 || column >= columns ? null : { row, column };
};
