import { fieldValue } from '../ui/field-value.js'

/** Kinds of indicators of the form. */
export const INDICATORS = ['availability', 'latency', 'ratio'] as const
export type IndicatorKind = (typeof INDICATORS)[number]

/** Thresholds of latency at which spans are counted. */
export const THRESHOLDS_MS: readonly number[] = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000]

function indicatorOf(kind: IndicatorKind, values: FormData): object {
  const operation = fieldValue(values, 'operation').trim()
  if (kind === 'ratio') return { bad: fieldValue(values, 'bad'), total: fieldValue(values, 'total') }
  if (kind === 'latency') return { operation, threshold_ms: Number(fieldValue(values, 'threshold')) }
  return operation === '' ? {} : { operation }
}

/** The SLO of a submitted form, as the API reads it. The members of `stored` that the form does not have stay. */
export function documentOf(kind: IndicatorKind, values: FormData, stored: object = {}): Record<string, unknown> {
  return {
    ...stored,
    name: fieldValue(values, 'name').trim(),
    service: fieldValue(values, 'service').trim(),
    objective: Number(fieldValue(values, 'objective')),
    window: fieldValue(values, 'window'),
    indicator: { [kind]: indicatorOf(kind, values) },
    alerts: ['page', 'ticket'].filter(alert => values.has(alert))
  }
}

/** What of a stored SLO the form shows. */
export interface SloFields {
  readonly name?: string
  readonly service?: string
  readonly objective?: number
  readonly window?: string
  readonly alerts?: readonly string[]
  readonly indicator?: {
    readonly availability?: { readonly operation?: string }
    readonly latency?: { readonly operation: string; readonly threshold_ms: number }
    readonly ratio?: { readonly good?: string; readonly bad?: string; readonly total: string }
  }
}

/** The kind of indicator of a stored SLO; null for one that only the API edits: good events. */
export function kindOf({ indicator }: SloFields): IndicatorKind | null {
  if (indicator?.ratio?.good !== undefined) return null
  return INDICATORS.find(kind => indicator?.[kind] !== undefined) ?? 'availability'
}
