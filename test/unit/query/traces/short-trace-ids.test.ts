import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../../src/domain/namespace.js'
import { DEFAULT_STORAGE } from '../../../../src/domain/storage-plan.js'
import type { StoredSpan, TraceSummary } from '../../../../src/domain/span.js'
import { MAX_SUFFIXES, type TraceSuffixRequest } from '../../../../src/ports/trace-store.js'
import { formatNs } from '../../../../src/domain/timestamp.js'
import { LargeReads } from '../../../../src/query/large-reads.js'
import { LogCorrelation, type LogCorrelationDeps } from '../../../../src/query/log-correlation.js'
import { DEFAULT_QUERY_SETTINGS } from '../../../../src/query/settings.js'
import { sharedLogs, ShortTraceIds } from '../../../../src/query/traces/short-trace-ids.js'
import { TraceLinks, type TraceLinksDeps } from '../../../../src/query/traces/trace-links.js'
import { TraceReading, type TraceReadingDeps } from '../../../../src/query/traces/trace-reading.js'
import { EventLoopSlices } from '../../../../src/threads/event-loop-slices.js'
import { toSpan } from '../../../contract/trace-fixtures.js'
import { NEVER } from '../../../contract/fresh-ids.js'
import { ManualTime } from '../../../support/manual-time.js'
import type { Warning } from '../../../../src/domain/warning.js'

const NS: Namespace = {
  ...{ id: 'nsshorttraces' as NamespaceId, name: 'shop', kind: 'team', state: 'active', createdAtMs: 0 },
  ...{ retention: DEFAULT_RETENTION, storage: DEFAULT_STORAGE.team }
}
const LOW = '00f067aa0ba902b7'
const SHORT = `${'0'.repeat(16)}${LOW}`
const wide = (n: number): string => `${n.toString(16).padStart(16, '4')}${LOW}`
const START_NS = new ManualTime().nowNs()
const MISSING = 'some spans are not found'

/** A store that has the traces, of which the ids are found by their ends; `warnings` are those of such a search. */
function storeOf(traceIds: readonly string[], { spanIds = [1], warnings = [] as string[], startsNs = [] as bigint[] } = {}) {
  const requested: TraceSuffixRequest[] = []
  const stored = (traceId: string): readonly StoredSpan[] =>
    traceIds.includes(traceId)
      ? spanIds.map(id => ({ ...toSpan({ trace: traceId, id }, 0), id: `${traceId}${id}` as StoredSpan['id'], ingestedAtMs: 0 }))
      : []
  const clock = new ManualTime()
  const traces = {
    traceIdsBySuffix: async (_ns: NamespaceId, request: TraceSuffixRequest) => {
      requested.push(request)
      const found = traceIds.filter(id => request.suffixes.includes(id.slice(16))).slice(0, request.limit)
      return { traceIds: found, complete: warnings.length === 0, warnings }
    },
    smallTrace: async (_ns: NamespaceId, traceId: string) => ({ spans: stored(traceId), hasMore: false }),
    summaries: async (_ns: NamespaceId, ids: readonly string[]) =>
      ids
        .filter(id => traceIds.includes(id))
        .map(traceId => {
          const startNs = START_NS + (startsNs[traceIds.indexOf(traceId)] ?? 0n)
          return { traceId, startNs, durationNs: 1n } as TraceSummary
        }),
    searchSpans: async () => ({ rows: traceIds.flatMap(stored), hasMore: false })
  }
  const shortIds = new ShortTraceIds({ traces, clock })
  const settings = DEFAULT_QUERY_SETTINGS
  const links = new TraceLinks({ ...{ shortIds, clock, settings }, traces: traces as unknown as TraceLinksDeps['traces'] })
  const reading = new TraceReading({
    ...{ shortIds, clock, settings, largeReads: new LargeReads(), slices: new EventLoopSlices(clock) },
    traces: traces as unknown as TraceReadingDeps['traces']
  })
  return { requests: requested, shortIds, links, reading }
}

describe('other traces with the last 16 digits of an id', () => {
  it('are named up to ten, the id itself left out', async () => {
    const ids = Array.from({ length: 13 }, (_, i) => wide(i))
    for (const [count, named, hasMore] of [
      [1, 0, false],
      [11, 10, false],
      [12, 10, true],
      [13, 10, true]
    ] as const) {
      const { shortIds } = storeOf(ids.slice(0, count))
      const matches = (await shortIds.others(NS, [ids[0]!], NEVER))(ids[0]!)
      expect(matches).toEqual({ traceIds: ids.slice(1, named + 1), hasMore, warnings: [] })
    }
  })

  it('are requested within the retention, as many suffixes at once as the store takes', async () => {
    const { shortIds, requests: requested } = storeOf([])
    const ids = Array.from({ length: MAX_SUFFIXES + 1 }, (_, i) => (i + 1).toString(16).padStart(32, '0'))
    await shortIds.others(NS, [...ids, ...ids], NEVER)
    expect(requested.map(({ suffixes }) => suffixes.length)).toEqual([MAX_SUFFIXES, 1])
    expect(requested[0]!.range.startNs).toBe(new ManualTime().nowNs() - BigInt(NS.retention.traces!) * 1_000_000n)
    // Nothing is left of an id whose last 16 digits are zeros.
    const high = `1${'0'.repeat(31)}`
    expect((await shortIds.others(NS, [high], NEVER))(high).traceIds).toEqual([])
    expect(requested).toHaveLength(2)
  })
})

