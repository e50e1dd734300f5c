import type { AlertEvent, AlertInstance, AlertState } from './alert-state.js'
import { groupedBy } from '../grouped-by.js'
import type { Label } from '../metric-point.js'

/** A time in which an alert had one state. Unix milliseconds, `toMs` exclusive. */
export interface AlertSpan {
  readonly ruleId: string
  readonly labels: readonly Label[]
  readonly state: AlertState
  readonly fromMs: number
  readonly toMs: number
  /** Whether the alert had the state before `fromMs`, and from `toMs` on: the range has a part of the span alone. */
  readonly isOpenAtStart: boolean
  readonly isOpenAtEnd: boolean
  /** First of the evaluations in a row that met the condition. */
  readonly activeAtMs: number
}

/** A span as its events have it: infinite at an end that has no event. */
type WholeSpan = Omit<AlertSpan, 'isOpenAtStart' | 'isOpenAtEnd'>

/** The present alerts of a rule. */
export interface PresentAlerts {
  readonly ruleId: string
  readonly instances: Iterable<AlertInstance>
}

/** A window of time. Unix milliseconds, `toMs` exclusive. */
export interface SpanRange {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Spans of all alerts in a range: from all events from its begin to now (oldest first) and the present alerts. An alert
 * without an event had its present state all the time.
 */
export function spansOf(
  events: readonly AlertEvent[],
  present: readonly PresentAlerts[],
  range: SpanRange
): readonly AlertSpan[] {
  const byAlert = groupedBy(events, ({ ruleId, fingerprint }) => `${ruleId} ${fingerprint}`)
  const spans: WholeSpan[] = [...byAlert.values()].flatMap(all => spansOfAlert(all))
  for (const { ruleId, instances } of present)
    for (const { fingerprint, labels, state, activeAtMs } of instances) {
      if (byAlert.has(`${ruleId} ${fingerprint}`)) continue
      spans.push({ ruleId, labels, state, fromMs: -Infinity, toMs: Infinity, activeAtMs })
    }
  return spans.flatMap(span => {
    const fromMs = Math.max(span.fromMs, range.fromMs)
    const toMs = Math.min(span.toMs, range.toMs)
    if (fromMs >= toMs) return []
    return [{ ...span, fromMs, toMs, isOpenAtStart: span.fromMs < fromMs, isOpenAtEnd: span.toMs > toMs }]
  })
}

function spansOfAlert(events: readonly AlertEvent[]): readonly WholeSpan[] {
  const [first] = events as [AlertEvent]
  const { ruleId, labels } = first
  const before = { ruleId, labels, state: first.from, fromMs: -Infinity, toMs: first.atMs, activeAtMs: first.startsAtMs }
  const after = events.map(({ to, atMs, startsAtMs }, at) => {
    return { ruleId, labels, state: to, fromMs: atMs, toMs: events[at + 1]?.atMs ?? Infinity, activeAtMs: startsAtMs }
  })
  return [before, ...after]
}
