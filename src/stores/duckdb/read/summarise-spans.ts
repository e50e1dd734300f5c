import type { ServiceSpans, TraceSummary } from '../../../domain/span.js'
import { compareRows } from './record-order.js'
import type { ResultRow } from './statement.js'

const MAX_INT64 = 2n ** 63n - 1n

function endOf(row: ResultRow): bigint {
  const end = (row['ts'] as bigint) + (row['duration_ns'] as bigint)
  return end < MAX_INT64 ? end : MAX_INT64
}

function isLater(a: ResultRow, b: ResultRow): boolean {
  if (a['ingest_id'] !== b['ingest_id']) return (a['ingest_id'] as string) > (b['ingest_id'] as string)
  return (a['idx'] as number) > (b['idx'] as number)
}

/** Of spans that were sent more than once what came last, all of one trace. */
export function lastSent(copies: readonly ResultRow[]): readonly ResultRow[] {
  const last = new Map<string, ResultRow>()
  for (const row of copies) {
    const known = last.get(row['span_id'] as string)
    if (!known || isLater(row, known)) last.set(row['span_id'] as string, row)
  }
  return [...last.values()]
}

function isError(row: ResultRow): boolean {
  return row['status'] === 'error'
}

function compareServices(a: ServiceSpans, b: ServiceSpans): number {
  if (a.spans !== b.spans) return b.spans - a.spans
  if (a.service === null || b.service === null) return a.service === null ? 1 : -1
  return Buffer.compare(Buffer.from(a.service), Buffer.from(b.service))
}

function servicesOf(spans: readonly ResultRow[]): readonly ServiceSpans[] {
  const services = new Map<string | null, { spans: number; errors: number }>()
  for (const row of spans) {
    const service = row['service'] as string | null
    const counts = services.get(service) ?? { spans: 0, errors: 0 }
    services.set(service, counts)
    counts.spans++
    if (isError(row)) counts.errors++
  }
  return [...services].map(([service, counts]) => ({ service, ...counts })).sort(compareServices)
}

function earliest(spans: readonly ResultRow[]): ResultRow | undefined {
  return spans.reduce<ResultRow | undefined>((best, row) => (best && compareRows(best, row) < 0 ? best : row), undefined)
}

/** The summary of one trace from all its stored spans. */
export function summariseSpans(copies: readonly ResultRow[]): TraceSummary {
  const spans = lastSent(copies)
  const ids = new Set(spans.map(row => row['span_id']))
  const roots = spans.filter(row => row['parent_span_id'] === null)
  const orphans = spans.filter(row => row['parent_span_id'] !== null && !ids.has(row['parent_span_id']))
  const origin = earliest(roots) ?? earliest(orphans)
  const startNs = copies.map(row => row['ts'] as bigint).reduce((a, b) => (a < b ? a : b))
  const endNs = copies.map(endOf).reduce((a, b) => (a > b ? a : b))
  return {
    traceId: copies[0]!['trace_id'] as string,
    startNs,
    durationNs: endNs - startNs,
    rootService: (origin?.['service'] ?? null) as string | null,
    rootOperation: (origin?.['name'] ?? null) as string | null,
    spanCount: spans.length,
    errorSpanCount: spans.filter(isError).length,
    services: servicesOf(spans),
    hasMissingSpans: roots.length === 0 || orphans.length > 0
  }
}
