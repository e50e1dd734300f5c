import { compareKeys } from '../../../domain/text-order.js'
import type { SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { percentilesOfBins } from './duration-bins.js'
import { type GroupCounts, SLOT_NS } from './span-cells.js'
import { bucketsOf } from './span-groups.js'

interface Sum {
  readonly key: readonly (string | null)[]
  spans: number
  errors: number
  lastNs: bigint
  readonly atMost: number[]
  readonly bins: Map<number, number>
  readonly slots: Map<number, { spans: number; errors: number }>
}

/** Adds up what was counted of groups, wherever and whenever. */
export class GroupSums {
  readonly #sums = new Map<string, Sum>()

  add(counts: GroupCounts): void {
    const { key, spans, errors, lastNs, atMost, bins, slots } = counts
    const sum = this.#sumOf(key, atMost.length)
    sum.spans += spans
    sum.errors += errors
    if (lastNs > sum.lastNs) sum.lastNs = lastNs
    atMost.forEach((count, i) => (sum.atMost[i]! += count))
    for (let i = 0; i < bins.length; i += 2) sum.bins.set(bins[i]!, (sum.bins.get(bins[i]!) ?? 0) + bins[i + 1]!)
    for (let i = 0; i < slots.length; i += 3) addSlot(sum, slots[i]!, slots[i + 1]!, slots[i + 2]!)
  }

  /** As counts of one stretch of time. */
  counts(): readonly GroupCounts[] {
    return [...this.#sums.values()].map(({ key, spans, errors, lastNs, atMost, bins, slots }) => ({
      ...{ key, spans, errors, lastNs, atMost },
      bins: Int32Array.from([...bins].flat()),
      slots: Float64Array.from([...slots].flatMap(([slot, in_]) => [slot, in_.spans, in_.errors]))
    }))
  }

  /** The rows of an answer, one more than its limit when there are more. */
  rows(request: SpanStatsRequest): readonly SpanStatsRow[] {
    const sums = [...this.#sums.values()].sort((a, b) => b.spans - a.spans || compareKeys(a.key, b.key))
    return sums.slice(0, request.limit + 1).map(sum => toRow(sum, request))
  }

  #sumOf(key: readonly (string | null)[], bounds: number): Sum {
    const text = JSON.stringify(key)
    const known = this.#sums.get(text)
    if (known) return known
    const empty = { spans: 0, errors: 0, lastNs: -(2n ** 63n), atMost: Array.from({ length: bounds }, () => 0) }
    const sum: Sum = { key, ...empty, bins: new Map(), slots: new Map() }
    this.#sums.set(text, sum)
    return sum
  }
}

function addSlot({ slots }: Sum, slot: number, spans: number, errors: number): void {
  const known = slots.get(slot)
  if (!known) {
    slots.set(slot, { spans, errors })
    return
  }
  known.spans += spans
  known.errors += errors
}

function gridOf({ slots }: Sum, { startNs, stepNs, count }: NonNullable<SpanStatsRequest['grid']>): SpanStatsRow['grid'] {
  const zeros = (): number[] => Array.from({ length: count }, () => 0)
  const [spans, errors] = [zeros(), zeros()]
  for (const [slot, counted] of slots) {
    const bucket = Number((BigInt(slot) * SLOT_NS - startNs) / stepNs)
    if (BigInt(slot) * SLOT_NS < startNs || bucket >= count) continue
    spans[bucket]! += counted.spans
    errors[bucket]! += counted.errors
  }
  return { spans, errors }
}

function toRow(sum: Sum, { percentiles, boundsNs, grid }: SpanStatsRequest): SpanStatsRow {
  const { key, spans, errors, lastNs, atMost } = sum
  return {
    ...{ key, spans, errors, lastSeenNs: lastNs },
    percentilesNs: percentilesOfBins(sum.bins, percentiles),
    ...(boundsNs && { buckets: bucketsOf(atMost, spans) }),
    ...(grid && { grid: gridOf(sum, grid)! })
  }
}
