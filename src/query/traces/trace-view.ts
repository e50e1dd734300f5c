import type { StoredSpan } from '../../domain/span.js'
import { exceptionsOf, type SpanException } from '../../domain/span-exceptions.js'
import { criticalPathSteps } from './critical-path.js'
import { selfTimeSteps } from './self-time.js'
import { spanTreeSteps, type TreeNode } from './span-tree.js'

/** A span as a reader of its trace sees it. */
export interface ViewedSpan {
  readonly span: StoredSpan
  /** 0 for a root. */
  readonly depth: number
  /** From the start of the trace, nanoseconds. */
  readonly startOffsetNs: bigint
  /** In which the span ran and none of its children did. */
  readonly selfTimeNs: bigint
  /** Children of the span that were read. */
  readonly childCount: number
  readonly exceptions: readonly SpanException[]
}

/** A stretch of the critical path. */
export interface ViewedSegment {
  readonly spanId: string
  /** From the start of the trace, nanoseconds. */
  readonly startOffsetNs: bigint
  readonly durationNs: bigint
}

/** What a service did in a trace. */
export interface ServiceShare {
  /** Null: spans without `service.name`. */
  readonly service: string | null
  readonly spans: number
  readonly errors: number
  /** Sum over its spans. */
  readonly selfTimeNs: bigint
  /** Its part of the critical path. */
  readonly criticalNs: bigint
}

/** A trace laid out for a reader, counted over the spans that were read. */
export interface TraceView {
  readonly startNs: bigint
  /** Latest end minus earliest start. */
  readonly durationNs: bigint
  /** Parents before their children, siblings by start. */
  readonly spans: readonly ViewedSpan[]
  /** The earliest span without a parent; without such one, the earliest whose parent is not there. */
  readonly rootSpan: StoredSpan | null
  readonly errorSpanCount: number
  /** A span names a parent that is not there, or there is no root. */
  readonly hasMissingSpans: boolean
  readonly criticalPath: readonly ViewedSegment[]
  /** By number of spans, most first (ties by name). */
  readonly services: readonly ServiceShare[]
}

interface Laid {
  readonly node: TreeNode<StoredSpan>
  readonly selfTimeNs: bigint
  criticalNs: bigint
}

/** While it is added up. */
type Summed<T> = { -readonly [Name in keyof T]: T[Name] }

function endOf({ timestampNs, durationNs }: StoredSpan): bigint {
  return timestampNs + durationNs
}

function extent(spans: readonly StoredSpan[]): { readonly startNs: bigint; readonly endNs: bigint } {
  const [first] = spans
  if (!first) return { startNs: 0n, endNs: 0n }
  let startNs = first.timestampNs
  let endNs = endOf(first)
  for (const span of spans) {
    if (span.timestampNs < startNs) startNs = span.timestampNs
    if (endOf(span) > endNs) endNs = endOf(span)
  }
  return { startNs, endNs }
}

function byCount(a: ServiceShare, b: ServiceShare): number {
  if (a.spans !== b.spans) return b.spans - a.spans
  const [left, right] = [a.service ?? '', b.service ?? '']
  return left < right ? -1 : left > right ? 1 : 0
}

function shares(laid: readonly Laid[]): readonly ServiceShare[] {
  const services = new Map<string | null, Summed<ServiceShare>>()
  for (const { node, selfTimeNs, criticalNs } of laid) {
    const { service, status } = node.span
    const share = services.get(service) ?? { service, spans: 0, errors: 0, selfTimeNs: 0n, criticalNs: 0n }
    services.set(service, share)
    share.spans++
    if (status === 'error') share.errors++
    share.selfTimeNs += selfTimeNs
    share.criticalNs += criticalNs
  }
  return [...services.values()].sort(byCount)
}

/** Spans that are laid out in one step: some tenths of a millisecond. */
const SPANS_PER_STEP = 250

/** Lays out the spans of one trace, in any order, each id once. Yields between steps of the work. */
export function* traceViewSteps(spans: readonly StoredSpan[]): Generator<void, TraceView> {
  const tree = yield* spanTreeSteps(spans)
  yield
  const times = yield* selfTimeSteps(tree)
  yield
  const laid: Laid[] = tree.nodes.map((node, at) => ({ node, selfTimeNs: times[at]!, criticalNs: 0n }))
  const path = yield* criticalPathSteps(tree)
  for (const { node, startNs, endNs } of path) laid[node]!.criticalNs += endNs - startNs
  yield
  const { startNs, endNs } = extent(spans)
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const tops = tree.roots.map(root => tree.nodes[root]!.span)
  const root = tops.find(({ parentSpanId }) => parentSpanId === null)
  yield
  const services = shares(laid)
  yield
  const errorSpanCount = spans.filter(({ status }) => status === 'error').length
  const hasMissingSpans = root === undefined || spans.some(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId))
  const viewed: ViewedSpan[] = []
  for (const { node, selfTimeNs } of laid) {
    if (viewed.length % SPANS_PER_STEP === 0) yield
    viewed.push({
      span: node.span,
      depth: node.depth,
      startOffsetNs: node.span.timestampNs - startNs,
      selfTimeNs,
      childCount: node.children.length,
      exceptions: exceptionsOf(node.span.events)
    })
  }
  return {
    startNs,
    durationNs: endNs - startNs,
    spans: viewed,
    rootSpan: root ?? tops[0] ?? null,
    errorSpanCount,
    hasMissingSpans,
    criticalPath: path.map(segment => ({
      spanId: tree.nodes[segment.node]!.span.spanId,
      startOffsetNs: segment.startNs - startNs,
      durationNs: segment.endNs - segment.startNs
    })),
    services
  }
}