describe('logs with the last 16 digits of an id', () => {
  const INCLUDED = 'logs with only the last 16 digits of the trace id are included and may belong to another trace'

  it('may belong to the traces that are found, and to others where the store may not find all', () => {
    const of = (traceIds: readonly string[], warnings: readonly string[]): readonly Warning[] =>
      sharedLogs({ traceIds, hasMore: false, warnings })
    expect(of([], [])).toEqual([])
    expect(of([wide(1)], [])).toEqual([`${INCLUDED} with these: ${wide(1)}`])
    expect(of([wide(1)], [MISSING])).toEqual([`${INCLUDED} with these: ${wide(1)}`, MISSING])
    expect(of([], [MISSING])).toEqual([INCLUDED, MISSING])
  })

  it.each([
    ['16 digits', LOW, false, [MISSING]],
    ['leading zeros', SHORT, false, [MISSING]],
    ['all digits', wide(1), false, []],
    ['all digits, and more follow', wide(1), true, [MISSING]],
    ['no id', null, false, []]
  ])('are reported by correlation when a log may have such an id: %s', async (_name, traceId, hasMore, warnings) => {
    const page = { rows: [{ traceId }], page: { hasMore }, facets: [{ values: [], other: 0, missing: 0 }], warnings: [] }
    let lookups = 0
    const correlation = new LogCorrelation({
      search: { search: async () => page } as unknown as LogCorrelationDeps['search'],
      links: { summaries: async () => [{ summary: null, ambiguity: null, warnings: [] }] },
      traceLogs: { shared: async () => (lookups++, [MISSING]) }
    })
    expect((await correlation.ofTrace(NS, { traceId: wide(1) }, NEVER)).logs.warnings).toEqual(warnings)
    // Traces are looked for only where it matters which there are: that costs a read of spans.
    expect(lookups).toBe(warnings.length)
  })
})

describe('links by ids of 64 bits', () => {
  it('keep what the store warns of', async () => {
    const found = await storeOf([wide(1)], { warnings: [MISSING] }).links.summaries(NS, [SHORT, 'no id', wide(1)], NEVER)
    expect(found.map(({ summary, warnings }) => [summary?.traceId, warnings.length])).toEqual([
      [wide(1), 2],
      [undefined, 0],
      [wide(1), 0]
    ])
    expect(found[0]!.warnings).toContain(MISSING)
    const [none] = await storeOf([], { warnings: [MISSING] }).links.summaries(NS, [SHORT], NEVER)
    expect(none).toEqual({ summary: null, ambiguity: null, warnings: [MISSING] })
  })

  it('lead to no span that several traces have', async () => {
    const name = { traceId: LOW, spanId: '1' }
    const spansOf = async (ids: readonly string[]) => (await storeOf(ids).links.spans(NS, [name], NEVER))[0]
    expect(await spansOf([wide(1)])).toMatchObject({ traceId: wide(1) })
    expect(await spansOf([wide(1), wide(2)])).toMatchObject({ code: 'invalid_field', suggestions: [wide(1), wide(2)] })
    expect(await spansOf([wide(1), SHORT])).toMatchObject({ traceId: SHORT })
    expect(await spansOf([])).toBeNull()
  })
})

describe('reading a trace by 64 bits', () => {
  it('reports that the trace may be stored where the store does not know', async () => {
    const { reading } = storeOf([], { warnings: [MISSING] })
    await expect(reading.get(NS, SHORT, NEVER)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(MISSING)
    })
    expect(await reading.get(NS, wide(1), NEVER)).toBeNull()
    expect(await storeOf([]).reading.get(NS, SHORT, NEVER)).toBeNull()
  })

  it('decides between several traces by a time that only one of them is near', async () => {
    const hourNs = 3_600_000_000_000n
    const { reading } = storeOf([wide(1), wide(2)], { startsNs: [0n, 5n * hourNs] })
    const at = (ns: bigint): Promise<unknown> => reading.get(NS, SHORT, NEVER, formatNs(START_NS + ns))
    for (const [ns, id] of [
      [0n, wide(1)],
      [-hourNs, wide(1)],
      [hourNs + 1n, wide(1)],
      [4n * hourNs, wide(2)]
    ] as const) {
      expect(await at(ns)).toMatchObject({ traceId: id, warnings: [expect.stringContaining(`only ${id} is near that time`)] })
    }
    for (const ns of [-hourNs - 1n, hourNs + 2n]) await expect(at(ns)).rejects.toMatchObject({ code: 'invalid_field' })
    await expect(reading.get(NS, SHORT, NEVER)).rejects.toMatchObject({ suggestions: [wide(1), wide(2)] })
    await expect(reading.get(NS, SHORT, NEVER, 'noon')).rejects.toMatchObject({ code: 'invalid_time_range' })
    const together = storeOf([wide(1), wide(2)], { startsNs: [0n, 0n] })
    await expect(together.reading.get(NS, SHORT, NEVER, formatNs(START_NS))).rejects.toMatchObject({ code: 'invalid_field' })
  })
})
