import type { TimeRange } from '../../domain/time-range.js'
import type { SampleWindows, SelectRequest } from '../../ports/metric-store.js'

const NS_PER_MS = 1_000_000n

/** The positions of the windows of a read: reads on the same grid can be combined. */
export interface WindowGrid {
  /** Equal for reads whose windows are the same wherever their ranges overlap. */
  readonly name: string
  /** The end of the last window that ends at or before a time. */
  readonly endBefore: (timeNs: bigint) => bigint
}

/** Never negative. */
function remainder(a: bigint, b: bigint): bigint {
  return ((a % b) + b) % b
}

/** Null where the range does not begin and end with whole windows. */
function windowGrid({ startNs, endNs }: TimeRange, windows: SampleWindows): WindowGrid | null {
  const { firstEndMs, stepMs, lengthMs, keep, isTimeFree = false } = windows
  const stepNs = BigInt(stepMs) * NS_PER_MS
  const firstEndNs = BigInt(firstEndMs + 1) * NS_PER_MS
  const firstStartNs = firstEndNs - BigInt(lengthMs) * NS_PER_MS
  const isWhole = startNs >= firstStartNs && (startNs - firstStartNs) % stepNs === 0n && (endNs - firstEndNs) % stepNs === 0n
  if (!isWhole) return null
  const phaseNs = remainder(firstEndNs, stepNs)
  return {
    name: JSON.stringify([keep, isTimeFree, stepMs, lengthMs, String(phaseNs)]),
    endBefore: timeNs => timeNs - remainder(timeNs - phaseNs, stepNs)
  }
}

/** Reads of all samples may be cut at any time. */
const EVERY_TIME: WindowGrid = { name: '', endBefore: timeNs => timeNs }

/** The grid of a read; null when it cannot be put together with others. */
export function windowGridOf({ range, windows }: Pick<SelectRequest, 'range' | 'windows'>): WindowGrid | null {
  return windows === undefined ? EVERY_TIME : windowGrid(range, windows)
}
