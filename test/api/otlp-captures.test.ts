import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { SPAN_KINDS, SPAN_STATUSES } from '../../src/domain/span.js'
import { formatNs } from '../../src/domain/timestamp.js'
import { decodeJsonLogs } from '../../src/otlp/json/logs.js'
import { decodeJsonMetrics } from '../../src/otlp/json/metrics.js'
import { decodeJsonSpans } from '../../src/otlp/json/spans.js'
import type { OtlpLog, OtlpPoint, OtlpSpan } from '../../src/otlp/model.js'
import type { DecodeSteps } from '../../src/otlp/steps.js'
import { loadOtlpTypes } from '../differential/otlp-protos.js'
import { referenceLogs, referencePoints, referenceSpans } from '../differential/otlp-reference.js'
import { freePort } from '../../bench/service/free-port.js'
import { describeWithSuite, suiteNames } from '../support/suite-cases.js'
import { type LastingNamespace, makeLastingNamespace } from '../support/lasting-namespace.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { suitePath } from '../support/suite-path.js'
import { instantQuery } from '../support/prometheus-api.js'
import { type RunningService, startService } from '../support/running-service.js'

// Spans, logs and metrics as the real SDK sent them, from a folder next to the repository: what is read back is compared,
// member by member, with what protobufjs reads in the same bytes.

const CAPTURES = 'otlp/captures/'
const types = loadOtlpTypes()
const namesOf = (signal: RegExp): readonly string[] =>
  suiteNames(CAPTURES).filter(name => signal.test(name) && name.endsWith('.bin'))
const [TRACES, LOGS, METRICS] = [namesOf(/trace/), namesOf(/logs/), namesOf(/metrics/)]

let service: RunningService
let grpc: OtlpGrpcClient
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService({ flags: ['--otlp-grpc-port', String(await freePort()), '--rate-queries', '1000'] })
  session = await service.login()
  grpc = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
})
afterAll(async () => {
  grpc.close()
  await service.close()
})

