import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { describeWithSuite } from '../support/suite-cases.js'
import { sideBySide } from '../support/side-by-side.js'
import { ALL_TIME, extent, type Summary, TraceSite } from './trace-site.js'
import { type FileSpan, groups } from './trace-sets.js'

interface Span {
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly operation: string
  readonly service: string
  readonly duration_ns: number
  readonly self_time_ns: number
  readonly log_count: number
}

const NS_PER_US = 1000n
const MS_PER_NS = 1e6
const LINKED_PER_PAGE = 200
/** Of what has hundreds of values, so many are requested. */
const REQUESTED = 12
/** Spans of each trace that are requested by themselves. */
const SPANS_REQUESTED = 2
/** Each of these tests runs hundreds of queries. */
const MAX_RETRY_MS = 120_000

jest.setTimeout(MAX_RETRY_MS)

let site: TraceSite

function byText(rows: readonly unknown[]): readonly string[] {
  return rows.map(row => JSON.stringify(row)).toSorted()
}

/** Every value of a field of the set's spans. */
function valuesOf(name: string, of: (span: FileSpan) => string): readonly string[] {
  return [...new Set(site.spans(name).map(of))]
}

function searchesByField(name: string): void {
  it.each<[string, (span: FileSpan) => string]>([
    ['service', span => span.service],
    ['operation', span => span.name],
    ['kind', span => span.kind]
  ])('finds exactly the traces of each %s', async (field, of) => {
    await sideBySide(valuesOf(name, of).entries(), async ([i, value]) => {
      const target = site.expected(name, span => of(span) === value)
      expect([value, await site.found(name, { [field]: value })]).toEqual([value, target])
      if (i > REQUESTED) return
      const quoted = `${field}:"${value.replaceAll(/["\\]/g, '\\$&')}"`
      expect([value, await site.found(name, { query: quoted })]).toEqual([value, target])
    })
  })

  it.each(['attr', 'resource'] as const)('finds exactly the traces of each %s', async place => {
    const of = (span: FileSpan) => (place === 'attr' ? span.attributes : span.resource)
    const pairs = new Set(site.spans(name).flatMap(span => Object.entries(of(span)).map(pair => JSON.stringify(pair))))
    await sideBySide([...pairs].slice(0, 2 * REQUESTED), async pair => {
      const [key, value] = JSON.parse(pair) as [string, string]
      const selected = site.expected(name, span => of(span)[key] === value)
      expect([pair, await site.found(name, { [`${place}.${key}`]: value })]).toEqual([pair, selected])
    })
  })

  it('finds exactly the traces with a span of each service and operation', async () => {
    const pairs = new Map(site.spans(name).map(span => [`${span.service} ${span.name}`, span]))
    await sideBySide([...pairs.values()].slice(0, REQUESTED), async ({ service: of, name: operation }) => {
      const matching = site.expected(name, span => span.service === of && span.name === operation)
      expect([of, operation, await site.found(name, { service: of, operation })]).toEqual([of, operation, matching])
    })
  })

  it('finds parts of names in any case', async () => {
    await sideBySide(valuesOf(name, span => span.name).slice(0, REQUESTED), async value => {
      const part = value.slice(0, 6).toUpperCase()
      const has = ({ name: own, service: of }: FileSpan) => [own, of].some(text => text.toUpperCase().includes(part))
      const filters = JSON.stringify([{ field: 'name', op: 'contains', value: part }])
      const inName = site.expected(name, span => span.name.toUpperCase().includes(part))
      expect([part, await site.found(name, { filters })]).toEqual([part, inName])
      const quoted = `"${part.replaceAll(/["\\]/g, '\\$&')}"`
      expect([part, await site.found(name, { query: quoted })]).toEqual([part, site.expected(name, has)])
    })
  })
}

