import { Args, Ctx, FieldResolver, Float, Int, Resolver, Root } from 'type-graphql'
import { COST_OF_A_SEARCH, COST_OF_AN_OUTLINE } from '../schema/cost.js'
import { LogConnectionType } from '../schema/log.type.js'
import { SafeInt, Timestamp } from '../schema/scalars.js'
import { ServiceMapType } from '../schema/service.type.js'
import { SpansArgs, TraceLogsArgs } from '../schema/trace.args.js'
import { CriticalPathSegmentType, ServiceShareType, SpanType, TraceOutlineType, TraceType } from '../schema/trace.type.js'
import type { Context } from './context.js'
import type { LogCollector } from './log-collector.js'
import { logsOf } from './trace-logs.js'
import { toServiceMap } from './service-source.js'
import { toMs, toServiceCount } from './to-trace.js'
import { type OutlineSource, SpanSource, type TraceSource } from './trace-source.js'

/** The spans of one trace are read once, whatever is selected of it. */
const READS_SPANS = { complexity: COST_OF_A_SEARCH }

/** Fields of the GraphQL type `Trace`. */
@Resolver(() => TraceType)
export class TraceResolver {
  @FieldResolver(() => Timestamp, { description: 'Earliest start of its spans.' })
  async startTime(@Root() trace: TraceSource): Promise<bigint> {
    return (await trace.facts()).startNs
  }

  @FieldResolver(() => Float, { description: 'Milliseconds from the earliest start to the latest end.' })
  async durationMs(@Root() trace: TraceSource): Promise<number> {
    return toMs((await trace.facts()).durationNs)
  }

  @FieldResolver(() => [SpanType], {
    ...READS_SPANS,
    description: 'Spans in tree order: parents before children, siblings by start.'
  })
  async spans(
    @Root() trace: TraceSource,
    @Args(() => SpansArgs) args: SpansArgs,
    @Ctx() context: Context
  ): Promise<SpanSource[]> {
    const shown = context.use.traceReading.shown(await trace.read(), args.limit)
    return shown.map(({ span }) => new SpanSource(span, trace))
  }

  @FieldResolver(() => TraceOutlineType, {
    complexity: COST_OF_AN_OUTLINE,
    description: 'All spans that were read, as parallel lists: what a waterfall needs. `span` has the rest of one.'
  })
  async outline(@Root() trace: TraceSource): Promise<OutlineSource> {
    return trace.outline()
  }

  @FieldResolver(() => Int, { description: 'Number of spans.' })
  async spanCount(@Root() trace: TraceSource): Promise<number> {
    return (await trace.facts()).spanCount
  }

  @FieldResolver(() => Int, { description: 'Number of spans with status ERROR.' })
  async errorCount(@Root() trace: TraceSource): Promise<number> {
    return (await trace.facts()).errorSpanCount
  }

  @FieldResolver(() => Boolean, {
    ...READS_SPANS,
    description: 'True when more spans are stored than were read, or spans of that time are lost.'
  })
  async truncated(@Root() trace: TraceSource): Promise<boolean> {
    return (await trace.read()).isTruncated
  }

  @FieldResolver(() => Boolean, { description: 'True when a parent span is not stored, or the trace has no root span.' })
  async hasMissingSpans(@Root() trace: TraceSource): Promise<boolean> {
    return (await trace.facts()).hasMissingSpans
  }

  @FieldResolver(() => SpanType, {
    ...READS_SPANS,
    nullable: true,
    description: 'Earliest span without a parent, or earliest span whose parent is not stored.'
  })
  async rootSpan(@Root() trace: TraceSource): Promise<SpanSource | null> {
    const { rootSpan } = (await trace.read()).view
    return rootSpan && new SpanSource(rootSpan, trace)
  }

  @FieldResolver(() => [ServiceShareType], { ...READS_SPANS, description: 'Services of the trace, most spans first.' })
  async services(@Root() trace: TraceSource): Promise<ServiceShareType[]> {
    const { services } = (await trace.read()).view
    return services.map(share => ({
      ...toServiceCount(share),
      selfTimeMs: toMs(share.selfTimeNs),
      criticalMs: toMs(share.criticalNs)
    }))
  }

  @FieldResolver(() => [CriticalPathSegmentType], {
    ...READS_SPANS,
    description: 'Consecutive sections that determine the duration of the longest root span.'
  })
  async criticalPath(@Root() trace: TraceSource): Promise<CriticalPathSegmentType[]> {
    const { criticalPath } = (await trace.read()).view
    return criticalPath.map(({ spanId, startOffsetNs, durationNs }) => ({
      spanId,
      startOffsetMs: toMs(startOffsetNs),
      durationMs: toMs(durationNs)
    }))
  }

  @FieldResolver(() => SafeInt, {
    ...READS_SPANS,
    description: 'Log records with this trace id or its last 16 digits, from 1 h before the trace to 1 h after it.'
  })
  async logCount(@Root() trace: TraceSource): Promise<number> {
    return (await trace.logCounts()).total
  }

  @FieldResolver(() => SafeInt, { ...READS_SPANS, description: 'Log records of the trace without a span id.' })
  async unlinkedLogCount(@Root() trace: TraceSource): Promise<number> {
    return (await trace.logCounts()).unlinked
  }

  @FieldResolver(() => LogConnectionType, {
    complexity: COST_OF_A_SEARCH,
    description: 'Log records counted in `logCount`, oldest first.'
  })
  async logs(
    @Root() trace: TraceSource,
    @Args(() => TraceLogsArgs) args: TraceLogsArgs,
    @Ctx() context: Context
  ): Promise<LogCollector> {
    return logsOf(trace, undefined, args, context)
  }

  @FieldResolver(() => ServiceMapType, { ...READS_SPANS, description: 'Calls between the services of this trace.' })
  async serviceMap(@Root() trace: TraceSource, @Ctx() { use, signal }: Context): Promise<ServiceMapType> {
    const read = await trace.read()
    const { view, isTruncated } = read
    const warnings = isTruncated ? ['more spans of this trace exist than were read'] : []
    const window = { startNs: view.startNs, endNs: view.startNs + view.durationNs }
    const map = await use.traceReading.serviceMap(read, signal)
    return toServiceMap({ ...map, window, complete: !isTruncated, warnings, tookMs: 0 })
  }
}

/** Fields of the GraphQL type `TraceOutline`. */
@Resolver(() => TraceOutlineType)
export class TraceOutlineResolver {
  @FieldResolver(() => [SafeInt], {
    complexity: COST_OF_A_SEARCH,
    description: 'Log records of the trace with the id of the span.'
  })
  async logCounts(@Root() { spanIds, trace }: OutlineSource): Promise<readonly number[]> {
    const { bySpan } = await trace.logCounts()
    return spanIds.map(spanId => bySpan.get(spanId) ?? 0)
  }
}
