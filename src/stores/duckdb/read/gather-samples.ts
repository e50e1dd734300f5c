import { Pace } from '../../../threads/pace.js'
import { type SampleRows, type Samples, SortedRows } from './sorted-rows.js'

/** What is requested of rows. */
export interface Gathering {
  /** Rows of other series are left out. */
  readonly ids: readonly bigint[]
  readonly signal: AbortSignal
  /** What is to be kept of each series; all when absent. */
  readonly keep?: (samples: Samples) => Samples
}

/** Some milliseconds of work. */
const SAMPLES_AT_ONCE = 10_000

/**
 * Sorts rows, which come in any order, into series. This is a counting sort: an engine that sorts the rows takes longer than
 * for all the rest. Of several samples of one time the one with the highest `seq` counts. Null when there are several and the
 * rows have no such column: they must be read again with it. That is rare, and the column takes a quarter of the reading.
 *
 * Returns samples by series id, in the order of the ids; series without any are left out. All are in two arrays in that
 * order, unless there is a `keep`: then each series has its own arrays, so that the little that is kept does not keep all the
 * rest in memory. While many samples are sorted, the thread yields to other work, and an abort ends the sorting.
 */
export async function gatherSamples(rows: SampleRows, requested: Gathering): Promise<ReadonlyMap<bigint, Samples> | null> {
  const { ids, signal, keep } = requested
  const pace = new Pace(SAMPLES_AT_ONCE, signal)
  const sorted = new SortedRows(rows, ids)
  for (const step of sorted.steps()) if (pace.isDue(step)) await pace.rest()
  const series = new Map<bigint, Samples>()
  let from = 0
  for (const [place, count] of sorted.counts.entries()) {
    if (count > 0) {
      const samples = sorted.series(from, from + count)
      if (samples === null) return null
      series.set(ids[place]!, keep === undefined ? samples : ownOf(keep(samples), samples))
    }
    from += count
    if (pace.isDue(count)) await pace.rest()
  }
  return series
}

/** What is kept, with memory of its own. */
function ownOf(kept: Samples, { values }: Samples): Samples {
  if (kept.values !== values) return kept
  return { ...kept, timestampsNs: kept.timestampsNs.slice(), values: kept.values.slice() }
}
