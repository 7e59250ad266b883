/** Heads of the chart and of the small pictures with their lines, the legend, CSS pixels. */
const HEADS = 92;
const CHART = { least: 304, most: 432 };
const SMALL = { least: 148, most: 188 };

export interface Heights {
  readonly chart: number;
  /** Of each small picture. */
  readonly small: number;
}

/** The heights of a narrow panel, which scrolls as a whole. */
export const NARROW: Heights = { chart: 304, small: 136 };

/**
 * Heights with which the chart and one row of small pictures fit between headline and legend: the chart gives way
 * first, then the small pictures, both to a least height below which the column scrolls.
 *
 * @param column height of the column, CSS pixels.
 * @param headline height of its headline, CSS pixels.
 */
export const heightsIn = (column: number, headline: number): Heights => {
  const room = column - headline - HEADS;
  const chart = Math.max(CHART.least, Math.min(CHART.most, room - SMALL.most));
  return { chart, small: Math.max(SMALL.least, Math.min(SMALL.most, room - chart)) };
};
