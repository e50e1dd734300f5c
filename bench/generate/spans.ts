import type { Span, SpanKind } from '../../src/domain/span.js'
import { type Random, seededRandom } from './random.js'
import { SERVICES } from './vocabulary.js'

const SPANS_PER_TRACE = 8
const NS_PER_MS = 1_000_000
const OPERATIONS = ['list', 'get', 'create', 'update', 'remove'] as const
const ERROR_EVERY = 50
const SLOW_SIGMA = 1.2

/** The spans of a request, from the gateway down: each service handles it, queries its database and calls the next one. */
interface Making {
  readonly random: Random
  readonly traceId: string
  readonly startNs: bigint
}

/** Milliseconds with a long tail, as durations have it. */
function durationMs(random: Random): number {
  const normal = random.next() + random.next() + random.next() + random.next() - 2
  return 8 * Math.exp(normal * SLOW_SIGMA * 1.7)
}

function attributesOf(kind: SpanKind, isQuery: boolean, random: Random): Span['attributes'] {
  if (isQuery) {
    return {
      'db.system.name': 'postgresql',
      'db.namespace': 'shop',
      'db.query.text': `SELECT * FROM items WHERE id = $${random.below(9)}`
    }
  }
  const status = random.below(ERROR_EVERY) === 0 ? 500 : 200
  const route = `/api/${random.pick(OPERATIONS)}/{id}`
  const common = { 'http.request.method': 'GET', 'http.response.status_code': status, 'server.address': 'shop.example.com' }
  return kind === 'server'
    ? { ...common, 'http.route': route, 'url.path': `/api/items/${random.below(100_000)}`, 'user.id': `u${random.below(20_000)}` }
    : { ...common, 'url.full': `http://shop.example.com/api/items/${random.below(100_000)}` }
}

function makeSpan({ random, traceId, startNs }: Making, at: number, ids: readonly string[]): Omit<Span, 'index'> {
  // Four spans a service: it handles the request (0), queries its database (1, 2) and calls the next one (3).
  const role = at % 4
  const service = SERVICES[(Number(BigInt(`0x${traceId.slice(0, 4)}`)) + (at >> 2) * 7) % SERVICES.length]!
  const kind: SpanKind = role === 0 ? 'server' : 'client'
  const isQuery = role === 1 || role === 2
  const isError = random.below(ERROR_EVERY) === 0
  const parent = at === 0 ? null : role === 0 ? ids[at - 1]! : ids[at - role]!
  const operation = isQuery
    ? 'SELECT items'
    : `GET /api/${OPERATIONS[(Number.parseInt(traceId.slice(4, 6), 16) + at) % OPERATIONS.length]!}/{id}`
  const message = `cannot read item ${random.below(1_000)}`
  const timestampNs = startNs + BigInt(Math.round((at * 2 + random.next()) * NS_PER_MS))
  return {
    traceId,
    spanId: ids[at]!,
    parentSpanId: parent,
    traceState: '',
    timestampNs,
    durationNs: BigInt(Math.round(durationMs(random) * NS_PER_MS)),
    name: operation,
    kind,
    status: isError ? 'error' : 'unset',
    statusMessage: isError ? message : null,
    service,
    host: `${service}-${random.below(3)}`,
    scopeName: isQuery ? '@opentelemetry/instrumentation-pg' : '@opentelemetry/instrumentation-http',
    scopeVersion: '0.57.1',
    flags: 1,
    attributes: attributesOf(kind, isQuery, random),
    resource: {
      'service.name': service,
      'service.version': '1.4.2',
      'deployment.environment.name': 'production',
      'telemetry.sdk.language': 'nodejs'
    },
    events: isError
      ? [{ name: 'exception', timestampNs, attributes: { 'exception.type': 'ItemError', 'exception.message': message } }]
      : [],
    links: [],
    dropped: { attributes: 0, events: 0, links: 0 }
  }
}

/** `rows` believable spans, evenly over the time, traces of eight, in batches of about `batch`. */
export function* generateSpans(of: {
  readonly rows: number
  readonly seed: number
  readonly startNs: bigint
  readonly endNs: bigint
  readonly batch: number
}): Iterable<readonly Span[]> {
  const random = seededRandom(of.seed)
  const traces = Math.ceil(of.rows / SPANS_PER_TRACE)
  let items: Span[] = []
  for (let trace = 0; trace < traces; trace++) {
    const startNs = of.startNs + ((of.endNs - of.startNs) * BigInt(trace)) / BigInt(traces)
    const making = { random, traceId: random.hex(32), startNs }
    const ids = Array.from({ length: SPANS_PER_TRACE }, () => random.hex(16))
    for (let at = 0; at < SPANS_PER_TRACE; at++) items.push({ index: items.length, ...makeSpan(making, at, ids) })
    if (items.length < of.batch) continue
    yield items
    items = []
  }
  if (items.length > 0) yield items
}
