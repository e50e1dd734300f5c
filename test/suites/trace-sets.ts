import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCsv } from './csv.js'

/** A span as its file has it. */
export interface FileSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  readonly kind: string
  readonly service: string
  readonly startNs: bigint
  readonly endNs: bigint
  /** Scalars as the strings that they are searched by. */
  readonly attributes: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, string>>
}

/** A set of traces, and the OTLP requests in JSON that bring it. */
export interface TraceSet {
  readonly requests: readonly object[]
  readonly spans: readonly FileSpan[]
}

interface OtlpValue {
  readonly stringValue?: string
  readonly intValue?: string
  readonly boolValue?: boolean
  readonly doubleValue?: number
  readonly bytesValue?: string
}
interface OtlpPair {
  readonly key: string
  readonly value: OtlpValue
}
interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind?: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly OtlpPair[]
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpPair[] }
    readonly scopeSpans: readonly {
      readonly scope?: { readonly name?: string; readonly attributes?: readonly OtlpPair[] }
      readonly spans: readonly OtlpSpan[]
    }[]
  }[]
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const SPANS_PER_REQUEST = 500

function strings(pairs: readonly OtlpPair[] = [], prefix = ''): Readonly<Record<string, string>> {
  const known = pairs.map(({ key, value }) => {
    const { stringValue, intValue, boolValue, doubleValue } = value
    return [prefix + key, stringValue ?? intValue ?? boolValue ?? doubleValue] as const
  })
  return Object.fromEntries(known.filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)]))
}

function spansOf({ resourceSpans }: OtlpRequest): FileSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(span => {
        const ofResource = { ...strings(resource.attributes), ...strings(scope?.attributes, 'otel.scope.') }
        const { 'service.name': service = '', ...rest } = ofResource
        return {
          ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId || null, name: span.name },
          ...{ kind: KINDS[span.kind ?? 0]!, service, resource: rest, attributes: strings(span.attributes) },
          startNs: BigInt(span.startTimeUnixNano),
          endNs: BigInt(span.endTimeUnixNano)
        }
      })
    )
  )
}

/** The fixtures of Jaeger's storage tests: a file is a request. */
export function readJaeger(folder: string): TraceSet {
  const files = readdirSync(join(folder, 'traces/jaeger')).filter(name => name.endsWith('.json'))
  const requests = files.map(name => JSON.parse(readFileSync(join(folder, 'traces/jaeger', name), 'utf8')) as OtlpRequest)
  return { requests, spans: requests.flatMap(spansOf) }
}

type Row = Readonly<Record<string, string>>

/** The service as for the logs of the set: the pod without its two suffixes. */
function toRequest(rows: readonly Row[]): OtlpRequest {
  return {
    resourceSpans: rows.map(row => {
      const pod = row['PodName']!
      const resource = { 'service.name': pod.split('-').slice(0, -2).join('-'), 'k8s.pod.name': pod }
      const pairs = Object.entries(resource).map(([key, stringValue]) => ({ key, value: { stringValue } }))
      const span = {
        ...{ traceId: row['TraceID']!, spanId: row['SpanID']!, name: row['OperationName']! },
        ...(row['ParentID'] !== 'root' && { parentSpanId: row['ParentID']! }),
        startTimeUnixNano: row['StartTimeUnixNano']!,
        endTimeUnixNano: row['EndTimeUnixNano']!,
        attributes: [{ key: 'duration_us', value: { intValue: row['Duration']! } }]
      }
      return { resource: { attributes: pairs }, scopeSpans: [{ spans: [span] }] }
    })
  }
}

/** The traces of TrainTicket whose logs are in `sets.ts`. */
export function readTrainTicket(folder: string): TraceSet {
  const rows = parseCsv(readFileSync(join(folder, 'traces/trainticket/08_50_trace.csv'), 'utf8'))
  const count = Math.ceil(rows.length / SPANS_PER_REQUEST)
  const requests = Array.from({ length: count }, (_, i) =>
    toRequest(rows.slice(i * SPANS_PER_REQUEST, (i + 1) * SPANS_PER_REQUEST))
  )
  return { requests, spans: requests.flatMap(spansOf) }
}

/** What has the same key, together. */
export function groups<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const one of all) {
    const group = found.get(keyOf(one))
    if (group) group.push(one)
    else found.set(keyOf(one), [one])
  }
  return found
}
