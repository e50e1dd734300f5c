import { parseSeriesKey } from '../../../domain/series-key.js'
import type { SeriesIdentity } from '../../metrics/label-matching.js'

/** A series whose samples are read. */
export interface RequestedSeries extends SeriesIdentity {
  readonly key: string
}

/** Keys of series as they go from thread to thread: one text, since a message takes as long as it has objects. */
export interface RequestedSeriesMessage {
  readonly text: string
  /** Of each key, in UTF-16 units. */
  readonly lengths: Uint32Array
}

/** In the order of `series`. */
export function packRequestedSeries(series: readonly { readonly key: string }[]): RequestedSeriesMessage {
  return { text: series.map(({ key }) => key).join(''), lengths: Uint32Array.from(series, ({ key }) => key.length) }
}

/** The series of a message. */
export function unpackRequestedSeries({ text, lengths }: RequestedSeriesMessage): readonly RequestedSeries[] {
  let at = 0
  return Array.from(lengths, length => {
    const key = text.slice(at, (at += length))
    return { key, ...parseSeriesKey(key) }
  })
}
