import type { Label, MetricPoint, MetricType } from '../../domain/metric-point.js'
import type { SeriesIdentity } from './label-matching.js'

const NS_PER_MS = 1_000_000n
/** Gauges count for as long as a query would look back for them. */
const GAUGE_LIFE_NS = 300_000n * NS_PER_MS
/** How often they are looked for within one round, in the time of its samples: each look goes over all of them. */
const GAUGE_STEP_NS = GAUGE_LIFE_NS / 10n
const NEVER_NS = -(1n << 63n)

/** The state of a series that is added to an overflow series. */
interface Member {
  /** NaN before its first value. */
  value: number
  /** Of its last point. */
  timeNs: bigint
  /** When that came, or a later one that is about to be added. */
  seenNs: bigint
}

/** When a point is taken in. */
export interface OverflowTimes {
  readonly nowNs: bigint
  /** From here on every added series is remembered: one that began later is new. */
  readonly watchedSinceNs: bigint
}

/** Sample of an overflow series; a later one of the same time replaces it. */
export type OverflowSample = Pick<MetricPoint, 'timestampNs' | 'value'>

/** Memory that remembering a series takes, its key (a digest) among it; measured. */
export const MEMBER_BYTES = 256

/**
 * One overflow series: the sum of the series over the limit. A counter is the running total of the increases of each since it was
 * first added, so that `rate` of it is the sum of their rates; a gauge is the sum of their values.
 */
export class OverflowSeries {
  readonly name: string
  readonly type: MetricType
  readonly labels: readonly Label[]
  readonly #members = new Map<string, Member>()
  #total = 0
  #lastNs: bigint | null
  /** The time of the zero with which a counter begins, once that is known. */
  #zeroNs: bigint | null = null
  #isWritten = false
  /** As of when the sum has no gauges that have ended. */
  #freshNs: bigint | null = null

  /** `lastNs`: its last sample of an earlier run of the process; null without one. */
  constructor({ name, labels }: SeriesIdentity, type: MetricType, lastNs: bigint | null) {
    this.name = name
    this.type = type
    this.labels = labels
    // Behind it is room for the zero with which it starts again.
    this.#lastNs = lastNs === null ? null : lastNs + 2n * NS_PER_MS
  }

  /** Whether something of it is stored. */
  get isWritten(): boolean {
    return this.#isWritten
  }

  /** The time of its last sample; null when none is stored. */
  get writtenNs(): bigint | null {
    return this.#isWritten ? this.#lastNs : null
  }

  /** The result of `add` is stored: until then it is not known whether the zero is. */
  noteWritten(): void {
    this.#isWritten = true
  }

  /** Whether a series is remembered; then it is not idle. */
  see(key: string, nowNs: bigint): boolean {
    const member = this.#members.get(key)
    if (member) member.seenNs = nowNs
    return member !== undefined
  }

  /** Makes room for a series before its first point is added. */
  expect(key: string, nowNs: bigint): void {
    this.#members.set(key, { value: Number.NaN, timeNs: NEVER_NS, seenNs: nowNs })
  }

  /** Takes in points of series that are expected, in the order of time; returns what to write. */
  add(points: readonly (readonly [key: string, point: MetricPoint])[], times: OverflowTimes): readonly OverflowSample[] {
    const samples = new Map<bigint, number>()
    if (this.type === 'gauge') this.#total = this.#sum()
    for (const [key, point] of points) {
      const atNs = this.#timeOf(point, times.nowNs)
      // A counter that begins, or starts again with this process, starts with a zero: later values are not taken for a jump.
      this.#zeroNs ??= atNs - NS_PER_MS
      if (!this.#isWritten && this.type === 'counter') samples.set(this.#zeroNs, 0)
      const member = this.#members.get(key)!
      // Not a repeat, nor a late point that a newer total has in it.
      if (point.timestampNs > member.timeNs) this.#take(member, point, times)
      this.#lastNs = atNs
      samples.set(atNs, this.#total)
    }
    return Array.from(samples, ([timestampNs, value]) => ({ timestampNs, value }))
  }

  /** Whether `forgetStale` was last called for a time well before the point. */
  isDue(point: MetricPoint, nowNs: bigint): boolean {
    if (this.type !== 'gauge') return false
    return this.#freshNs === null || this.#asOf(point, nowNs) >= this.#freshNs + GAUGE_STEP_NS
  }

  /** Gauges that no query at the point's time would find any more leave the sum; returns the bytes that this frees. */
  forgetStale(point: MetricPoint, nowNs: bigint): number {
    if (this.type !== 'gauge') return 0
    const asOfNs = this.#asOf(point, nowNs)
    this.#freshNs = asOfNs
    return this.#remove(({ timeNs, seenNs }) => (timeNs < seenNs ? timeNs : seenNs) < asOfNs - GAUGE_LIFE_NS)
  }

  /** Forgets the series of which nothing came since `goneNs`; returns the bytes that this frees. */
  forget(goneNs: bigint): number {
    return this.#remove(({ seenNs }) => seenNs < goneNs)
  }

  /** Forgets all of them; returns the bytes that this frees. */
  forgetAll(): number {
    return this.#remove(() => true)
  }

  get size(): number {
    return this.#members.size
  }

  // Never before what is written already, where a total would fall, and never ahead of the clock, where it would delay
  // all that comes.
  #timeOf({ timestampNs }: MetricPoint, nowNs: bigint): bigint {
    const atNs = timestampNs > nowNs ? nowNs : timestampNs
    return this.#lastNs !== null && atNs < this.#lastNs ? this.#lastNs : atNs
  }

  // A sender's clock that runs ahead does not end gauges of other senders.
  #asOf(point: MetricPoint, nowNs: bigint): bigint {
    const atNs = this.#timeOf(point, nowNs)
    return atNs > nowNs ? nowNs : atNs
  }

  #take(member: Member, point: MetricPoint, { nowNs, watchedSinceNs }: OverflowTimes): void {
    member.timeNs = point.timestampNs
    member.seenNs = nowNs
    const isNumber = Number.isFinite(point.value)
    if (this.type === 'counter' && !isNumber) return
    // A gauge whose value is not finite (such as the stale marker) is out of the sum; so is a gauge that had ended before
    // the time of the sum.
    const isCurrent = this.type === 'counter' || point.timestampNs >= this.#asOf(point, nowNs) - GAUGE_LIFE_NS
    const value = isNumber && isCurrent ? point.value : 0
    if (this.type === 'counter') this.#total += riseOf(member, point, watchedSinceNs)
    else this.#total += value - (Number.isNaN(member.value) ? 0 : member.value)
    member.value = value
  }

  #remove(isGone: (member: Member) => boolean): number {
    const before = this.#members.size
    for (const [key, member] of this.#members) {
      if (isGone(member)) this.#members.delete(key)
    }
    return (before - this.#members.size) * MEMBER_BYTES
  }

  // Again for each round: differences alone would gather errors of rounding.
  #sum(): number {
    let sum = 0
    for (const { value } of this.#members.values()) if (!Number.isNaN(value)) sum += value
    return sum
  }
}

/** How much a counter rose since its last point; a fall is a reset to zero. */
function riseOf({ value: last }: Member, { value, startNs }: MetricPoint, watchedSinceNs: bigint): number {
  if (!Number.isNaN(last)) return value >= last ? value - last : value
  // How much of the first value is old is known only when its sender states when it began.
  return startNs !== undefined && startNs >= watchedSinceNs ? value : 0
}