function searchesByTime(name: string): void {
  it('keeps to durations of traces and of spans, and to the window', async () => {
    await sideBySide([...site.traces(name).values()].slice(0, REQUESTED), async spans => {
      const { tookNs } = extent(spans)
      const all = [...site.traces(name)]
      const longer = all.filter(([, of]) => extent(of).tookNs >= tookNs).map(([id]) => id)
      const shorter = all.filter(([, of]) => extent(of).tookNs <= tookNs).map(([id]) => id)
      expect(await site.found(name, { min_duration: `${tookNs}ns` })).toEqual(longer.toSorted())
      expect(await site.found(name, { max_duration: `${tookNs}ns` })).toEqual(shorter.toSorted())
      const own = spans[spans.length >> 1]!
      const ownNs = own.endNs - own.startNs
      const bounds = { min_duration: `${ownNs}ns`, max_duration: `${ownNs}ns`, scope: 'span' }
      expect(await site.found(name, bounds)).toEqual(site.expected(name, span => span.endNs - span.startNs === ownNs))
      const window = { start: String(own.startNs), end: String(own.startNs + 1n) }
      expect(await site.found(name, window)).toEqual(site.expected(name, span => span.startNs === own.startNs))
    })
  })

  it.each([
    ['start', 'desc'],
    ['start', 'asc'],
    ['duration', 'desc'],
    ['duration', 'asc']
  ] as const)('sorts by %s %s, in pages too', async (sort, order) => {
    const keyed = [...site.traces(name)].map(([id, spans]) => {
      const { startNs, tookNs } = extent(spans)
      return { id, key: sort === 'start' ? startNs : tookNs }
    })
    const ascending = keyed
      .toSorted((a, b) => (a.key !== b.key ? (a.key < b.key ? -1 : 1) : a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    const matching = order === 'asc' ? ascending : ascending.toReversed()
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const params = { namespace: name, ...ALL_TIME, sort, order, limit: '7', total: 'true', ...(cursor && { cursor }) }
      const response: { traces: Summary[]; total: { value: number }; page: { next_cursor: string | null } } = await site.call(
        `/api/v1/traces?${new URLSearchParams(params).toString()}`
      )
      expect(response.total.value).toBe(matching.length)
      paged.push(...response.traces.map(({ trace_id: id }) => id))
      cursor = response.page.next_cursor
    }
    expect(paged).toEqual(matching)
  })
}

function summariesAndTraces(name: string): void {
  it('sums every trace up and counts spans per value as the file does', async () => {
    const summaries = await site.search(name, {})
    expect(summaries).toHaveLength(site.traces(name).size)
    for (const { trace_id: id, duration_ns: took, span_count: count, services } of summaries) {
      const spans = site.traces(name).get(id)!
      expect([id, took, count]).toEqual([id, Number(extent(spans).tookNs), spans.length])
      const byService = groups(spans, span => span.service)
      expect(new Map(services.map(of => [of.service, of.spans]))).toEqual(
        new Map([...byService].map(([of, all]) => [of, all.length]))
      )
    }
    const params = new URLSearchParams({
      namespace: name,
      ...ALL_TIME,
      limit: '0',
      histogram: '20',
      durations: '40',
      facets: 'service'
    })
    const counted = await site.call<{
      facets: { values: { value: string; count: number }[]; other: number }[]
      durations: { counts: number[]; bounds_ns: number[] }
    }>(`/api/v1/traces?${params.toString()}`)
    const perService = groups(site.spans(name), span => span.service)
    for (const { value, count } of counted.facets[0]!.values)
      expect([value, count]).toEqual([value, perService.get(value)!.length])
    const bounds = counted.durations.bounds_ns
    const bucketOf = (span: FileSpan) => bounds.filter(bound => bound < Number(span.endNs - span.startNs)).length
    const counts = [...bounds, 0].map(() => 0)
    for (const span of site.spans(name)) counts[bucketOf(span)]!++
    expect(counted.durations.counts).toEqual(counts)
  })

  it('reads every trace whole, parents before children, self times within durations', async () => {
    await sideBySide(site.traces(name), async ([id, spans]) => {
      const short = id.replace(/^0+/, '').toUpperCase()
      const trace = await site.call<{ trace_id: string; spans: Span[]; critical_path: { duration_ns: number }[] }>(
        `/api/v1/traces/${short}?namespace=${name}`
      )
      expect(trace.trace_id).toBe(id)
      const given = trace.spans.map(span => [span.span_id, span.parent_span_id, span.operation, span.service, span.duration_ns])
      const sent = spans.map(span => [span.spanId, span.parentSpanId, span.name, span.service, Number(span.endNs - span.startNs)])
      expect(byText(given)).toEqual(byText(sent))
      const places = new Map(trace.spans.map((span, i) => [span.span_id, i]))
      for (const [i, span] of trace.spans.entries()) {
        expect(places.get(span.parent_span_id ?? '') ?? -1).toBeLessThan(i)
        expect(span.self_time_ns >= 0 && span.self_time_ns <= span.duration_ns).toBe(true)
      }
      const longest = Math.max(
        ...trace.spans.filter(span => !places.has(span.parent_span_id ?? '')).map(span => span.duration_ns)
      )
      expect(trace.critical_path.reduce((sum, part) => sum + part.duration_ns, 0)).toBe(longest)
    })
  })
}

interface CorrelatedLog {
  readonly span_id: string
  readonly message: string
}

async function correlated(traceId: string, params: Readonly<Record<string, string>>): Promise<readonly CorrelatedLog[]> {
  const query = new URLSearchParams({ namespace: 'trainticket', limit: '1000', ...params }).toString()
  const path = `/api/v1/logs/correlate/traces/${traceId}?${query}`
  const response = await site.call<{ trace_found: boolean; logs: CorrelatedLog[] }>(path)
  expect(response.trace_found).toBe(true)
  return response.logs
}

function logsAndSpans(): void {
  it('counts the logs of every span of every TrainTicket trace, and finds them from the span', async () => {
    await sideBySide(site.traces('trainticket').keys(), async id => {
      const own = site.logs.filter(log => log.trace_id === id)
      const perSpan = groups(own, log => log.span_id!)
      const trace = await site.call<{ spans: Span[]; logs: { total: number; unlinked: number } }>(
        `/api/v1/traces/${id}?namespace=trainticket`
      )
      expect(trace.logs).toEqual({ total: own.length, unlinked: 0 })
      const counted = trace.spans.filter(span => span.log_count > 0).map(span => [span.span_id, span.log_count])
      expect(byText(counted)).toEqual(byText([...perSpan].map(([span, of]) => [span, of.length])))
      const byFile = byText([...perSpan].map(([span, of]) => [span, byText(of.map(({ message }) => message))]))
      const ofTrace = await correlated(id, {})
      const byResult = [...groups(ofTrace, log => log.span_id)].map(([span, of]) => [
        span,
        byText(of.map(({ message }) => message))
      ])
      expect(byText(byResult)).toEqual(byFile)
      for (const [span, of] of [...perSpan].slice(0, SPANS_REQUESTED)) {
        const messages = (await correlated(id, { span_id: span })).map(({ message }) => message)
        expect(byText(messages)).toEqual(byText(of.map(({ message }) => message)))
      }
    })
  })

  it('leads from every log to its span and its trace', async () => {
    interface Linked {
      readonly traceId: string
      readonly spanId: string
      readonly span: { readonly spanId: string; readonly traceId: string; readonly durationMs: number } | null
      readonly trace: { readonly traceId: string; readonly spanCount: number } | null
    }
    const query = `query ($after: String) { logs(range: { from: "1970-01-01T00:00:00Z" }, first: ${LINKED_PER_PAGE}, after: $after) {
      nodes { traceId spanId span { spanId traceId durationMs } trace { traceId spanCount } } pageInfo { hasNextPage endCursor } } }`
    const spans = new Map(site.spans('trainticket').map(span => [`${span.traceId} ${span.spanId}`, span]))
    let count = 0
    for (let after: string | null = null, hasNextPage = true; hasNextPage;) {
      const page: { logs: { nodes: Linked[]; pageInfo: { hasNextPage: boolean; endCursor: string } } } = await site.graphql(
        'trainticket',
        query,
        { after }
      )
      for (const { traceId, spanId, span, trace } of page.logs.nodes) {
        const { startNs, endNs } = spans.get(`${traceId} ${spanId}`)!
        expect(span).toEqual({ spanId, traceId, durationMs: Number(endNs - startNs) / MS_PER_NS })
        expect(trace).toEqual({ traceId, spanCount: site.traces('trainticket').get(traceId)!.length })
      }
      count += page.logs.nodes.length
      hasNextPage = page.logs.pageInfo.hasNextPage
      after = page.logs.pageInfo.endCursor
    }
    expect(count).toBe(site.logs.length)
  })
}

describeWithSuite('', 'public traces through the running service', () => {
  beforeAll(async () => {
    site = await TraceSite.open()
  }, 120_000)
  afterAll(() => site?.close())

  it('contain what the files are documented to contain', () => {
    expect([site.traces('jaeger').size, site.spans('jaeger').length]).toEqual([10, 14])
    expect([site.traces('trainticket').size, site.spans('trainticket').length]).toEqual([71, 4_890])
    expect(site.spans('trainticket').every(span => (span.endNs - span.startNs) / NS_PER_US >= 0n)).toBe(true)
  })

  describe.each(['jaeger', 'trainticket'])('%s', name => {
    searchesByField(name)
    searchesByTime(name)
    summariesAndTraces(name)
  })
  logsAndSpans()
})
