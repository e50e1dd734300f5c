import type { NamespaceId } from '../../../domain/ids.js'
import type { TraceSuffixRequest, TraceSuffixResult } from '../../../ports/trace-store.js'
import { KNOWN, TRACE_SUFFIX } from '../document/field-names.js'
import type { SearchContext } from './pages.js'
import type { AggregationResult } from './search-engine.js'
import { SpanMarks } from './span-marks.js'
import { anyTerm } from './term-condition.js'

/** The warning of a result whose range has spans that are not found by the end of their trace ids. */
export const SUFFIXES_NOT_INDEXED =
  'spans of earlier versions are not found by the last 16 digits of their trace ids, because this store indexes them only since the upgrade'

const { field } = TRACE_SUFFIX

/** Finds traces by the last 16 digits of their ids, and knows which namespaces have spans that are not found by them. */
export class TraceSuffixes {
  readonly #marks = new SpanMarks({ exists: { field } })

  /** As `TraceStore.traceIdsBySuffix`; `context` has the range of the request. */
  async find(ns: NamespaceId, context: SearchContext, { suffixes, limit }: TraceSuffixRequest): Promise<TraceSuffixResult> {
    if (suffixes.length === 0) return { traceIds: [], complete: true, warnings: [] }
    const [traceIds, isMissing] = await Promise.all([
      readTraceIds(context, [...new Set(suffixes)], limit),
      this.#marks.isMissing(ns, context)
    ])
    return { traceIds, complete: !isMissing, warnings: isMissing ? [SUFFIXES_NOT_INDEXED] : [] }
  }
}

/** One bucket for each suffix, so that none leaves out the traces of another. */
async function readTraceIds(
  { engine, scope, signal }: SearchContext,
  suffixes: readonly string[],
  limit: number
): Promise<readonly string[]> {
  const ids = { terms: { field: KNOWN.spans.trace_id.field, size: limit, order: { _key: 'asc' } } }
  const filters = suffixes.map(suffix => ({ term: { [field]: suffix } }))
  const body = {
    query: scope.confine(anyTerm(field, suffixes)),
    size: 0,
    track_total_hits: false,
    aggs: { suffixes: { filters: { filters }, aggs: { ids } } }
  }
  const { aggregations } = await engine.search(scope.target.indices, body, signal)
  const found = aggregations?.['suffixes']?.buckets ?? []
  return found.flatMap(bucket => ((bucket['ids'] as AggregationResult).buckets ?? []).map(({ key }) => String(key))).toSorted()
}
