import type { AlertCondition } from '../../src/domain/alerts/alert-rule.js'
import type { ConditionResult } from '../../src/domain/alerts/alert-state.js'
import { NOON_MS } from './alert-history.js'

export const MINUTE_MS = 60_000
/** Errors by service in five minutes. */
export const LOGS = {
  ...{ kind: 'logs', query: 'level:error', groupBy: ['service'], agg: 'count', field: null, windowMs: 5 * MINUTE_MS }
} as const satisfies AlertCondition
/** Mean durations of spans by service and status in five minutes. */
export const SPANS = {
  ...{ kind: 'spans', query: '', groupBy: ['service', 'status'], agg: 'avg', field: 'duration', windowMs: 5 * MINUTE_MS }
} as const satisfies AlertCondition

/** Minutes after noon as times of evaluations, read without an offset. */
export function at(...minutes: readonly number[]): readonly number[] {
  return minutes.map(minute => NOON_MS + minute * MINUTE_MS)
}

/** Elements as `a=1 5`, by their labels. */
export function shown(result: ConditionResult | undefined): readonly string[] {
  if (result?.kind !== 'vector') throw new Error(JSON.stringify(result))
  const lines = result.elements.map(
    ({ labels, value }) => `${labels.map(label => `${label.name}=${label.value}`).join(',')} ${value}`
  )
  return lines.toSorted()
}
