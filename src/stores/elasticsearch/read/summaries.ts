import type { TraceSummary } from '../../../domain/span.js'
import { type SpanFacts, summarizeTrace } from '../../../domain/trace-summary.js'
import { KNOWN } from '../document/field-names.js'
import { MAX_PAGE, readPages, type SearchContext } from './pages.js'
import { Scope } from './scope.js'
import { EVERY_TIME } from './scopes.js'
import { FACT_MEMBERS, spanFacts } from './span-facts.js'
import { anyTerm } from './term-condition.js'

const TRACE = KNOWN.spans.trace_id.field
/** Traces whose spans are counted before they are read. */
const TRACES_AT_ONCE = 1_000
/** Spans that are held in memory at once, unless one trace alone has more. */
const SPANS_AT_ONCE = 50_000

/** The same query without its range: traces are whole. */
function everyTime({ engine, scope, signal }: SearchContext): SearchContext {
  return { engine, scope: new Scope(scope.target, EVERY_TIME), signal }
}

interface TraceSize {
  readonly traceId: string
  readonly spans: number
}

async function sizesOf({ engine, scope, signal }: SearchContext, traceIds: readonly string[]): Promise<readonly TraceSize[]> {
  const aggs = { traces: { terms: { field: TRACE, include: traceIds, size: traceIds.length } } }
  const body = { query: scope.confine(anyTerm(TRACE, traceIds)), size: 0, track_total_hits: false, aggs }
  const { aggregations } = await engine.search(scope.target.indices, body, signal)
  return (aggregations?.['traces']?.buckets ?? []).map(({ key, doc_count }) => ({ traceId: String(key), spans: doc_count! }))
}

async function readTraces(context: SearchContext, traceIds: readonly string[]): Promise<readonly TraceSummary[]> {
  const byTrace = new Map<string, SpanFacts[]>()
  const query = anyTerm(TRACE, traceIds)
  const request = { query, order: 'asc', size: MAX_PAGE, after: undefined, members: FACT_MEMBERS } as const
  for await (const page of readPages(context, request)) {
    for (const facts of page.map(spanFacts)) {
      const known = byTrace.get(facts.traceId)
      if (known) known.push(facts)
      else byTrace.set(facts.traceId, [facts])
    }
  }
  return [...byTrace].map(([traceId, spans]) => summarizeTrace(traceId, spans))
}

/** Groups of traces that are read together. */
function groupsOf(sizes: readonly TraceSize[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let room = 0
  for (const { traceId, spans } of sizes) {
    if (groups.length === 0 || spans > room) {
      groups.push([])
      room = SPANS_AT_ONCE
    }
    groups.at(-1)!.push(traceId)
    room -= spans
  }
  return groups
}

/** Summaries, and whether all were given. */
export interface Summaries {
  readonly traces: readonly TraceSummary[]
  readonly isCut: boolean
}

/**
 * Summaries over all spans of these traces, whenever they were; those that are not stored are left out. Ends, cut, before
 * a trace with which more than `maxSpans` would have been read; one trace is always read.
 */
export async function summariesOf(ranged: SearchContext, traceIds: readonly string[], maxSpans = Infinity): Promise<Summaries> {
  const context = everyTime(ranged)
  const traces: TraceSummary[] = []
  let spans = 0
  for (let at = 0; at < traceIds.length; at += TRACES_AT_ONCE) {
    const some = traceIds.slice(at, at + TRACES_AT_ONCE)
    const sizes = new Map((await sizesOf(context, some)).map(size => [size.traceId, size]))
    const given: TraceSize[] = []
    // In the order of the request: the most important ones come first.
    for (const size of some.flatMap(traceId => sizes.get(traceId) ?? [])) {
      if (spans > 0 && spans + size.spans > maxSpans) break
      spans += size.spans
      given.push(size)
    }
    for (const group of groupsOf(given)) traces.push(...(await readTraces(context, group)))
    if (given.length < sizes.size) return { traces, isCut: true }
  }
  return { traces, isCut: false }
}
