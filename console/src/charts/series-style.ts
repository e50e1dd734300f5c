/** Colours of the palette; later series repeat them with a dash. */
const COLOURS = 8
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]]

/** How a line is drawn: a CSS colour and the lengths of its dashes and gaps in pixels, empty for a solid line. */
export interface SeriesStyle {
  readonly colour: string
  readonly dash: readonly number[]
}

/** Style of the series at `index` of a list: eight colours, then the same colours dashed, so that colour is not the only sign. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    colour: `var(--series-${(index % COLOURS) + 1})`,
    dash: DASHES[Math.floor(index / COLOURS) % DASHES.length]!
  }
}
