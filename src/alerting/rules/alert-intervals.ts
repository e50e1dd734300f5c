import { type AlertSpan, spansOf } from '../../domain/alerts/alert-spans.js'
import type { Namespace } from '../../domain/namespace.js'
import { firstMsFrom, resolveWindow } from '../../domain/time-range.js'
import type { Clock } from '../../ports/clock.js'
import type { ControlStore } from '../../ports/control-store.js'
import { EVENTS_KEPT_MS, MAX_RULES } from './rule-limits.js'

/** Events that are read: those of the window and of the time since. */
export const MAX_INTERVAL_EVENTS = 5_000
/** Intervals of one response. */
export const MAX_INTERVALS = 200
const DEFAULT_WINDOW_MS = 3_600_000
const SERVICE_LABEL = 'service'

/** Dependencies of `AlertIntervals`. */
export interface AlertIntervalsDeps {
  readonly store: Pick<ControlStore, 'alertRules' | 'alertStates'>
  readonly clock: Pick<Clock, 'nowNs' | 'nowMs'>
}

/** Which intervals. Times in any form that `resolveWindow` reads. */
export interface AlertIntervalRequest {
  readonly start?: unknown
  readonly end?: unknown
  /** Only alerts whose label `service` has this value. */
  readonly service?: string | undefined
}

/** When alerts fired in a window. Unix milliseconds. */
export interface FiringIntervals {
  /** Those that end last first; each is the part within the window, and open where the alert fired before or after it. */
  readonly intervals: readonly AlertSpan[]
  /** From when on the intervals are known: the start of the window, or a later time when older events
   * are deleted or too many. */
  readonly knownFromMs: number
  /** False when intervals were left out. */
  readonly complete: boolean
}

/** Reads when alerts fired: what charts draw behind their lines. */
export class AlertIntervals {
  readonly #deps: AlertIntervalsDeps

  constructor(deps: AlertIntervalsDeps) {
    this.#deps = deps
  }

  /** Intervals of the window, the last hour by default. `invalid_time_range`. */
  async firing(ns: Namespace, { start, end, service }: AlertIntervalRequest): Promise<FiringIntervals> {
    const { store, clock } = this.#deps
    const window = resolveWindow(start, end, clock.nowNs(), DEFAULT_WINDOW_MS)
    const nowMs = clock.nowMs()
    const [fromMs, toMs] = [firstMsFrom(window.startNs), Math.min(firstMsFrom(window.endNs), nowMs + 1)]
    const rules = await store.alertRules.rules(ns.id, MAX_RULES)
    const present = await store.alertStates.states(
      ns.id,
      rules.map(({ id }) => id)
    )
    // Up to now, since the present states are those of now.
    const found = await store.alertStates.events(ns.id, { fromMs, toMs: nowMs + 1, limit: MAX_INTERVAL_EVENTS + 1 })
    const events = found.slice(0, MAX_INTERVAL_EVENTS)
    const isCut = found.length > events.length
    // Older events were deleted.
    const keptFromMs = Math.max(fromMs, nowMs - EVENTS_KEPT_MS)
    const knownFromMs = isCut ? Math.max(keptFromMs, events.at(-1)!.atMs) : keptFromMs
    const alerts = [...present].map(([ruleId, { instances }]) => ({ ruleId, instances: instances.values() }))
    const firing = spansOf(events.toReversed(), alerts, { fromMs: knownFromMs, toMs })
      .filter(({ state, labels }) => state === 'firing' && (service === undefined || isOf(labels, service)))
      .sort((a, b) => b.toMs - a.toMs || b.fromMs - a.fromMs)
    const intervals = firing.slice(0, MAX_INTERVALS)
    return { intervals, knownFromMs, complete: knownFromMs === fromMs && !isCut && intervals.length === firing.length }
  }
}

function isOf(labels: AlertSpan['labels'], service: string): boolean {
  return labels.some(({ name, value }) => name === SERVICE_LABEL && value === service)
}
