import { formatNs } from '../../../domain/timestamp.js'
import type { TimeRange } from '../../../domain/time-range.js'

/** The first and last time that InfluxDB can store and read, Unix nanoseconds. It takes one more, which no range of Flux reaches. */
export const FIRST_NS = -9_223_372_036_854_775_806n
export const LAST_NS = 9_223_372_036_854_775_805n

/** A time as Flux and the delete API read it, cut to what InfluxDB can store and one more, the end of every range. */
export function toRfc3339(ns: bigint): string {
  return formatNs(ns < FIRST_NS ? FIRST_NS : ns > LAST_NS ? LAST_NS + 1n : ns)
}

/** Whether no stored sample can be in the range; InfluxDB refuses to read an empty one. */
export function isEmptyRange({ startNs, endNs }: TimeRange): boolean {
  return endNs <= startNs || endNs <= FIRST_NS || startNs > LAST_NS
}
