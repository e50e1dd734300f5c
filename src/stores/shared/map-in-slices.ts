import { Pace } from '../../threads/pace.js'

/** Rows that are converted without yielding to the event loop: a few milliseconds. */
const ROWS_PER_SLICE = 250

/** Converts rows like `Array.map`; of many rows other work runs between slices. Throws the reason of an abort. */
export async function mapInSlices<Row, Item>(
  rows: readonly Row[],
  convert: (row: Row) => Item,
  signal?: AbortSignal
): Promise<Item[]> {
  const items: Item[] = []
  const pace = new Pace(ROWS_PER_SLICE, signal)
  for (const row of rows) {
    if (pace.isDue()) await pace.rest()
    items.push(convert(row))
  }
  return items
}
