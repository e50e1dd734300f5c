type Scalar = string | number | boolean

/** A span of which a case names only what it is about; times in milliseconds, ids as numbers. */
export interface SketchedSpan {
  readonly trace: string
  readonly id: number
  readonly parent?: number
  readonly at: number
  readonly took: number
  readonly name: string
  /** Null: no `service.name`. */
  readonly service: string | null
  /** OpenTelemetry's numbers. */
  readonly kind: number
  readonly status?: number
  readonly attributes?: Readonly<Record<string, Scalar>>
  readonly exception?: { readonly type: string; readonly message: string }
}

function valueOf(value: Scalar): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function pairs(attributes: Readonly<Record<string, Scalar>>): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))
}

const SPAN_ID_DIGITS = 16

function spanId(n: number): string {
  return n.toString(16).padStart(SPAN_ID_DIGITS, '0')
}

function exported(span: SketchedSpan, baseMs: number): object {
  const { trace, id, parent, at, took, name, kind, status, attributes = {}, exception } = span
  const timeUnixNano = `${baseMs + at}000000`
  const described = exception && { 'exception.type': exception.type, 'exception.message': exception.message }
  return {
    ...{ traceId: trace, spanId: spanId(id), name, kind, startTimeUnixNano: timeUnixNano },
    ...(parent !== undefined && { parentSpanId: spanId(parent) }),
    endTimeUnixNano: `${baseMs + at + took}000000`,
    attributes: pairs(attributes),
    ...(status !== undefined && { status: { code: status } }),
    ...(described && { events: [{ name: 'exception', timeUnixNano, attributes: pairs(described) }] })
  }
}

/** An OTLP request in JSON, each span with a resource of its own. */
export function exportedTraces(
  spans: readonly SketchedSpan[],
  baseMs: number,
  resource: Readonly<Record<string, Scalar>> = {}
): object {
  return {
    resourceSpans: spans.map(span => {
      const ofService: Readonly<Record<string, Scalar>> = span.service === null ? {} : { 'service.name': span.service }
      const attributes = pairs({ ...resource, ...ofService })
      return { resource: { attributes }, scopeSpans: [{ spans: [exported(span, baseMs)] }] }
    })
  }
}
