import { Args, Ctx, FieldResolver, Float, Int, Resolver, Root } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_LINKED_SPAN, COST_OF_A_SEARCH } from '../schema/cost.js'
import { LogConnectionType, LogRecordType } from '../schema/log.type.js'
import { SafeInt } from '../schema/scalars.js'
import { SpanLogsArgs } from '../schema/trace.args.js'
import { SpanType, TraceType } from '../schema/trace.type.js'
import type { Context } from './context.js'
import type { LogCollector } from './log-collector.js'
import type { LogSource } from './to-log.js'
import { toMs } from './to-trace.js'
import { logsOf } from './trace-logs.js'
import { linkedTrace, SpanSource, TraceSource } from './trace-source.js'

/** The fields of a span that require the whole trace. */
@Resolver(() => SpanType)
export class SpanResolver {
  @FieldResolver(() => Float, { description: 'Milliseconds from the start of the trace.' })
  async startOffsetMs(@Root() { span, trace }: SpanSource): Promise<number> {
    return toMs(span.timestampNs - (await trace.facts()).startNs)
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'Milliseconds in which the span ran and none of its children did; null when the span was not read with its trace.'
  })
  async selfTimeMs(@Root() { span, trace }: SpanSource): Promise<number | null> {
    const place = await trace.placeOf(span)
    return place ? toMs(place.selfTimeNs) : null
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Distance from the root span, 0 for a root; null when the span was not read with its trace.'
  })
  async depth(@Root() { span, trace }: SpanSource): Promise<number | null> {
    return (await trace.placeOf(span))?.depth ?? null
  }

  @FieldResolver(() => SafeInt, { description: 'Log records of the trace with this span id.' })
  async logCount(@Root() { span, trace }: SpanSource): Promise<number> {
    return (await trace.logCounts()).bySpan.get(span.spanId) ?? 0
  }

  @FieldResolver(() => LogConnectionType, {
    complexity: COST_OF_A_SEARCH,
    description: 'Log records of the trace with this span id, oldest first.'
  })
  async logs(
    @Root() { span, trace }: SpanSource,
    @Args(() => SpanLogsArgs) args: SpanLogsArgs,
    @Ctx() context: Context
  ): Promise<LogCollector> {
    return logsOf(trace, span.spanId, args, context)
  }
}

/** From a log to the trace and the span that it names, by one store request for a whole page of logs. */
@Resolver(() => LogRecordType)
export class LogLinkResolver {
  @FieldResolver(() => TraceType, {
    nullable: true,
    complexity: COST_OF_A_LINK,
    description: 'Trace of the record; null when no span of it is stored.'
  })
  async trace(@Root() { record }: LogSource, @Ctx() context: Context): Promise<TraceSource | null> {
    return record.traceId === null ? null : linkedTrace(record.traceId, context)
  }

  @FieldResolver(() => SpanType, {
    nullable: true,
    complexity: COST_OF_A_LINKED_SPAN,
    description: 'Span that emitted the record; null when it is not stored.'
  })
  async span(@Root() { record }: LogSource, @Ctx() context: Context): Promise<SpanSource | null> {
    const { traceId, spanId } = record
    if (traceId === null || spanId === null) return null
    const span = await context.traceLoaders.spans.load({ traceId, spanId })
    return span && new SpanSource(span, new TraceSource(context, span.traceId))
  }
}
