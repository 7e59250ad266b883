export interface RowWindow {
  /** First row that is rendered. */
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/**
 * Rows to render for a scroll place: those in view and a few on each side. The edges move in blocks, so that
 * a slow scroll does not render on every pixel.
 *
 * @param scrollTop, height pixels of the rows' own space and of the view upon it.
 */
export const rowWindow = (
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
  block = 4,
): RowWindow => {
  if (count === 0 || height <= 0) return { first: 0, end: 0 };
  const top = Math.max(0, Math.floor(scrollTop / rowHeight));
  const bottom = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight);
  const first = Math.max(0, Math.floor(top / block) * block - block);
  const end = Math.min(count, Math.ceil(bottom / block) * block + block);
  // The list has become shorter than the scroll place: its end.
  return { first: first < end ? first : Math.max(0, count - Math.ceil(height / rowHeight) - block), end };
};

/** Most rows that a window of this height ever holds. */
export const mostRows = (height: number, rowHeight: number, block = 4): number =>
  Math.ceil(Math.max(0, height) / rowHeight) + 1 + 4 * block;

/** The least change of the scroll place that brings a row into view. */
export const scrollToShow = (index: number, scrollTop: number, height: number, rowHeight: number): number => {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + height ? bottom - height : scrollTop;
};
