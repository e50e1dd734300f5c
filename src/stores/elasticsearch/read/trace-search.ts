import type { TraceSummary } from '../../../domain/span.js'
import type { TraceSearchRequest, TraceSearchResult, TraceConditions } from '../../../ports/trace-store.js'
import { ID, KNOWN, TIME } from '../document/field-names.js'
import type { TraceLimits } from '../limits.js'
import { neededMembers } from './decide.js'
import { decidedQuery, deciderOf } from './decider.js'
import { MAX_PAGE, readPage, type SearchContext } from './pages.js'
import type { Query } from './query.js'
import { positionOf } from './document-values.js'
import { summariesOf } from './summaries.js'
import { sampleCut } from './sample-cut.js'
import type { Warning } from '../../../domain/warning.js'

type Rows = TraceSearchRequest['rows']

function keyOf({ startNs, durationNs }: TraceSummary, by: Rows['by']): bigint {
  return by === 'start' ? startNs : durationNs
}

function compare(aKey: bigint, aId: string, bKey: bigint, bId: string): number {
  if (aKey !== bKey) return aKey < bKey ? -1 : 1
  return aId < bId ? -1 : aId > bId ? 1 : 0
}

/** Compares traces as the rows are sorted. */
function inOrder({ by, order }: Rows): (a: TraceSummary, b: TraceSummary) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => sign * compare(keyOf(a, by), a.traceId, keyOf(b, by), b.traceId)
}

/** Whether a trace is after the last page. */
function follows({ by, order, after }: Rows): (trace: TraceSummary) => boolean {
  if (!after) return () => true
  const sign = order === 'asc' ? 1 : -1
  return trace => sign * compare(keyOf(trace, by), trace.traceId, after.key, after.traceId) > 0
}

/** Whether a trace as a whole is what was requested. */
function satisfies(trace: TraceSummary, { minDurationNs, maxDurationNs, hasError }: TraceConditions): boolean {
  const { durationNs, errorSpanCount } = trace
  if (minDurationNs !== undefined && durationNs < minDurationNs) return false
  if (hasError !== undefined && errorSpanCount > 0 !== hasError) return false
  return maxDurationNs === undefined || durationNs <= maxDurationNs
}

const F = KNOWN.spans
/** Spans of the first look; each further one is this many times larger. */
const FIRST_LOOK = 200
const GROWTH = 3
/** Spans of candidates that are read for each matching span that may be looked at: traces are summed up over all their spans. */
const SPANS_PER_SCANNED = 3

/** Traces that were found, in order, and what of them is certain. */
interface FoundTraces {
  readonly traces: readonly TraceSummary[]
  /** The list is complete. */
  readonly isAll: boolean
  readonly warnings: readonly Warning[]
}

/**
 * Newest traces first. A trace starts no later than any of its spans, so once the matching spans have been looked at down
 * to a time, whatever starts after it is known, and nothing that is not known comes before it.
 */
async function newestTraces(
  context: SearchContext,
  request: TraceSearchRequest,
  { maxScanned }: TraceLimits
): Promise<FoundTraces> {
  const { query, matches } = deciderOf(context, 'spans', request.filter)
  const members = [...new Set([...neededMembers([request.filter], 'spans'), TIME, ID, F.trace_id.field])]
  const requested = request.rows.limit + 1
  const seen = new Set<string>()
  const found: TraceSummary[] = []
  let after: ReturnType<typeof positionOf> | undefined
  let size = Math.min(FIRST_LOOK, maxScanned)
  let spansLeft = SPANS_PER_SCANNED * maxScanned
  for (let scanned = 0; ;) {
    const { documents: page, isLast } = await readPage(context, { query, order: 'desc', size, after, members })
    const fitting = matches ? page.filter(matches) : page
    const ids = new Set(fitting.map(source => source[F.trace_id.field] as string))
    const unseen = [...ids].filter(id => !seen.has(id))
    for (const id of unseen) seen.add(id)
    const { traces, isCut } = await summariesOf(context, unseen, spansLeft)
    spansLeft -= traces.reduce((sum, { spanCount }) => sum + spanCount, 0)
    found.push(...traces.filter(trace => satisfies(trace, request.conditions)))
    if (isCut) {
      const warnings = [sampleCut(`only traces of about ${SPANS_PER_SCANNED * maxScanned} spans were searched`)]
      return { traces: found.toSorted(inOrder(request.rows)), isAll: false, warnings }
    }
    if (isLast) return { traces: found.toSorted(inOrder(request.rows)), isAll: true, warnings: [] }
    after = positionOf(page.at(-1)!)
    const floor = after.timestampNs
    const certain = found.filter(({ startNs }) => startNs > floor).toSorted(inOrder(request.rows))
    if (certain.filter(follows(request.rows)).length >= requested) return { traces: certain, isAll: false, warnings: [] }
    scanned += page.length
    if (scanned >= maxScanned) {
      const warnings = [sampleCut(`only the latest ${maxScanned} matching spans were searched`, maxScanned)]
      return { traces: found.toSorted(inOrder(request.rows)), isAll: false, warnings }
    }
    size = Math.min(size * GROWTH, MAX_PAGE, maxScanned - scanned)
  }
}

