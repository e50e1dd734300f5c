import type { NamespaceId } from '../../domain/ids.js'
import { FOUND_EVENTS_KEPT, LOG_GAP, type ServiceEvent } from '../../domain/service-event.js'
import type { FoundGap } from '../../domain/log-stream.js'
import type { BackgroundJobs, RepeatedJob } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { ServiceEvents } from '../../ports/service-events.js'
import type { StreamLedger } from '../../ports/stream-ledger.js'
import type { Timers } from '../../ports/timers.js'
import { BoundedMap } from '../../threads/bounded-map.js'
import { OneAtATime } from '../../threads/one-at-a-time.js'
import { GAP_PERIOD_MS, logGapEvent, manyGapsEvent, periodOf } from './log-gap-event.js'

const JOB = 'log_gap_events'
/** How long new gaps wait for others. */
export const GAP_EVENT_DELAY_MS = 500
/** After a run, the next one waits so many times longer than it took, at most `MAX_DELAY_MS`. */
const REST = 4
const MAX_DELAY_MS = 10_000
/** How often gaps are read that another gateway found and made no event of. */
const EVERY_MS = 60_000
/** Gaps that were found so long before the latest read are read again: gateways have different clocks. */
const OVERLAP_MS = 2 * GAP_PERIOD_MS
/** Gaps that were found earlier get no event. */
export const GAP_EVENT_LOOKBACK_MS = 3_600_000
/** An event that is added so long after the gap was found has the time of its addition: rules do not wait longer. */
export const GAP_EVENT_LATE_MS = 15_000
/** Events whose ids are remembered, so that they are not written again. */
const MAX_REMEMBERED = 10_000

/** Bounds of events about gaps. The events of an hour are within `kept`: a start does not add deleted ones again. */
export interface GapEventLimits {
  /** Streams of a namespace that get an event in a minute. */
  readonly streams: number
  /** Gaps that are read of a minute, of all namespaces. */
  readonly read: number
  /** Events that a namespace keeps. */
  readonly kept: number
}

export const GAP_EVENT_LIMITS: GapEventLimits = Object.freeze({ streams: 15, read: 10_000, kept: FOUND_EVENTS_KEPT })

export interface LogGapEventsDeps {
  readonly ledger: Pick<StreamLedger, 'found' | 'firstFound'>
  readonly events: Pick<ServiceEvents, 'add' | 'keepNewest'>
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>
  readonly timers: Timers
  readonly jobs: BackgroundJobs
  readonly limits?: GapEventLimits
  /** Called after events are stored here. */
  readonly onEvents?: (() => void) | undefined
}

/** What one run did. */
interface Run {
  readonly nowMs: number
  /** Namespaces with new events. */
  readonly added: Set<NamespaceId>
  /** The first failure of a namespace, which gets no more events in this run. */
  readonly failures: Map<NamespaceId, unknown>
}

/**
 * Adds events about lines that are missing from log streams, out of the ledger: a crash or a failure between the two delays
 * an event and does not lose it. No batch waits for it. Ids make the events of several gateways one.
 */
export class LogGapEvents {
  readonly #deps: LogGapEventsDeps
  readonly #limits: GapEventLimits
  readonly #turns = new OneAtATime()
  readonly #remembered = new BoundedMap<string, true>(MAX_REMEMBERED)
  #readMs = 0
  #delayMs = GAP_EVENT_DELAY_MS
  #cancel: (() => void) | null = null
  #running: Promise<void> = Promise.resolve()
  #repeated: RepeatedJob | null = null
  #isClosed = false

  constructor(deps: LogGapEventsDeps) {
    this.#deps = deps
    this.#limits = deps.limits ?? GAP_EVENT_LIMITS
  }

  /** Reads what an earlier process or another gateway left, now and each minute. */
  start(): void {
    this.#repeated ??= this.#deps.jobs.repeat(JOB, EVERY_MS, () => this.run())
    this.wake()
  }

  /** The ledger has new gaps: their events follow shortly. */
  wake(): void {
    if (this.#isClosed || this.#cancel !== null) return
    this.#cancel = this.#deps.timers.after(this.#delayMs, () => {
      this.#cancel = null
      this.#running = this.#deps.jobs.run(JOB, () => this.run())
    })
  }

  /** Resolves when the run in progress has ended; no other begins. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    this.#cancel = null
    await this.#repeated?.stop()
    await this.#running
  }

  /** Adds events of gaps that are in the ledger and have none. Rejects after the others are added when one cannot be. */
  run(): Promise<void> {
    return this.#turns.run(JOB, () => this.#run())
  }

  async #run(): Promise<void> {
    const { ledger, clock, events, onEvents } = this.#deps
    const startedMs = clock.monotonicMs()
    const run: Run = { nowMs: clock.nowMs(), added: new Set(), failures: new Map() }
    const { nowMs, added, failures } = run
    const sinceMs = Math.max(Math.min(this.#readMs, nowMs) - OVERLAP_MS, nowMs - GAP_EVENT_LOOKBACK_MS)
    try {
      const firstMs = (await ledger.firstFound(periodOf(sinceMs))) ?? Infinity
      for (let periodMs = periodOf(firstMs); periodMs <= nowMs; periodMs += GAP_PERIOD_MS) await this.#addOf(run, periodMs)
      for (const ns of added) await events.keepNewest(ns, LOG_GAP, this.#limits.kept)
      if (added.size > 0) onEvents?.()
    } finally {
      const restMs = Math.min(MAX_DELAY_MS, REST * (clock.monotonicMs() - startedMs))
      this.#delayMs = Math.max(GAP_EVENT_DELAY_MS, restMs)
    }
    for (const failure of failures.values()) throw failure
    this.#readMs = nowMs
  }

  async #addOf(run: Run, periodMs: number): Promise<void> {
    const { streams, read: limit } = this.#limits
    const toMs = periodMs + GAP_PERIOD_MS
    const found = await this.#deps.ledger.found({ fromMs: periodMs, toMs, streams, limit })
    for (const gap of found) await this.#add(run, logGapEvent(gap, timeOf(gap.gap.atMs, run.nowMs)))
    // The number of streams is known when the period is over.
    if (toMs > run.nowMs) return
    for (const { namespaceId, streams: all } of firstOfEach(found)) {
      if (all > streams) await this.#add(run, manyGapsEvent(namespaceId, all, periodMs, timeOf(toMs - 1, run.nowMs)))
    }
  }

  async #add({ added, failures }: Run, event: ServiceEvent): Promise<void> {
    const { namespaceId: ns, id } = event
    const key = `${ns} ${id}`
    if (failures.has(ns) || this.#remembered.get(key)) return
    try {
      if (await this.#deps.events.add(event)) added.add(ns)
      this.#remembered.set(key, true)
    } catch (error) {
      failures.set(ns, error)
    }
  }
}

function timeOf(foundMs: number, nowMs: number): number {
  return nowMs - foundMs > GAP_EVENT_LATE_MS ? nowMs : foundMs
}

/** One of each namespace. */
function firstOfEach(found: readonly FoundGap[]): Iterable<FoundGap> {
  return new Map(found.map(gap => [gap.namespaceId, gap])).values()
}
