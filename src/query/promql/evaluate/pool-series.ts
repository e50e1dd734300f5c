import { groupedBy } from '../../../domain/grouped-by.js'
import type { RawSeries } from './values.js'

interface Samples {
  readonly times: Float64Array
  readonly values: Float64Array
}

/** The samples of both by time; of one time those of `a` come first. */
function merged(a: Samples, b: Samples): Samples {
  const length = a.times.length + b.times.length
  const [times, values] = [new Float64Array(length), new Float64Array(length)]
  let [i, j] = [0, 0]
  for (let at = 0; at < length; at++) {
    const isFirst = j >= b.times.length || (i < a.times.length && a.times[i]! <= b.times[j]!)
    const [from, place] = isFirst ? [a, i++] : [b, j++]
    times[at] = from.times[place]!
    values[at] = from.values[place]!
  }
  return { times, values }
}

/** All samples in the order of time; of equal times in the order of the series. */
function mergeAll(all: readonly Samples[]): Samples {
  let parts = all
  while (parts.length > 1) {
    const next: Samples[] = []
    for (let i = 0; i < parts.length; i += 2) next.push(i + 1 < parts.length ? merged(parts[i]!, parts[i + 1]!) : parts[i]!)
    parts = next
  }
  return parts[0]!
}

/** Series of numbers as one for each group of these labels, with the samples of all its members. */
export function poolSeries(series: readonly RawSeries[], by: readonly string[]): readonly RawSeries[] {
  const groups = groupedBy(series, ({ labels }) => labels.only(by).key)
  return Array.from(groups.values(), members => {
    return { ...mergeAll(members), labels: members[0]!.labels.only(by), histograms: undefined }
  })
}