const PREFERRED = {
  start: {
    desc: { by: { max: { field: TIME } }, words: 'newest' },
    asc: { by: { min: { field: TIME } }, words: 'oldest' }
  },
  duration: {
    desc: { by: { max: { field: F.duration_ns.field } }, words: 'longest' },
    asc: { by: { max: { field: F.duration_ns.field } }, words: 'shortest' }
  }
} as const

/** Ids of matching traces, one more than `most` when there are more: those whose matching spans promise most. */
async function listTraces(
  { engine, scope, signal }: SearchContext,
  query: Query,
  { by, order }: TraceSearchRequest['rows'],
  most: number
): Promise<readonly string[]> {
  const terms = { field: F.trace_id.field, size: most + 1, shard_size: most * 2, order: [{ best: order }, { _key: 'asc' }] }
  const aggs = { traces: { terms, aggs: { best: PREFERRED[by][order].by } } }
  const body = { query: scope.confine(query), size: 0, track_total_hits: false, aggs }
  const { aggregations } = await engine.search(scope.target.indices, body, signal)
  return (aggregations?.['traces']?.buckets ?? []).map(({ key }) => String(key))
}

/** All matching traces, compared one by one; of too many only those that promise most, which is stated. */
async function comparedTraces(
  context: SearchContext,
  request: TraceSearchRequest,
  { maxTraces, maxCompared }: TraceLimits
): Promise<FoundTraces> {
  const query = await decidedQuery(context, 'spans', request.filter)
  const ids = await listTraces(context, query, request.rows, maxTraces)
  const { traces, isCut } = await summariesOf(context, ids.slice(0, maxTraces), maxCompared)
  const fitting = traces.filter(trace => satisfies(trace, request.conditions)).toSorted(inOrder(request.rows))
  const isAll = !isCut && ids.length <= maxTraces
  const { words } = PREFERRED[request.rows.by][request.rows.order]
  const warnings = isAll
    ? []
    : [sampleCut(`only the ${traces.length} traces with the ${words} matching spans were compared`, traces.length)]
  return { traces: fitting, isAll, warnings }
}

/** How many traces match when not all of them were looked at. */
async function countTraces(context: SearchContext, request: TraceSearchRequest, limits: TraceLimits, known: number) {
  const { conditions } = request
  if (Object.keys(conditions).length === 0) {
    const query = await decidedQuery(context, 'spans', request.filter)
    const { length } = await listTraces(context, query, request.rows, limits.maxTraces)
    return length > limits.maxTraces
      ? ({ value: limits.maxTraces, relation: 'gte' } as const)
      : ({ value: length, relation: 'eq' } as const)
  }
  const { traces, isAll } = await comparedTraces(context, request, limits)
  return { value: Math.max(traces.length, known), relation: isAll ? 'eq' : 'gte' } as const
}

/** Whole traces, sorted before the cut; exact unless a warning reports what was left out. */
export async function searchTraces(
  context: SearchContext,
  request: TraceSearchRequest,
  limits: TraceLimits
): Promise<TraceSearchResult> {
  const { rows } = request
  const isNewestFirst = rows.by === 'start' && rows.order === 'desc'
  const found = await (isNewestFirst ? newestTraces : comparedTraces)(context, request, limits)
  const beyond = found.traces.filter(follows(rows))
  const known = found.traces.length
  const total = !request.total
    ? undefined
    : found.isAll
      ? ({ value: known, relation: 'eq' } as const)
      : isNewestFirst
        ? await countTraces(context, request, limits, known)
        : ({ value: known, relation: 'gte' } as const)
  return {
    traces: beyond.slice(0, rows.limit),
    hasMore: beyond.length > rows.limit,
    ...(total && { total }),
    complete: found.warnings.length === 0,
    warnings: found.warnings
  }
}
