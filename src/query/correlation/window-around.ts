import type { TimeRange } from '../../domain/time-range.js'

/** The anchor's own time, widened to `leastNs` about its middle; a window that would reach beyond now ends now instead. */
export function windowAround({ startNs, endNs }: TimeRange, leastNs: bigint, nowNs: bigint): TimeRange {
  if (endNs - startNs >= leastNs) return { startNs, endNs }
  const end = startNs + (endNs - startNs) / 2n + leastNs / 2n
  const latest = end > nowNs + 1n && endNs <= nowNs + 1n ? nowNs + 1n : end
  return { startNs: latest - leastNs, endNs: latest }
}
