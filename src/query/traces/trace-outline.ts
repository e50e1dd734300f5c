import type { TraceView, ViewedSpan } from './trace-view.js'

/** Bits of `TraceOutline.flags`. */
export const SPAN_FLAGS = { error: 1, onCriticalPath: 2, isParentMissing: 4, hasException: 8 } as const

/**
 * All spans of a trace as parallel lists, in the order of the tree; services and operations are places in the lists of
 * names. Times are milliseconds, rounded to a microsecond or, in a long trace, to its millionth: what a chart can show.
 */
export interface TraceOutline {
  readonly serviceNames: readonly string[]
  readonly operationNames: readonly string[]
  readonly spanIds: readonly string[]
  /** Place of the parent; null for the roots of the tree. */
  readonly parents: readonly (number | null)[]
  /** From the start of the trace. */
  readonly starts: readonly number[]
  readonly durations: readonly number[]
  readonly selfTimes: readonly number[]
  readonly services: readonly number[]
  readonly operations: readonly number[]
  readonly flags: readonly number[]
}

/** Spans that are added in one step: some tenths of a millisecond. */
const SPANS_PER_STEP = 250
const NS_PER_MS = 1e6
const US_PER_MS = 1e3
const RESOLUTION = 1e6

/** Names in the order in which they come, and the place of each. */
class Names {
  readonly all: string[] = []
  readonly #places = new Map<string, number>()

  placeOf(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.all.length)
    return this.all.push(name) - 1
  }
}

/** Rounds nanoseconds to as many decimals of a millisecond as a trace of this length can show. */
function roundingOf(traceNs: bigint): (ns: bigint) => number {
  const traceMs = Number(traceNs) / NS_PER_MS
  const perMs = Math.min(US_PER_MS, 10 ** Math.max(0, Math.ceil(Math.log10(RESOLUTION / Math.max(traceMs, 1)))))
  return ns => Math.round((Number(ns) / NS_PER_MS) * perMs) / perMs
}

/** Bits of one span. */
function flagsOf({ span, exceptions }: ViewedSpan, isCritical: boolean, isParentMissing: boolean): number {
  return (
    (span.status === 'error' ? SPAN_FLAGS.error : 0) |
    (isCritical ? SPAN_FLAGS.onCriticalPath : 0) |
    (isParentMissing ? SPAN_FLAGS.isParentMissing : 0) |
    (exceptions.length > 0 ? SPAN_FLAGS.hasException : 0)
  )
}

/** The outline of a trace. Yields between steps of the work. */
export function* traceOutlineSteps(view: TraceView): Generator<void, TraceOutline> {
  const places = new Map(view.spans.map(({ span }, place) => [span.spanId, place]))
  const critical = new Set(view.criticalPath.map(({ spanId }) => spanId))
  const round = roundingOf(view.durationNs)
  const services = new Names()
  const operations = new Names()
  const outline = {
    serviceNames: services.all,
    operationNames: operations.all,
    spanIds: [] as string[],
    parents: [] as (number | null)[],
    starts: [] as number[],
    durations: [] as number[],
    selfTimes: [] as number[],
    services: [] as number[],
    operations: [] as number[],
    flags: [] as number[]
  }
  for (const [place, viewed] of view.spans.entries()) {
    if (place % SPANS_PER_STEP === 0) yield
    const { spanId, parentSpanId, service, name, durationNs } = viewed.span
    const parent = parentSpanId === null ? undefined : places.get(parentSpanId)
    outline.spanIds.push(spanId)
    // A root of the tree may name a parent: one that is not there, or one that hangs below it.
    outline.parents.push(viewed.depth === 0 ? null : (parent ?? null))
    outline.starts.push(round(viewed.startOffsetNs))
    outline.durations.push(round(durationNs))
    outline.selfTimes.push(round(viewed.selfTimeNs))
    outline.services.push(services.placeOf(service ?? ''))
    outline.operations.push(operations.placeOf(name))
    outline.flags.push(flagsOf(viewed, critical.has(spanId), parentSpanId !== null && parent === undefined))
  }
  return outline
}
