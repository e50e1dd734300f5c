import fc from 'fast-check'
import type { Field, Filter } from '../../src/domain/filter.js'
import type { JsonObject } from '../../src/domain/json.js'
import type { SearchRequest } from '../../src/domain/search.js'
import { SPAN_KINDS, SPAN_STATUSES } from '../../src/domain/span.js'
import type { TimeRange } from '../../src/domain/time-range.js'
import type { SpanStatsRequest, TraceSearchRequest } from '../../src/ports/trace-store.js'
import { BASE_NS } from '../contract/fresh-ids.js'
import { logArbitraries, PLAIN_VOCABULARY } from '../contract/log-arbitraries.js'
import { spanIdOf, traceIdOf, type SpanSketch } from '../contract/trace-fixtures.js'

// Few traces of few span ids, so that there are duplicates, missing parents, two roots, cycles, spans that are their own parent.
const TRACES = 12
const SPANS = 9
/** Starts and durations around boundaries of nanoseconds, milliseconds and seconds, one beyond a double. */
const TIMES = [0, 1, 2, 999_999, 1_000_000, 1_000_001, 2_500_000, 999_999_999, 1_000_000_000, 3_000_000_007]
const DURATIONS = [0n, 1n, 10n, 999_999n, 1_000_000n, 1_000_001n, 2_000_000_000n, 2n ** 53n + 1n]

const {
  sketch: plainSketch,
  filter: plainFilter,
  field,
  word
} = logArbitraries({
  ...PLAIN_VOCABULARY,
  words: [...PLAIN_VOCABULARY.words, ...SPAN_KINDS, ...SPAN_STATUSES, ...DURATIONS.map(String), spanIdOf(1), traceIdOf(2)],
  known: [
    ...['trace_id', 'span_id', 'parent_span_id', 'name', 'kind', 'status', 'status_message', 'duration_ns'],
    ...['service', 'host', 'scope_name', 'exception_type', 'exception_message']
  ]
})

const exception = fc
  .record({ name: fc.constantFrom('exception', 'exception', 'other'), type: fc.option(word), message: fc.option(word) })
  .map(({ name, type, message }) => ({
    name,
    timestampNs: BASE_NS,
    attributes: {
      ...(type !== null && { 'exception.type': type }),
      ...(message !== null && { exception: { message } })
    }
  }))

// Copies of a span are of one service, kind and peer: of such the service map takes those within its range.
const SERVICES = ['a', 'aB', 'é', null, '1', 'sS', '']
const PEERS: readonly JsonObject[] = [
  {},
  { 'db.system': 'redis' },
  {},
  { 'messaging.system': 'kafka' },
  { 'server.address': 'api.example', 'http.request.method': 'GET' }
]

function pick<Value>(values: readonly Value[], trace: number, id: number): Value {
  return values[(trace * SPANS + id) % values.length]!
}

/** A random span. */
export const sketch: fc.Arbitrary<SpanSketch> = fc
  .record({
    plain: plainSketch,
    at: fc.constantFrom(...TIMES),
    took: fc.constantFrom(...DURATIONS.slice(0, -1), ...DURATIONS.slice(0, -1), DURATIONS.at(-1)!),
    trace: fc.integer({ min: 1, max: TRACES }),
    id: fc.integer({ min: 1, max: SPANS }),
    parent: fc.option(fc.integer({ min: 1, max: SPANS + 1 })),
    status: fc.constantFrom(...SPAN_STATUSES),
    statusMessage: fc.option(word),
    scopeName: word,
    events: fc.array(exception, { maxLength: 3 })
  })
  .map(({ plain: { message, host, fields, tags }, parent, ...more }) => ({
    ...more,
    ...(parent !== null && { parent }),
    name: message ?? '',
    service: pick(SERVICES, more.trace, more.id),
    kind: pick(SPAN_KINDS, more.trace, more.id),
    host: host ?? null,
    attributes: { ...fields, ...pick(PEERS, more.trace, more.id) },
    resource: tags ?? {}
  }))

const atNs = fc.constantFrom(...TIMES).map(at => BASE_NS + BigInt(at))

const durationFilter: fc.Arbitrary<Filter> = fc
  .record({ op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), took: fc.constantFrom(...DURATIONS) })
  .map(({ op, took }): Filter => ({ kind: 'range', field: { in: 'known', name: 'duration_ns' }, [op]: String(took) }))

const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 5, arbitrary: plainFilter },
  { weight: 1, arbitrary: durationFilter },
  { weight: 1, arbitrary: fc.tuple(plainFilter, durationFilter).map((of): Filter => ({ kind: 'or', of })) }
)

const range: fc.Arbitrary<TimeRange> = fc.tuple(atNs, atNs, fc.boolean()).map(([a, b, isWide]) => {
  if (isWide) return { startNs: BASE_NS - 5_000_000_000n, endNs: BASE_NS + 5_000_000_000n }
  return { startNs: a < b ? a : b, endNs: (a < b ? b : a) + 1n }
})

