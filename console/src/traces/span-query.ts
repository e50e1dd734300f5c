import type { TraceFilter } from '../api/generated/TraceRows.js'
import { withAnyValue } from '../query/with-values.js'

/** The search for spans that a filter of the page amounts to, and a sentence on what it leaves out. */
export interface SpanQuery {
  readonly query: string
  readonly note: string | null
}

function withDurations(query: string, { minDuration, maxDuration }: TraceFilter): string {
  const bounds = [...(minDuration ? [`duration:>=${minDuration}`] : []), ...(maxDuration ? [`duration:<=${maxDuration}`] : [])]
  if (bounds.length === 0) return query
  return [...(query.trim() === '' ? [] : [`(${query.trim()})`]), ...bounds].join(' ')
}

/** One string of the search language for spans. Durations of whole traces are not a condition on a span. */
export function spanQuery(filter: TraceFilter): SpanQuery {
  const { query, services, operations, kinds, statuses, minDuration, maxDuration, scope } = filter
  const lower = (values: readonly string[] | null | undefined) => values?.map(value => value.toLowerCase())
  const named = withAnyValue(withAnyValue(query ?? '', 'service', services), 'operation', operations)
  const text = withAnyValue(withAnyValue(named, 'kind', lower(kinds)), 'status', lower(statuses))
  if (scope === 'SPAN') return { query: withDurations(text, filter), note: null }
  const isBounded = Boolean(minDuration) || Boolean(maxDuration)
  return {
    query: text,
    note: isBounded ? 'Spans of all traces are measured: durations of traces are not a condition here.' : null
  }
}
