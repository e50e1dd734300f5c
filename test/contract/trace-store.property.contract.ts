import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MATCH_ALL, type Filter } from '../../src/domain/filter.js'
import { recordId, type NamespaceId } from '../../src/domain/ids.js'
import type { Span, TraceSummary } from '../../src/domain/span.js'
import type { TracePosition, TraceSearchRequest, TraceStore } from '../../src/ports/trace-store.js'
import { known } from './log-fixtures.js'
import { BASE_NS, describeStores, NEVER, newIngestId, newNamespace, type OpenStores } from './store-under-test.js'
import { type SpanSketch, toSpan } from './trace-fixtures.js'
import { byTrace, matchingTraces, type ModelSpan, summaryOf } from './trace-model.js'

const BATCHES = 12
const SEARCHES = 60
const HOUR = 3_600_000_000_000

// Few ids, so that spans are sent again, lack their parents, are their own, and go round in circles; times over a day border.
const id = fc.integer({ min: 1, max: 6 })
const time = fc.integer({ min: -30, max: 0 }).map(hours => hours * HOUR)
const sketch: fc.Arbitrary<SpanSketch> = fc
  .record({
    trace: fc.integer({ min: 1, max: 25 }),
    id,
    parent: fc.option(id, { nil: undefined, freq: 2 }),
    day: time,
    near: fc.integer({ min: 0, max: 40 }),
    took: fc.integer({ min: 0, max: 60 }),
    name: fc.constantFrom('a', 'b', 'c'),
    service: fc.constantFrom('web', 'db', null),
    status: fc.constantFrom('unset' as const, 'ok' as const, 'error' as const)
  })
  .map(({ day, near, parent, ...rest }) => ({ ...rest, ...(parent !== undefined && { parent }), at: day + near }))

interface Condition {
  readonly filter: Filter
  readonly matches: (span: Span) => boolean
}

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant({ filter: MATCH_ALL, matches: () => true }),
  fc.constantFrom('a', 'b', 'none').map(value => ({
    filter: { kind: 'eq', field: known('name'), value } as const,
    matches: (span: Span) => span.name === value
  })),
  fc.constant({
    filter: { kind: 'eq', field: known('status'), value: 'error' } as const,
    matches: (span: Span) => span.status === 'error'
  }),
  fc.constant({
    filter: { kind: 'not', of: { kind: 'exists', field: known('parent_span_id') } } as const,
    matches: (span: Span) => span.parentSpanId === null
  }),
  fc.integer({ min: 0, max: 60 }).map(least => ({
    filter: { kind: 'range', field: known('duration_ns'), gte: String(least) } as const,
    matches: (span: Span) => span.durationNs >= BigInt(least)
  }))
)

const bound = fc.option(
  fc.tuple(time, fc.integer({ min: -5, max: 100 })).map(([day, near]) => BigInt(day + near)),
  { nil: undefined }
)

interface RequestCase extends Condition {
  readonly request: Omit<TraceSearchRequest, 'rows' | 'filter'>
  readonly rows: Omit<TraceSearchRequest['rows'], 'after'>
}

const requested: fc.Arbitrary<RequestCase> = fc
  .record({
    condition,
    range: fc.tuple(time, time),
    least: bound,
    most: bound,
    limit: fc.integer({ min: 1, max: 12 }),
    by: fc.constantFrom('start' as const, 'duration' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const)
  })
  .map(({ condition: { filter, matches }, range: [a, b], least, most, limit, by, order }) => ({
    filter,
    matches,
    rows: { limit, by, order },
    request: {
      range: { startNs: BASE_NS + BigInt(Math.min(a, b)), endNs: BASE_NS + BigInt(Math.max(a, b) + 30) },
      conditions: {
        ...(least !== undefined && { minDurationNs: least + BigInt(30 * HOUR) }),
        ...(most !== undefined && { maxDurationNs: most + BigInt(30 * HOUR) })
      }
    }
  }))

async function allPages(traces: TraceStore, ns: NamespaceId, { request, filter, rows }: RequestCase) {
  const found: TraceSummary[] = []
  let total: number | undefined
  let after: TracePosition | undefined
  for (;;) {
    const page = await traces.searchTraces(
      ns,
      { ...request, filter, rows: { ...rows, ...(after && { after }) }, total: !after },
      NEVER
    )
    found.push(...page.traces)
    total ??= page.total?.value
    const last = page.traces.at(-1)
    if (!page.hasMore || !last) return { found, total }
    after = { key: rows.by === 'start' ? last.startNs : last.durationNs, traceId: last.traceId }
  }
}

async function storeRandomly(traces: TraceStore, ns: NamespaceId): Promise<ModelSpan[]> {
  const stored: ModelSpan[] = []
  for (const sketches of fc.sample(fc.array(sketch, { minLength: 5, maxLength: 25 }), { numRuns: BATCHES, seed: 42 })) {
    const ingestId = newIngestId()
    const items = sketches.map(toSpan)
    await traces.append(ns, { ingestId, items })
    stored.push(...items.map(span => ({ ...span, recordId: recordId(ingestId, span.index) })))
  }
  await traces.settle(ns)
  return stored
}

/** Random spans and searches, held against a plain reading of the rules. */
export function tracePropertyContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore and the rules of traces`, open, of => {
    it('finds, sorts, counts and summarizes traces exactly as a plain reading of the rules does', async () => {
      const ns = newNamespace()
      const stored = await storeRandomly(of().traces, ns)
      const traces = byTrace(stored)
      const summaries = await of().traces.summaries(ns, [...traces.keys()], NEVER)
      const expected = [...traces.values()].map(summaryOf)
      expect([...summaries].sort((a, b) => (a.traceId < b.traceId ? -1 : 1))).toEqual(
        expected.sort((a, b) => (a.traceId < b.traceId ? -1 : 1))
      )
      const agree = async (each: RequestCase) => {
        const target = matchingTraces(stored, { ...each.request, filter: each.filter, rows: each.rows }, each.matches)
        const { found, total } = await allPages(of().traces, ns, each)
        expect(found).toEqual(target)
        expect(total).toBe(target.length)
      }
      await fc.assert(fc.asyncProperty(requested, agree), { numRuns: SEARCHES, seed: 7 })
    }, 120_000)
  })
}
