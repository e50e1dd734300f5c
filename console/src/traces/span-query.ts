import type { TraceFilter } from '../api/generated/TraceRows.js'
import type { ComparedSearch } from '../compare/compared-sides.js'
import { type ChosenValues, withChosenValues } from '../query/with-values.js'
import type { TimeWindow } from '../url/time-window.js'

/** The search for spans that a filter of the page amounts to, and a sentence on what it leaves out. */
export interface SpanQuery {
  readonly query: string
  readonly note: string | null
}

/** Durations of whole traces (without `scope`) are not a condition on a span. */
function withDurations(query: string, { minDuration, maxDuration, scope }: TraceFilter): string {
  const bounds = [...(minDuration ? [`duration:>=${minDuration}`] : []), ...(maxDuration ? [`duration:<=${maxDuration}`] : [])]
  if (scope !== 'SPAN' || bounds.length === 0) return query
  return [...(query.trim() === '' ? [] : [`(${query.trim()})`]), ...bounds].join(' ')
}

function isBoundByTrace({ minDuration, maxDuration, scope }: TraceFilter): boolean {
  return scope !== 'SPAN' && (Boolean(minDuration) || Boolean(maxDuration))
}

function chosenValues({ services, operations, kinds, statuses }: TraceFilter): ChosenValues {
  const lower = (values: readonly string[] | null | undefined) => values?.map(value => value.toLowerCase())
  return { service: services, operation: operations, kind: lower(kinds), status: lower(statuses) }
}

/** One string of the search language for the spans of a filter. */
export function spanQuery(filter: TraceFilter): SpanQuery {
  return {
    query: withDurations(withChosenValues(filter.query ?? '', chosenValues(filter)), filter),
    note: isBoundByTrace(filter) ? 'Spans of all traces are measured: durations of traces are not a condition here.' : null
  }
}

/** The spans of a filter as a comparison needs them. */
export function comparedSpans(filter: TraceFilter, window: TimeWindow): ComparedSearch {
  return {
    signal: 'SPANS',
    window,
    query: withDurations(filter.query ?? '', filter),
    chosen: chosenValues(filter),
    ...(isBoundByTrace(filter) && { omitted: 'Spans are compared whatever the duration of their trace.' })
  }
}