/** Fields by which every store counts; numbers beyond a double are counted as their nearest one in search stores. */
const counted: fc.Arbitrary<Field> = field.filter(({ in: place, name }) => place !== 'known' || name !== 'duration_ns')

const histogram = fc
  .record({
    start: fc.constantFrom(0n, -1_000_000n, 1n),
    stepNs: fc.constantFrom(1_000_000n, 500_000_000n, 7n),
    count: fc.integer({ min: 1, max: 40 }),
    by: fc.option(counted, { nil: undefined })
  })
  .map(({ start, stepNs, count, by }) => ({ startNs: BASE_NS + start, stepNs, count, ...(by && { by }) }))

const facet = fc.record({
  field: counted,
  own: fc.option(filter),
  limit: fc.integer({ min: 0, max: 5 }),
  lastSeen: fc.boolean()
})

/** A random query about single spans. */
const spanQuery: fc.Arbitrary<SearchRequest> = fc
  .record({
    range,
    filter,
    limit: fc.integer({ min: 0, max: 40 }),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    total: fc.boolean(),
    histogram: fc.option(histogram, { nil: undefined }),
    facets: fc.array(facet, { maxLength: 2 })
  })
  .map(({ range: within, filter: main, limit, order, total, histogram: grid, facets }) => ({
    range: within,
    filter: main,
    rows: { limit, order },
    ...(total && { total }),
    ...(grid && { histogram: grid }),
    ...(facets.length > 0 && { facets: facets.map(({ own, ...rest }) => ({ ...rest, filter: own ?? main })) })
  }))

const duration = fc.option(fc.constantFrom(...DURATIONS, 3_000_000_007n), { nil: undefined })

/** A random query about whole traces. */
const traceRequest: fc.Arbitrary<TraceSearchRequest> = fc
  .record({
    range,
    filter,
    min: duration,
    max: duration,
    hasError: fc.option(fc.boolean(), { nil: undefined, freq: 2 }),
    limit: fc.integer({ min: 0, max: 6 }),
    by: fc.constantFrom('start' as const, 'duration' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    total: fc.boolean()
  })
  .map(({ range: within, filter: main, min, max, hasError, limit, by, order, total }) => ({
    range: within,
    filter: main,
    conditions: {
      ...(min !== undefined && { minDurationNs: min }),
      ...(max !== undefined && { maxDurationNs: max }),
      ...(hasError !== undefined && { hasError })
    },
    rows: { limit, by, order },
    total
  }))

const GROUPED = ['service', 'name', 'kind', 'status'].map((name): Field => ({ in: 'known', name }))

/** A random query about requests, errors and durations. */
const statsQuery: fc.Arbitrary<SpanStatsRequest> = fc
  .record({
    range,
    filter,
    groupBy: fc.subarray(GROUPED, { maxLength: 3 }),
    grid: fc.option(fc.record({ on: histogram, sums: fc.boolean(), buckets: fc.boolean() }), { nil: undefined }),
    percentiles: fc.subarray([0.5, 0.95, 0.99]),
    boundsNs: fc.option(fc.subarray(DURATIONS.slice(0, -1), { minLength: 1 }), { nil: undefined }),
    errorBuckets: fc.boolean(),
    limit: fc.integer({ min: 1, max: 20 })
  })
  .map(({ grid, boundsNs, ...rest }) => ({
    ...rest,
    ...(grid && {
      grid: {
        ...{ startNs: grid.on.startNs, stepNs: grid.on.stepNs, count: grid.on.count },
        ...{ sums: grid.sums, buckets: grid.buckets }
      }
    }),
    ...(boundsNs && { boundsNs })
  }))

const edgesQuery = fc.record({ range, percentiles: fc.subarray([0.5, 0.99]), limit: fc.integer({ min: 1, max: 30 }) })
const traceOf = fc.record({
  traceId: fc.integer({ min: 1, max: TRACES + 1 }).map(traceIdOf),
  limit: fc.integer({ min: 0, max: 60 })
})

/** A random query, of any kind. */
export const query = fc.oneof(
  { weight: 4, arbitrary: spanQuery.map(request => ({ kind: 'spans', request }) as const) },
  { weight: 4, arbitrary: traceRequest.map(request => ({ kind: 'traces', request }) as const) },
  { weight: 1, arbitrary: traceOf.map(request => ({ kind: 'trace', request }) as const) },
  { weight: 3, arbitrary: statsQuery.map(request => ({ kind: 'stats', request }) as const) },
  { weight: 1, arbitrary: edgesQuery.map(request => ({ kind: 'edges', request }) as const) }
)

export type Query = typeof query extends fc.Arbitrary<infer Each> ? Each : never
