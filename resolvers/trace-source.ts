import { GatewayError } from '../src/domain/errors.js'
import type { StoredSpan, TraceSummary } from '../src/domain/span.js'
import type { TraceExtent, TraceLogCounts } from '../src/query/traces/trace-logs.js'
import type { ReadTrace } from '../src/query/traces/trace-reading.js'
import type { TraceOutline } from '../src/query/traces/trace-outline.js'
import type { ViewedSpan } from '../src/query/traces/trace-view.js'
import { exceptionsOf } from '../src/domain/span-exceptions.js'
import type { SpanEventType, SpanExceptionType, SpanLinkType, SpanType } from '../schema/trace.type.js'
import type { Context } from './context.js'
import { toMs } from './to-trace.js'
import { warningSentence, type Warning } from '../src/domain/warning.js'

/** What is known of a whole trace before its spans are read. */
export type TraceFacts = Pick<TraceSummary, 'startNs' | 'durationNs' | 'spanCount' | 'errorSpanCount' | 'hasMissingSpans'>

/** What is at hand when a `Trace` is made. */
interface KnownTrace {
  readonly read?: ReadTrace
  readonly summary?: TraceSummary
  readonly warnings?: readonly Warning[]
}

/** The source of a `Trace`: its spans and the counts of its logs are each loaded once, when a field needs them. */
export class TraceSource {
  /** 32 hex digits in lower case. */
  readonly traceId: string
  /** Why it has another id than the requested one. */
  readonly warnings: readonly string[]
  readonly #context: Context
  readonly #known: TraceFacts | undefined
  #read: Promise<ReadTrace> | undefined
  #logs: Promise<TraceLogCounts> | undefined
  #places: Promise<ReadonlyMap<string, ViewedSpan>> | undefined

  /** @param at what is at hand: the trace, its summary, or neither */
  constructor(context: Context, traceId: string, at: KnownTrace = {}) {
    this.traceId = traceId
    this.warnings = (at.warnings ?? at.read?.warnings ?? []).map(warningSentence)
    this.#context = context
    this.#known = at.summary
    if (at.read) this.#read = Promise.resolve(at.read)
  }

  async read(): Promise<ReadTrace> {
    return (this.#read ??= this.#load())
  }

  async outline(): Promise<OutlineSource> {
    const { use, signal } = this.#context
    return { ...(await use.traceReading.outline(await this.read(), signal)), trace: this }
  }

  async facts(): Promise<TraceFacts> {
    if (this.#known) return this.#known
    const { view } = await this.read()
    return { ...view, spanCount: view.spans.length }
  }

  /** Where its logs are looked for. */
  async extent(): Promise<TraceExtent> {
    const { startNs, durationNs } = await this.facts()
    return { traceId: this.traceId, startNs, durationNs }
  }

  async logCounts(): Promise<TraceLogCounts> {
    return (this.#logs ??= this.#countLogs())
  }

  /** The span at its place in the tree; undefined when it is beyond the spans that are read of a trace. */
  async placeOf(span: StoredSpan): Promise<ViewedSpan | undefined> {
    this.#places ??= this.read().then(({ view }) => new Map(view.spans.map(viewed => [viewed.span.spanId, viewed])))
    return (await this.#places).get(span.spanId)
  }

  async #load(): Promise<ReadTrace> {
    const { use, namespace, signal } = this.#context
    const trace = await use.traceReading.get(await namespace(), this.traceId, signal)
    if (!trace) throw new GatewayError('not_found', 'the trace is no longer stored')
    return trace
  }

  async #countLogs(): Promise<TraceLogCounts> {
    const { use, namespace, signal } = this.#context
    return use.traceLogs.bySpan(await namespace(), await this.extent(), signal)
  }
}

/** The trace that an id of a record leads to; null when none is stored. Throws for 64 bits that several traces share. */
export async function linkedTrace(traceId: string, context: Context): Promise<TraceSource | null> {
  const { summary, warnings } = await context.traceLoaders.links.load(traceId)
  return summary && new TraceSource(context, summary.traceId, { summary, warnings })
}

/** Source of a `TraceOutline`: its lists, and the trace whose logs are counted on selection. */
export type OutlineSource = TraceOutline & { readonly trace: TraceSource }

/** A span, and the trace it belongs to. */
export class SpanSource implements SpanType {
  readonly span: StoredSpan
  readonly trace: TraceSource

  constructor(span: StoredSpan, trace: TraceSource) {
    this.span = span
    this.trace = trace
  }

  get spanId(): string {
    return this.span.spanId
  }
  get traceId(): string {
    return this.span.traceId
  }
  get parentSpanId(): string | null {
    return this.span.parentSpanId
  }
  get service(): string {
    return this.span.service ?? ''
  }
  get host(): string | null {
    return this.span.host
  }
  get operation(): string {
    return this.span.name
  }
  get kind(): StoredSpan['kind'] {
    return this.span.kind
  }
  get status(): StoredSpan['status'] {
    return this.span.status
  }
  get statusMessage(): string | null {
    return this.span.statusMessage
  }
  get startTime(): bigint {
    return this.span.timestampNs
  }
  get durationMs(): number {
    return toMs(this.span.durationNs)
  }
  get attributes(): object {
    return this.span.attributes
  }
  get resource(): object {
    return this.span.resource
  }
  get scope(): string | null {
    return this.span.scopeName === '' ? null : this.span.scopeName
  }
  get events(): readonly SpanEventType[] {
    return this.span.events.map(({ name, timestampNs, attributes }) => ({ name, timestamp: timestampNs, attributes }))
  }
  get links(): readonly SpanLinkType[] {
    return this.span.links
  }
  get exceptions(): readonly SpanExceptionType[] {
    return exceptionsOf(this.span.events).map(({ timestampNs, ...exception }) => ({ ...exception, timestamp: timestampNs }))
  }
}
