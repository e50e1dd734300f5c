import { randomBytes } from 'node:crypto'

/** A span as a test writes it, for OTLP in JSON. Times are Unix milliseconds. */
export interface SpanSent {
  readonly trace: string
  readonly id?: string
  readonly parent?: string
  readonly service: string
  readonly name?: string
  /** OpenTelemetry's number: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind?: number
  readonly startMs: number
  readonly tookMs?: number
  readonly isError?: boolean
  readonly attributes?: Readonly<Record<string, string>>
  readonly resource?: Readonly<Record<string, string>>
  readonly events?: readonly {
    readonly name: string
    readonly atMs?: number
    readonly attributes: Readonly<Record<string, string>>
  }[]
}

const TRACE_BYTES = 16
const SPAN_BYTES = 8

export function newTraceId(): string {
  return randomBytes(TRACE_BYTES).toString('hex')
}

export function newSpanId(): string {
  return randomBytes(SPAN_BYTES).toString('hex')
}

function pairs(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}

function spanJson(span: SpanSent): object {
  const { trace, id = newSpanId(), parent, name = 'work', kind = 1, startMs, tookMs = 10, isError = false } = span
  return {
    ...{ traceId: trace, spanId: id, parentSpanId: parent ?? '', name, kind },
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(startMs + tookMs),
    attributes: pairs(span.attributes ?? {}),
    events: (span.events ?? []).map(event => ({
      name: event.name,
      timeUnixNano: nanos(event.atMs ?? startMs),
      attributes: pairs(event.attributes)
    })),
    status: isError ? { code: 2 } : {}
  }
}

/** An export request: each span under a resource of its own. */
export function exportOf(spans: readonly SpanSent[]): object {
  return {
    resourceSpans: spans.map(span => ({
      resource: { attributes: pairs({ 'service.name': span.service, ...span.resource }) },
      scopeSpans: [{ scope: { name: 'test' }, spans: [spanJson(span)] }]
    }))
  }
}

/** The `exception` event that SDKs record. */
export function exception(type: string, message: string, stack?: string): NonNullable<SpanSent['events']>[number] {
  const attributes = { 'exception.type': type, 'exception.message': message, ...(stack && { 'exception.stacktrace': stack }) }
  return { name: 'exception', attributes }
}
