import { compareKeys } from '../../../domain/string-order.js'
import { zeros } from '../../../domain/zeros.js'
import type { SpanGridCounts, SpanStatsRequest, SpanStatsRow } from '../../../ports/trace-store.js'
import { percentilesOfBins } from './duration-bins.js'
import { type GroupCounts, SLOT_NS } from './span-cells.js'
import { bucketsOfRow } from './span-durations.js'
import { fineBounds, gridCounts, type GridRequest } from './span-grid-counts.js'

/** The members of a query that determine the form of its sums. */
type Summed = Pick<SpanStatsRequest, 'percentiles' | 'boundsNs' | 'errorBuckets' | 'grid' | 'limit'>

interface Slot {
  spans: number
  errors: number
  /** Undefined where no sums are requested. */
  durationsNs: bigint | undefined
  readonly atMost: number[]
}

interface Sum {
  readonly key: readonly (string | null)[]
  spans: number
  errors: number
  lastNs: bigint
  readonly atMost: number[]
  readonly failedAtMost: number[]
  readonly bins: Map<number, number>
  readonly slots: Map<number, Slot>
}

/** Adds up what was counted of groups, wherever and whenever. */
export class GroupSums {
  readonly #sums = new Map<string, Sum>()

  add(counts: GroupCounts): void {
    const { spans, errors, lastNs, atMost, failedAtMost, bins } = counts
    const sum = this.#sumOf(counts)
    sum.spans += spans
    sum.errors += errors
    if (lastNs > sum.lastNs) sum.lastNs = lastNs
    atMost.forEach((count, i) => (sum.atMost[i]! += count))
    failedAtMost.forEach((count, i) => (sum.failedAtMost[i]! += count))
    for (let i = 0; i < bins.length; i += 2) sum.bins.set(bins[i]!, (sum.bins.get(bins[i]!) ?? 0) + bins[i + 1]!)
    addSlots(sum, counts)
  }

  /** As counts of one stretch of time. */
  counts(): readonly GroupCounts[] {
    return [...this.#sums.values()].map(({ key, spans, errors, lastNs, atMost, failedAtMost, bins, slots }) => ({
      ...{ key, spans, errors, lastNs, atMost, failedAtMost },
      bins: Int32Array.from([...bins].flat()),
      slots: Float64Array.from([...slots].flatMap(([slot, in_]) => [slot, in_.spans, in_.errors])),
      slotsAtMost: Float64Array.from([...slots.values()].flatMap(slot => slot.atMost)),
      slotsNs: [...slots.values()].flatMap(({ durationsNs }) => durationsNs ?? [])
    }))
  }

  /** The rows of a result, one more than its limit when there are more. */
  rows(request: Summed): readonly SpanStatsRow[] {
    const sums = [...this.#sums.values()].sort((a, b) => b.spans - a.spans || compareKeys(a.key, b.key))
    return sums.slice(0, request.limit + 1).map(sum => toRow(sum, request))
  }

  #sumOf({ key, atMost, failedAtMost }: GroupCounts): Sum {
    const text = JSON.stringify(key)
    const known = this.#sums.get(text)
    if (known) return known
    const empty = {
      spans: 0,
      errors: 0,
      lastNs: -(2n ** 63n),
      atMost: atMost.map(() => 0),
      failedAtMost: failedAtMost.map(() => 0)
    }
    const sum: Sum = { key, ...empty, bins: new Map(), slots: new Map() }
    this.#sums.set(text, sum)
    return sum
  }
}

function addSlots({ slots: sums }: Sum, { slots, slotsAtMost, slotsNs }: GroupCounts): void {
  const count = slots.length / 3
  const bounds = slotsAtMost.length / count
  for (let i = 0; i < count; i++) {
    const sum = slotOf(sums, slots[3 * i]!, bounds)
    sum.spans += slots[3 * i + 1]!
    sum.errors += slots[3 * i + 2]!
    for (let b = 0; b < bounds; b++) sum.atMost[b]! += slotsAtMost[i * bounds + b]!
    if (slotsNs.length > 0) sum.durationsNs = (sum.durationsNs ?? 0n) + slotsNs[i]!
  }
}

function slotOf(slots: Map<number, Slot>, at: number, bounds: number): Slot {
  const known = slots.get(at)
  if (known) return known
  const empty = { spans: 0, errors: 0, durationsNs: undefined, atMost: zeros(bounds) }
  slots.set(at, empty)
  return empty
}

function gridOf({ slots }: Sum, request: GridRequest): SpanGridCounts {
  const { startNs, stepNs, count } = request.grid
  const [spans, errors, atMost] = [zeros(count), zeros(count), fineBounds(request).map(() => zeros(count))]
  const durationsNs = Array.from({ length: count }, () => 0n)
  for (const [slot, counted] of slots) {
    const bucket = Number((BigInt(slot) * SLOT_NS - startNs) / stepNs)
    if (BigInt(slot) * SLOT_NS < startNs || bucket >= count) continue
    spans[bucket]! += counted.spans
    errors[bucket]! += counted.errors
    if (counted.durationsNs !== undefined) durationsNs[bucket]! += counted.durationsNs
    atMost.forEach((counts, i) => (counts[bucket]! += counted.atMost[i]!))
  }
  return gridCounts(request, { spans, errors, durationsNs, atMost })
}

function toRow(sum: Sum, request: Summed): SpanStatsRow {
  const { percentiles, grid } = request
  const { key, spans, errors, lastNs } = sum
  return {
    ...{ key, spans, errors, lastSeenNs: lastNs },
    percentilesNs: percentilesOfBins(sum.bins, percentiles),
    ...bucketsOfRow(request, sum),
    ...(grid && { grid: gridOf(sum, { ...request, grid }) })
  }
}
