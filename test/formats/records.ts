/** One request of a round. */
export interface SentRequest {
  readonly path: string
  readonly body: unknown
}

/** Unix milliseconds of the first record: an hour before a midnight, so that every round has records of two days. */
export const BASE_MS = Date.UTC(2026, 0, 15, 23)
/** Records of one round are within this time. */
export const ROUND_MS = 7_200_000
const PER_ROUND = 60
const STEP_MS = ROUND_MS / PER_ROUND
const SPANS_PER_TRACE = 3
const NS_PER_MS = 1_000_000n

const SERVICES = ['checkout', 'payments', 'web'] as const
const LEVELS = ['info', 'warn', 'error', 'debug', 'notice'] as const

function ns(ms: number): string {
  return String(BigInt(ms) * NS_PER_MS)
}

function atMs(i: number): number {
  return BASE_MS + i * STEP_MS
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** Id of the trace `n` of a round: its last half differs, by which traces are indexed. */
export function traceId(round: number, n: number): string {
  return hex(round + 1, 16) + hex((n + 1) * 0x9e3779b1, 16)
}

function pairs(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

function resource(service: string): object {
  return { attributes: pairs({ 'service.name': service, 'host.name': `${service}-1` }) }
}

function each<T>(make: (i: number) => T): T[] {
  return Array.from({ length: PER_ROUND }, (_, i) => make(i))
}

function logs(round: number): SentRequest {
  const log = (i: number): object => ({
    message: `round ${round} order ${1_000 + i} ${i % 7 === 0 ? 'Überweisung failed: İstanbul' : 'was placed'}`,
    timestamp: ns(atMs(i) + round),
    level: LEVELS[i % LEVELS.length],
    service: SERVICES[i % SERVICES.length],
    host: `host-${i % 4}`,
    ...(i % 2 === 0 && { source: 'app' }),
    ...(i % 5 !== 0 && { environment: i % 5 === 1 ? 'staging' : 'production' }),
    ...(i % 3 === 0 && { trace_id: traceId(round, i / 3), span_id: hex(1, 16) }),
    log_fields: { order: { id: i, total: i * 1.5 }, region: i % 2 === 0 ? 'eu' : 'us', big: '9007199254740993' },
    tags: { env: 'fixture', round: String(round) }
  })
  return { path: '/api/v1/logs/batch', body: { logs: each(log) } }
}

function points(round: number): SentRequest {
  const point = (i: number): object => ({
    name: i % 2 === 0 ? 'fixture_temperature' : 'fixture_requests_total',
    type: i % 2 === 0 ? 'gauge' : 'counter',
    value: i === 10 ? 'NaN' : i % 2 === 0 ? Math.sin(i) * 10 : i * (round + 1),
    timestamp_ns: ns(atMs(i) + round),
    labels: { host: `host-${i % 4}`, round: String(round) }
  })
  return { path: '/api/v1/ingest/batch', body: { metrics: each(point) } }
}

function spans(round: number): SentRequest {
  const span = (i: number): object => {
    const [trace, place] = [Math.floor(i / SPANS_PER_TRACE), i % SPANS_PER_TRACE]
    const startMs = atMs(i) + round
    return {
      traceId: traceId(round, trace),
      spanId: hex(place + 1, 16),
      parentSpanId: place === 0 ? '' : hex(1, 16),
      traceState: place === 0 ? 'vendor=1' : '',
      name: ['GET /cart', 'SELECT', 'publish'][place],
      kind: [2, 3, 4][place],
      flags: 257,
      startTimeUnixNano: ns(startMs),
      endTimeUnixNano: ns(startMs + 5 + (i % 20)),
      attributes: [
        ...pairs({ 'http.route': '/cart', 'db.system': 'postgresql' }),
        { key: 'rows', value: { intValue: String(i) } }
      ],
      status: i % 9 === 0 ? { code: 2, message: 'it failed' } : { code: 1 },
      events: [
        { name: 'retry', timeUnixNano: ns(startMs + 1), attributes: pairs({ attempt: String(i % 3) }) },
        ...(i % 18 === 0
          ? [
              {
                name: 'exception',
                timeUnixNano: ns(startMs + 2),
                attributes: pairs({ 'exception.type': 'DeadlockError', 'exception.message': 'deadlock found' })
              }
            ]
          : [])
      ],
      links: place === 2 ? [{ traceId: traceId(round, trace + 1), spanId: hex(1, 16), attributes: pairs({ why: 'batch' }) }] : [],
      droppedEventsCount: i % 5
    }
  }
  const scopeSpans = [{ scope: { name: 'fixture', version: '1.2' }, spans: each(span) }]
  return { path: '/api/v1/otlp/v1/traces', body: { resourceSpans: [{ resource: resource('web'), scopeSpans }] } }
}

function histograms(round: number): SentRequest {
  const native = (i: number): object => ({
    startTimeUnixNano: ns(BASE_MS - ROUND_MS),
    timeUnixNano: ns(atMs(i) + round),
    count: String(10 + i),
    sum: 12.5 + i,
    scale: 2,
    zeroCount: '1',
    positive: { offset: 3, bucketCounts: ['4', String(i), '5'] },
    negative: { offset: 0, bucketCounts: [] },
    attributes: pairs({ round: String(round) })
  })
  const classic = (i: number): object => ({
    startTimeUnixNano: ns(BASE_MS - ROUND_MS),
    timeUnixNano: ns(atMs(i) + round),
    count: String(6 + i),
    sum: 3.25 + i,
    explicitBounds: [0.1, 1],
    bucketCounts: ['1', '5', String(i)],
    attributes: pairs({ round: String(round) }),
    exemplars:
      i % 20 === 0 ? [{ timeUnixNano: ns(atMs(i) + round), asDouble: 0.5, traceId: traceId(round, 0), spanId: hex(1, 16) }] : []
  })
  const sparse = (make: (i: number) => object): object[] => each(make).filter((_, i) => i % 5 === 0)
  const metrics = [
    {
      name: 'fixture.native',
      unit: 's',
      description: 'A native histogram.',
      exponentialHistogram: { aggregationTemporality: 2, dataPoints: sparse(native) }
    },
    {
      name: 'fixture.classic',
      unit: 's',
      description: 'A classic histogram.',
      histogram: { aggregationTemporality: 2, dataPoints: sparse(classic) }
    }
  ]
  return {
    path: '/api/v1/otlp/v1/metrics',
    body: { resourceMetrics: [{ resource: resource('payments'), scopeMetrics: [{ scope: { name: 'fixture' }, metrics }] }] }
  }
}

const BROWSERS = ['Firefox', 'Chrome'] as const

function pageView(round: number, i: number): SentRequest {
  return {
    path: '/api/v1/apm/rum',
    body: {
      page_url: `https://shop.test/cart/${i}?round=${round}`,
      page_title: 'Cart',
      timestamp: ns(atMs(i) + round),
      session_id: `session-${i % 5}`,
      device_type: 'mobile',
      browser: BROWSERS[i % 2],
      country: 'FI',
      release: `1.${round}`,
      viewport_width: 390,
      viewport_height: 844,
      largest_contentful_paint_ms: 1_000 + i * 100,
      cumulative_layout_shift: 0.05,
      tags: { plan: 'free' }
    }
  }
}

function error(round: number, i: number): SentRequest {
  return {
    path: '/api/v1/apm/errors',
    body: {
      service: SERVICES[i % SERVICES.length],
      message: `payment ${i} was refused`,
      type: i % 2 === 0 ? 'RefusedError' : 'TimeoutError',
      stack: 'at pay (pay.js:1:2)\nat run (run.js:3:4)',
      trace_id: traceId(round, 0),
      span_id: hex(1, 16),
      host: 'host-1',
      timestamp: ns(atMs(i) + round),
      tags: { round: String(round) }
    }
  }
}

/** Page views and errors come one by one: so many of each in a round. */
const SINGLE = [0, 20, 40] as const

/** Everything that one round sends, of every kind of record. */
export function roundOf(round: number): readonly SentRequest[] {
  const singles = SINGLE.flatMap(i => [pageView(round, i), error(round, i)])
  return [logs(round), points(round), spans(round), histograms(round), ...singles]
}
