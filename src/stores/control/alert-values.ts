import type { AlertState } from '../../domain/alerts/alert-state.js'
import { ALERT_STATES } from '../../domain/alerts/alert-state.js'
import type { Label } from '../../domain/metric-point.js'

// How columns of the alert tables store what SQL and JSON cannot: doubles with NaN and infinities, labels, states.

/** Digits of a double; null for no value. */
export function valueText(value: number | null): string | null {
  if (value === null) return null
  return Object.is(value, -0) ? '-0' : String(value)
}

/** The double that `valueText` wrote. */
export function readValue(text: string | null): number | null {
  return text === null ? null : Number(text)
}

/** JSON of labels as pairs, in their order. */
export function labelsText(labels: readonly Label[]): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, value]))
}

/** The labels that `labelsText` wrote. */
export function readLabels(text: string): readonly Label[] {
  return (JSON.parse(text) as readonly (readonly [string, string])[]).map(([name, value]) => ({ name, value }))
}

/** A stored state. A later version may have written one that this one does not know. */
export function readState(text: string): AlertState {
  return ALERT_STATES.find(state => state === text) ?? 'unknown'
}