function run<T>(steps: DecodeSteps<T>): readonly T[] {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The records of a capture: JSON by our reader, protobuf by protobufjs. */
function recordsOf<T>(
  name: string,
  bytes: Buffer,
  by: { readonly json: (body: Buffer, max: number) => DecodeSteps<T>; readonly reference: (body: Buffer) => readonly T[] }
): readonly T[] {
  const body = name.includes('gzip') ? gunzipSync(bytes) : bytes
  return name.includes('json') ? run(by.json(body, 1_000)) : by.reference(body)
}

/** Sends a capture to a namespace of its own. */
async function sent(name: string, signal: 'traces' | 'logs' | 'metrics'): Promise<{ ns: LastingNamespace; bytes: Buffer }> {
  const bytes = readFileSync(suitePath(CAPTURES) + name)
  const ns = await makeLastingNamespace(service, session, name.replace('.bin', '').replaceAll('_', '-'))
  const key = { 'x-api-key': ns.ingestKey }
  if (name.includes('grpc')) {
    const { code, reply } = await grpc.export(signal, bytes, key)
    expect([code, reply.length]).toEqual([0, 0])
  } else {
    const type = name.includes('json') ? 'application/json' : 'application/x-protobuf'
    const encoding = name.includes('gzip') ? 'gzip' : 'identity'
    const headers = { ...key, 'content-type': type, 'content-encoding': encoding }
    const reply = await fetch(`${service.url}/v1/${signal}`, { method: 'POST', headers, body: bytes })
    expect([reply.status, ['', '{}']]).toEqual([200, expect.arrayContaining([await reply.text()])])
  }
  await service.settle()
  return { ns, bytes }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The members that the sender knew, as the API shows them. */
function shownSpan(span: OtlpSpan): object {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentSpanId || null,
    operation: span.name,
    kind: SPAN_KINDS[span.kind],
    status: SPAN_STATUSES[span.statusCode],
    status_message: span.statusMessage || null,
    start: formatNs(span.startTimeNs),
    duration_ns: Number(span.endTimeNs - span.startTimeNs),
    attributes: plain(span.attributes),
    scope: { name: span.scope.name, version: span.scope.version },
    events: span.events.map(({ name, timeNs, attributes }) => ({
      name,
      timestamp: formatNs(timeNs),
      attributes: plain(attributes)
    })),
    links: span.links.map(link => ({
      trace_id: link.traceId,
      span_id: link.spanId,
      trace_state: link.traceState,
      attributes: plain(link.attributes)
    })),
    trace_state: span.traceState,
    flags: span.flags,
    dropped: { attributes: span.droppedAttributes, events: span.droppedEvents, links: span.droppedLinks }
  }
}

function shownLog(log: OtlpLog): object {
  const isText = typeof log.body === 'string'
  const { scope } = log
  return {
    timestamp: formatNs(log.timeNs),
    message: isText ? log.body : JSON.stringify(log.body),
    severity_number: log.severityNumber,
    service: 'checkout',
    host: 'node-a',
    source: scope.name,
    trace_id: log.traceId || null,
    span_id: log.spanId || null,
    log_fields: plain({ ...log.attributes, ...(!isText && { body: log.body }) }),
    tags: plain({ ...scope.resource.attributes, 'otel.scope.name': scope.name, 'otel.scope.version': scope.version })
  }
}

const FAMILIES: Readonly<Record<string, string>> = {
  'payload.size': 'payload_size_bytes',
  'http.server.requests': 'http_server_requests_total',
  'http.server.duration': 'http_server_duration_milliseconds',
  'queue.length': 'queue_length',
  'cpu.temp': 'cpu_temp',
  'system.memory.utilization': 'system_memory_utilization',
  'system.cpu.time': 'system_cpu_time_seconds_total'
}
const OF_RESOURCE = { service: 'checkout', host: 'node-a', job: 'shop/checkout' }

/** The result that PromQL must return for a point: a query, and the value. */
function queriesOf(point: OtlpPoint): readonly (readonly [query: string, value: number])[] {
  const labels = Object.entries(point.attributes).map(([key, value]) => {
    return `${key.replaceAll('.', '_')}=${JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value))}`
  })
  const of = (name: string, ...more: readonly string[]): string => `${name}{${[...labels, ...more].join()}}`
  const family = FAMILIES[point.metric.name]!
  switch (point.kind) {
    case 'gauge':
    case 'sum':
      return [[of(family), point.value]]
    case 'exponential':
      return [
        [`histogram_count(${of(family)})`, point.count],
        [`histogram_sum(${of(family)})`, point.sum!]
      ]
    case 'histogram': {
      let below = 0
      const buckets = point.bucketCounts.map((count, i) => {
        return [of(`${family}_bucket`, `le="${point.bounds[i] ?? '+Inf'}"`), (below += count)] as const
      })
      return [[of(`${family}_count`), point.count], [of(`${family}_sum`), point.sum!], ...buckets]
    }
    default:
      throw new TypeError('the SDK made no such point')
  }
}

describeWithSuite(CAPTURES, 'the captured requests of the OpenTelemetry SDK', () => {
  it('are six of each signal', () => {
    expect([TRACES.length, LOGS.length, METRICS.length]).toEqual([6, 6, 6])
  })

  it.each(TRACES)('%s is read back with everything that it contained', async name => {
    const { ns, bytes } = await sent(name, 'traces')
    const reference = (body: Buffer): readonly OtlpSpan[] => referenceSpans(types!.traces.decode(body) as never)
    const spans = recordsOf(name, bytes, { json: decodeJsonSpans, reference })
    expect(spans).toHaveLength(10)
    for (const span of spans) {
      const response = await service.api(`/api/v1/traces/${span.traceId}`, { headers: ns.reader })
      const found = (response.json['spans'] as Record<string, unknown>[]).find(one => one['span_id'] === span.spanId)
      expect(found).toMatchObject(shownSpan(span))
      expect(found!['attributes']).toEqual(plain(span.attributes))
      expect(found!['resource']).toMatchObject(plain(span.scope.resource.attributes) as object)
    }
  })

  it.each(LOGS)('%s is read back with everything that it contained', async name => {
    const { ns, bytes } = await sent(name, 'logs')
    const reference = (body: Buffer): readonly OtlpLog[] => referenceLogs(types!.logs.decode(body) as never)
    const logs = recordsOf(name, bytes, { json: decodeJsonLogs, reference })
    expect(logs).toHaveLength(7)
    const json = { start: 0, end: 'now', order: 'asc', filters: [] }
    const response = await service.api('/api/v1/logs/query', { method: 'POST', headers: ns.reader, json })
    const byTimeAndText = (one: object): string =>
      `${(one as { timestamp: string }).timestamp} ${(one as { message: string }).message}`
    const sorted = <T extends object>(all: readonly T[]): readonly T[] =>
      all.toSorted((a, b) => (byTimeAndText(a) < byTimeAndText(b) ? -1 : 1))
    const found = sorted(response.json['logs'] as object[])
    expect(found).toHaveLength(logs.length)
    for (const [i, expected] of sorted(logs.map(shownLog)).entries()) {
      expect(found[i]).toMatchObject(expected)
      expect((found[i] as { log_fields: object }).log_fields).toEqual((expected as { log_fields: object }).log_fields)
    }
  })

  it.each(METRICS)('%s is read back with everything that it contained', async name => {
    const { ns, bytes } = await sent(name, 'metrics')
    const reference = (body: Buffer): readonly OtlpPoint[] => referencePoints(types!.metrics.decode(body) as never)
    const points = recordsOf(name, bytes, { json: decodeJsonMetrics, reference })
    expect(new Set(points.map(({ metric }) => metric.name))).toEqual(new Set(Object.keys(FAMILIES)))
    for (const point of points) {
      const timeMs = Number(point.timeNs / 1_000_000n) + 1
      for (const [query, value] of queriesOf(point)) {
        const found = await instantQuery(service, ns.reader, query, timeMs)
        expect([query, found.map(one => Number(one.value[1]))]).toEqual([query, [value]])
        expect(found[0]!.metric).toMatchObject(OF_RESOURCE)
      }
    }
  })
})
