import { expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { TraceSummary } from '../../src/domain/span.js'
import type { TracePosition, TraceSearchRequest, TraceStore } from '../../src/ports/trace-store.js'
import { known } from './log-fixtures.js'
import { BASE_NS, describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'
import { type SpanSketch, storeSpans, storeSpansApart, traceIdOf } from './trace-fixtures.js'

type Rows = TraceSearchRequest['rows']

const NEWEST: Rows = { limit: 100, by: 'start', order: 'desc' }

/** A search of which a case names only what it is about. */
function requested(given: Partial<Omit<TraceSearchRequest, 'rows'>> & { rows?: Partial<Rows> } = {}): TraceSearchRequest {
  return { range: EVERY_TIME, filter: MATCH_ALL, conditions: {}, ...given, rows: { ...NEWEST, ...given.rows } }
}

function numberOf({ traceId }: Pick<TraceSummary, 'traceId'>): number {
  return Number(`0x${traceId}`)
}

async function search(
  traces: TraceStore,
  ns: NamespaceId,
  request?: Parameters<typeof requested>[0]
): Promise<readonly number[]> {
  return (await traces.searchTraces(ns, requested(request), NEVER)).traces.map(numberOf)
}

async function pageThrough(traces: TraceStore, ns: NamespaceId, rows: Omit<Rows, 'after'>): Promise<readonly number[]> {
  const found: number[] = []
  let after: TracePosition | undefined
  for (;;) {
    const page = await traces.searchTraces(ns, requested({ rows: { ...rows, ...(after && { after }) } }), NEVER)
    found.push(...page.traces.map(numberOf))
    const last = page.traces.at(-1)
    if (!page.hasMore || !last) return found
    after = { key: rows.by === 'start' ? last.startNs : last.durationNs, traceId: last.traceId }
  }
}

/** The content of a summary of a whole trace, whichever of its spans match. */
function summaryCases(of: () => { traces: TraceStore }): void {
  const summarize = async (sketches: readonly SpanSketch[]): Promise<TraceSummary> => {
    const ns = newNamespace()
    await storeSpansApart(
      of().traces,
      ns,
      sketches.map(sketch => ({ trace: 1, ...sketch }))
    )
    const found = await of().traces.summaries(ns, [traceIdOf(1), traceIdOf(2)], NEVER)
    expect(found).toHaveLength(1)
    expect((await of().traces.searchTraces(ns, requested(), NEVER)).traces).toEqual(found)
    return found[0]!
  }

  it('returns start, duration, root, spans, errors and services of a trace', async () => {
    const summary = await summarize([
      { id: 3, parent: 2, at: 20, took: 5, service: 'db', status: 'error' },
      { id: 1, at: 10, took: 30, service: 'web', name: 'GET /' },
      { id: 2, parent: 1, at: 12, took: 100, service: 'db', name: 'SELECT' },
      { id: 4, parent: 1, at: 13, took: 1 }
    ])
    expect(summary).toEqual({
      traceId: traceIdOf(1),
      startNs: BASE_NS + 10n,
      durationNs: 102n,
      rootService: 'web',
      rootOperation: 'GET /',
      spanCount: 4,
      errorSpanCount: 1,
      services: [
        { service: 'db', spans: 2, errors: 1 },
        { service: 'web', spans: 1, errors: 0 },
        { service: null, spans: 1, errors: 0 }
      ],
      hasMissingSpans: false
    })
  })

  it('counts a span that was sent twice once, in its latest version', async () => {
    const summary = await summarize([
      { id: 1, at: 10, took: 5, service: 'a', name: 'first', status: 'error' },
      { id: 1, at: 10, took: 5, service: 'a', name: 'second' }
    ])
    expect(summary).toMatchObject({ spanCount: 1, errorSpanCount: 0, rootOperation: 'second', durationNs: 5n })
  })

  it('takes the earliest of two roots, and without one the earliest span whose parent is not stored', async () => {
    const roots = [
      { id: 2, at: 9, name: 'later root' },
      { id: 1, at: 5, name: 'root' },
      { id: 3, parent: 99, at: 1, name: 'orphan' }
    ]
    expect(await summarize(roots)).toMatchObject({ rootOperation: 'root', hasMissingSpans: true })
    const orphans = [
      { id: 2, parent: 1, at: 1, name: 'child' },
      { id: 1, parent: 99, at: 5, name: 'orphan' }
    ]
    expect(await summarize(orphans)).toMatchObject({ rootOperation: 'orphan', rootService: null, hasMissingSpans: true })
  })

  it('handles cycles and a span that is its own parent', async () => {
    const cycle = await summarize([
      { id: 1, parent: 2, at: 1 },
      { id: 2, parent: 1, at: 2 },
      { id: 3, parent: 3, at: 3 }
    ])
    expect(cycle).toMatchObject({ rootOperation: null, rootService: null, spanCount: 3, hasMissingSpans: true })
  })

  it('summarizes a trace of 10,000 spans over a day border', async () => {
    const ns = newNamespace()
    const hour = 3_600_000_000_000
    const sketches = Array.from({ length: 10_000 }, (_, i) => ({
      trace: 1,
      id: i + 1,
      ...(i > 0 && { parent: (i + 1) >> 1 }),
      at: Math.round((i * 30 * hour) / 10_000) - 30 * hour,
      took: 1
    }))
    await storeSpans(of().traces, ns, sketches)
    const [summary] = await of().traces.summaries(ns, [traceIdOf(1)], NEVER)
    expect(summary).toMatchObject({ spanCount: 10_000, hasMissingSpans: false, startNs: BASE_NS - BigInt(30 * hour) })
  })
}

/** Which traces match, in which order. */
function searchCases(of: () => { traces: TraceStore }): void {
  it('finds a trace by one of its spans, within the range, and counts it whole', async () => {
    const ns = newNamespace()
    await storeSpansApart(of().traces, ns, [
      { trace: 1, id: 1, at: 0, took: 100, service: 'web' },
      { trace: 1, id: 2, parent: 1, at: 50, service: 'db', name: 'SELECT' },
      { trace: 2, id: 1, at: 60, service: 'web' },
      { trace: 3, id: 1, at: 200, service: 'db' }
    ])
    const db = { kind: 'eq', field: known('service'), value: 'db' } as const
    expect(await search(of().traces, ns, { filter: db })).toEqual([3, 1])
    const range = { startNs: BASE_NS + 50n, endNs: BASE_NS + 200n }
    const found = await of().traces.searchTraces(ns, requested({ range, filter: db, total: true }), NEVER)
    expect(found).toMatchObject({ hasMore: false, total: { value: 1, relation: 'eq' }, complete: true, warnings: [] })
    expect(found.traces.map(({ traceId, spanCount, startNs }) => [traceId, spanCount, startNs])).toEqual([
      [traceIdOf(1), 2, BASE_NS]
    ])
    // No single span satisfies both.
    const both = { kind: 'and', of: [db, { kind: 'eq', field: known('duration_ns'), value: '100' }] } as const
    expect(await search(of().traces, ns, { filter: both })).toEqual([])
  })

  it('sorts by the start of the whole trace, not of the span that matched', async () => {
    const ns = newNamespace()
    await storeSpansApart(of().traces, ns, [
      { trace: 1, id: 1, at: 0 },
      { trace: 1, id: 2, parent: 1, at: 1_000, name: 'match' },
      { trace: 2, id: 1, at: 10, name: 'match' },
      { trace: 3, id: 1, at: 5, name: 'match' }
    ])
    const filter = { kind: 'eq', field: known('name'), value: 'match' } as const
    const range = { startNs: BASE_NS + 4n, endNs: BASE_NS + 2_000n }
    expect(await search(of().traces, ns, { filter, range })).toEqual([2, 3, 1])
    expect(await search(of().traces, ns, { filter, range, rows: { order: 'asc' } })).toEqual([1, 3, 2])
    expect(await search(of().traces, ns, { filter, range, rows: { limit: 1 } })).toEqual([2])
    expect(await search(of().traces, ns, { filter, range, rows: { limit: 1, order: 'asc' } })).toEqual([1])
  })

  it.each([
    ['start', 'desc'],
    ['start', 'asc'],
    ['duration', 'desc'],
    ['duration', 'asc']
  ] as const)('pages through traces by %s %s, ties by trace id, each once', async (by, order) => {
    const ns = newNamespace()
    const numbers = Array.from({ length: 23 }, (_, i) => i + 1)
    const key = (n: number) => n % 4
    const sketches = numbers.map(n => (by === 'start' ? { trace: n, at: key(n), took: 5 } : { trace: n, at: n, took: key(n) }))
    await storeSpans(of().traces, ns, sketches)
    const ascending = numbers.toSorted((a, b) => key(a) - key(b) || a - b)
    const expected = order === 'asc' ? ascending : ascending.toReversed()
    expect(await pageThrough(of().traces, ns, { limit: 4, by, order })).toEqual(expected)
    expect(await search(of().traces, ns, { rows: { by, order } })).toEqual(expected)
  })

  it('keeps to inclusive bounds of the duration of the trace', async () => {
    const ns = newNamespace()
    await storeSpans(of().traces, ns, [
      { trace: 1, id: 1, at: 0, took: 10 },
      { trace: 2, id: 1, at: 1, took: 10 },
      { trace: 2, id: 2, parent: 1, at: 15, took: 6 },
      { trace: 3, id: 1, at: 2, took: 30 }
    ])
    const between = (minDurationNs?: bigint, maxDurationNs?: bigint) => ({
      conditions: { ...(minDurationNs !== undefined && { minDurationNs }), ...(maxDurationNs !== undefined && { maxDurationNs }) }
    })
    expect(await search(of().traces, ns, between(20n))).toEqual([3, 2])
    expect(await search(of().traces, ns, between(21n))).toEqual([3])
    expect(await search(of().traces, ns, between(undefined, 20n))).toEqual([2, 1])
    expect(await search(of().traces, ns, between(20n, 20n))).toEqual([2])
    const counted = await of().traces.searchTraces(ns, requested({ ...between(20n), rows: { limit: 1 }, total: true }), NEVER)
    expect(counted).toMatchObject({ hasMore: true, total: { value: 2, relation: 'eq' } })
    expect(counted.traces.map(numberOf)).toEqual([3])
  })

  it('distinguishes traces with a failed span from those without, whichever of their spans match', async () => {
    const ns = newNamespace()
    await storeSpans(of().traces, ns, [
      { trace: 1, id: 1, at: 0, name: 'root', status: 'ok' },
      { trace: 1, id: 2, parent: 1, at: 1, status: 'error' },
      { trace: 2, id: 1, at: 2, name: 'root', status: 'error' },
      { trace: 3, id: 1, at: 3, name: 'root' },
      { trace: 4, id: 1, at: 4, name: 'root' },
      { trace: 4, id: 2, parent: 1, at: 5, status: 'error' }
    ])
    // What is sent again replaces what was sent first.
    await storeSpans(of().traces, ns, [{ trace: 4, id: 2, parent: 1, at: 5, status: 'ok' }])
    const filter = { kind: 'eq', field: { in: 'known', name: 'name' }, value: 'root' } as const
    for (const by of ['start', 'duration'] as const) {
      for (const [hasError, expected] of [
        [true, [2, 1]],
        [false, [4, 3]]
      ] as const) {
        const request = requested({ filter, conditions: { hasError }, rows: { by }, total: true })
        const found = await of().traces.searchTraces(ns, request, NEVER)
        expect(found.traces.map(numberOf).toSorted((a, b) => b - a)).toEqual(expected)
        expect(found.total).toEqual({ value: 2, relation: 'eq' })
      }
    }
  })

  it('reports whether there is more at limits of 0 and 1', async () => {
    const ns = newNamespace()
    await storeSpans(of().traces, ns, [
      { trace: 1, at: 1 },
      { trace: 2, at: 2 }
    ])
    const first = async (limit: number) => {
      const { traces, hasMore } = await of().traces.searchTraces(ns, requested({ rows: { limit } }), NEVER)
      return [traces.length, hasMore]
    }
    expect([await first(0), await first(1), await first(2)]).toEqual([
      [0, true],
      [1, true],
      [2, false]
    ])
  })

  it('lists more traces than a store reads at once, newest first, though each has many matching spans', async () => {
    const ns = newNamespace()
    const sketches = Array.from({ length: 6_000 }, (_, i) => ({ trace: 1 + (i % 300), id: 1 + i, at: i }))
    await storeSpans(of().traces, ns, sketches)
    const expected = Array.from({ length: 300 }, (_, i) => 300 - i)
    expect(await pageThrough(of().traces, ns, { limit: 170, by: 'start', order: 'desc' })).toEqual(expected)
  })

  it('stays within its namespace', async () => {
    const suffixed = newNamespace()
    const [ns, other] = [suffixed, `${suffixed}b` as NamespaceId]
    await storeSpans(of().traces, other, [{ trace: 1, at: 1 }])
    expect(await of().traces.searchTraces(ns, requested({ total: true }), NEVER)).toEqual({
      traces: [],
      hasMore: false,
      total: { value: 0, relation: 'eq' },
      complete: true,
      warnings: []
    })
    expect(await of().traces.summaries(ns, [traceIdOf(1)], NEVER)).toEqual([])
    expect(await of().traces.summaries(ns, [], NEVER)).toEqual([])
  })

  it('forgets spans that were deleted', async () => {
    const ns = newNamespace()
    await storeSpans(of().traces, ns, [
      { trace: 1, id: 1, at: 1 },
      { trace: 1, id: 2, parent: 1, at: 5, took: 3 },
      { trace: 2, id: 1, at: 2 }
    ])
    await of().traces.deleteBefore(ns, BASE_NS + 5n)
    const { traces } = await of().traces.searchTraces(ns, requested(), NEVER)
    expect(
      traces.map(({ traceId, spanCount, startNs, hasMissingSpans }) => [traceId, spanCount, startNs, hasMissingSpans])
    ).toEqual([[traceIdOf(1), 1, BASE_NS + 5n, true]])
  })
}

/** Whole traces: summaries, search, order, pages, totals. */
export function traceSearchContract(name: string, open: OpenStores): void {
  describeStores(`${name}: TraceStore summaries`, open, summaryCases)
  describeStores(`${name}: TraceStore searchTraces`, open, searchCases)
}
