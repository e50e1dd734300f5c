import fc from 'fast-check'
import { unreachable } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { SearchRequest } from '../../src/domain/search.js'
import type {
  ServiceEdgesRequest,
  SpanStatsRequest,
  SpanStatsRow,
  TraceSearchRequest,
  TraceStore
} from '../../src/ports/trace-store.js'
import { NEVER, newIngestId } from '../contract/fresh-ids.js'
import { toSpan } from '../contract/trace-fixtures.js'
import { requireAlike } from './agreement.js'
import { query, sketch, type Query } from './trace-queries.js'
import type { Fill } from './two-stores.js'
import { warningSentence } from '../../src/domain/warning.js'

const MAX_PAGES = 4

/** Stores the same random spans in all of the stores. */
export const fillSpans: Fill = async (stores, ns, { batches, seed }) => {
  for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 15 }), { numRuns: batches, seed })) {
    const batch = { ingestId: newIngestId(), items: sketches.map(toSpan) }
    for (const { traces } of stores) await traces.append(ns, batch)
  }
  for (const { traces } of stores) await traces.settle(ns)
}

async function spans(store: TraceStore, ns: NamespaceId, request: SearchRequest): Promise<unknown> {
  const pages = [await store.searchSpans(ns, request, NEVER)]
  const { rows, range, filter } = request
  if (!rows) return pages
  while (pages.at(-1)!.hasMore && pages.at(-1)!.rows!.length > 0 && pages.length < MAX_PAGES) {
    const { timestampNs, id } = pages.at(-1)!.rows!.at(-1)!
    pages.push(await store.searchSpans(ns, { range, filter, rows: { ...rows, after: { timestampNs, id } } }, NEVER))
  }
  return pages
}

async function traces(store: TraceStore, ns: NamespaceId, request: TraceSearchRequest): Promise<unknown> {
  const pages = [await store.searchTraces(ns, request, NEVER)]
  const { rows } = request
  for (let last = pages[0]!; last.hasMore && last.traces.length > 0 && pages.length < MAX_PAGES; last = pages.at(-1)!) {
    const { startNs, durationNs, traceId } = last.traces.at(-1)!
    const after = { key: rows.by === 'start' ? startNs : durationNs, traceId }
    pages.push(await store.searchTraces(ns, { ...request, total: false, rows: { ...rows, after } }, NEVER))
  }
  return pages
}

/** Engines round the last digits of an interpolation each in their own way. */
function rounded<Row extends { readonly percentilesNs: readonly (number | null)[] }>(rows: readonly Row[]): readonly Row[] {
  const round = (value: number | null) => (value === null ? null : Number(value.toPrecision(12)))
  return rows.map(row => ({ ...row, percentilesNs: row.percentilesNs.map(round) }))
}

/** Sums beyond a double's whole numbers are rounded by some engines, which report it. */
function roundedSums({ grid, ...row }: SpanStatsRow): SpanStatsRow {
  const round = (ns: bigint) => (ns > Number.MAX_SAFE_INTEGER ? BigInt(Number(Number(ns).toPrecision(12))) : ns)
  if (!grid?.durationsNs) return { ...row, ...(grid && { grid }) }
  return { ...row, grid: { ...grid, durationsNs: grid.durationsNs.map(round) } }
}

async function stats(store: TraceStore, ns: NamespaceId, request: SpanStatsRequest): Promise<unknown> {
  const { rows, warnings, ...rest } = await store.stats(ns, request, NEVER)
  return {
    ...rest,
    warnings: warnings.filter(text => !warningSentence(text).includes('rounded')),
    rows: rounded(rows.map(roundedSums))
  }
}

async function edges(store: TraceStore, ns: NamespaceId, request: ServiceEdgesRequest): Promise<unknown> {
  const { edges: found, ...rest } = await store.serviceEdges(ns, request, NEVER)
  return { ...rest, edges: rounded(found) }
}

/** The whole result; a first page brings those behind it. */
function response(store: TraceStore, ns: NamespaceId, requested: Query): Promise<unknown> {
  switch (requested.kind) {
    case 'spans':
      return spans(store, ns, requested.request)
    case 'traces':
      return traces(store, ns, requested.request)
    case 'trace':
      return store.trace(ns, requested.request.traceId, requested.request.limit, NEVER)
    case 'stats':
      return stats(store, ns, requested.request)
    case 'edges':
      return edges(store, ns, requested.request)
    default:
      return unreachable(requested)
  }
}

/** Puts random queries to two stores with the same spans; throws at the first response that differs. */
export async function compareTraces(
  [one, other]: readonly [TraceStore, TraceStore],
  ns: NamespaceId,
  { queries, seed }: { readonly queries: number; readonly seed: number }
): Promise<void> {
  const agree = async (requested: Query) => {
    const [a, b] = await Promise.all([response(one, ns, requested), response(other, ns, requested)])
    requireAlike(a, b)
  }
  await fc.assert(fc.asyncProperty(query, agree), { numRuns: queries, seed })
}
