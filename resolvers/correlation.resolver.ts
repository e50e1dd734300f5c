import { GatewayError } from '../src/domain/errors.js'
import { canonicalTraceId, idSpellings, isShortTraceId, linkedTraceIdsOf } from '../src/domain/trace-ids.js'
import { boundedCount } from '../src/query/bounds.js'
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import {
  CorrelatedLogsArgs,
  CorrelatedSeriesArgs,
  CorrelatedTracesArgs,
  FirstArgs,
  CorrelateInput
} from '../schema/correlation.args.js'
import { CorrelatedSeriesType, CorrelationType } from '../schema/correlation.type.js'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { ExceptionGroupType } from '../schema/exception.type.js'
import { LogConnectionType } from '../schema/log.type.js'
import { RumEventType } from '../schema/rum.type.js'
import { TraceConnectionType } from '../schema/trace.type.js'
import type { Context } from './context.js'
import { CorrelationSource } from './correlation-source.js'
import { type ExceptionSource, exceptionGroups } from './exception-source.js'
import { LogCollector } from './log-collector.js'
import { toLogConditions } from './to-log.js'
import { toRumEvent } from './to-rum.js'
import { toBounds } from './to-shared.js'
import { withSharedLogs } from './trace-logs.js'
import { TraceCollector } from './trace-collector.js'

const SEARCH = { complexity: COST_OF_A_SEARCH }
const MS_PER_S = 1_000
/** Series that are ranked for `metrics`. */
const TOP = 100
const DEFAULT_SERIES = 12

/** The id of the stored trace that a log of 64 bits means; else the id as it is. Throws when several traces may be meant. */
async function wholeTraceId(traceId: string, context: Context): Promise<string> {
  const canonical = canonicalTraceId(traceId)
  if (canonical === null || !isShortTraceId(canonical)) return traceId
  const { summary } = await context.traceLoaders.links.load(traceId)
  return summary?.traceId ?? traceId
}

/** Fields of the GraphQL type `Correlation`. */
@Resolver(() => CorrelationType)
export class CorrelationResolver {
  @Query(() => CorrelationType, {
    nullable: true,
    ...SEARCH,
    description: 'Finds logs, traces, metrics, exceptions and page views related to a starting point.'
  })
  async correlate(
    @Arg('input', () => CorrelateInput, { description: 'Starting point and length of the window.' }) input: CorrelateInput,
    @Ctx() context: Context
  ): Promise<CorrelationSource> {
    const { logId, traceId, spanId, service, host, at, query, range, window } = input
    if (spanId != null && traceId == null)
      throw new GatewayError('invalid_field', 'a span is one of a trace: name that too', { field: 'spanId' })
    const anchor = {
      ...{ logId: logId ?? undefined, traceId: traceId ?? undefined, service: service ?? undefined, host: host ?? undefined },
      ...{ at: at ?? undefined, query: query ?? undefined, ...(range ? toBounds(range) : {}) }
    }
    const windowS = window == null ? undefined : Math.round(window / MS_PER_S)
    const requested = { anchor, windowS, top: TOP }
    const result = await context.use.metricCorrelation.correlate(await context.namespace(), requested, context.signal)
    return new CorrelationSource(result, spanId ?? null)
  }

  @FieldResolver(() => LogConnectionType, {
    ...SEARCH,
    nullable: true,
    description: 'Log records of the trace, else of the service or host in the window; null without a link.'
  })
  async logs(
    @Root() found: CorrelationSource,
    @Args(() => CorrelatedLogsArgs) { first, after, levels }: CorrelatedLogsArgs,
    @Ctx() context: Context
  ): Promise<LogCollector | null> {
    const { traceId, spanId, origin, bounds } = found
    if (traceId === null && origin === null) return null
    const namespace = await context.namespace()
    const selected = toLogConditions({ levels: levels ?? null })
    const wholeId = traceId === null ? null : await wholeTraceId(traceId, context)
    const ofTrace = wholeId !== null && {
      traceId: linkedTraceIdsOf(wholeId),
      ...(spanId !== null && { spanId: idSpellings(spanId) })
    }
    const which = ofTrace
      ? { conditions: { ...selected, ...ofTrace }, wholeRetention: true }
      : { ...bounds, conditions: { ...selected, ...origin! } }
    const query = { ...which, limit: first ?? undefined, cursor: after ?? undefined }
    const canonical = wholeId === null ? null : canonicalTraceId(wholeId)
    return new LogCollector(context, namespace, query, async search =>
      canonical === null ? search : withSharedLogs(search, canonical, context)
    )
  }

  @FieldResolver(() => TraceConnectionType, {
    ...SEARCH,
    nullable: true,
    description: 'The trace itself, else traces of the service in the window; null when only a host is known.'
  })
  async traces(
    @Root() found: CorrelationSource,
    @Args(() => CorrelatedTracesArgs) { first, statuses }: CorrelatedTracesArgs,
    @Ctx() context: Context
  ): Promise<TraceCollector | null> {
    const { traceId, origin, bounds } = found
    const service = origin?.service
    if (traceId === null && service === undefined) return null
    const namespace = await context.namespace()
    const which =
      traceId === null
        ? { service }
        : { filters: [{ field: 'trace_id', op: 'eq' as const, value: await wholeTraceId(traceId, context) }] }
    const conditions = { ...which, status: statuses ?? undefined }
    const query = { ...bounds, conditions, limit: first ?? undefined }
    return new TraceCollector(async parts => context.use.traceSearch.search(namespace, { ...query, ...parts }, context.signal))
  }

  @FieldResolver(() => [CorrelatedSeriesType], { description: 'Series with a significant change, lowest p-value first.' })
  metrics(
    @Root() { series }: CorrelationSource,
    @Args(() => CorrelatedSeriesArgs) { limit }: CorrelatedSeriesArgs
  ): readonly CorrelatedSeriesType[] {
    return series.slice(0, boundedCount(limit ?? undefined, 'limit', { least: 0, most: TOP, otherwise: DEFAULT_SERIES }))
  }

  @FieldResolver(() => [ExceptionGroupType], {
    ...SEARCH,
    description: 'Error groups of the trace, else of the service in the window.'
  })
  async exceptions(
    @Root() found: CorrelationSource,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() context: Context
  ): Promise<ExceptionSource[]> {
    const { traceId, origin, bounds } = found
    const service = origin?.service
    if (traceId === null && service === undefined) return []
    const conditions = traceId === null ? { service } : { traceId: linkedTraceIdsOf(await wholeTraceId(traceId, context)) }
    return exceptionGroups(await context.namespace(), bounds, { conditions, limit: first ?? undefined }, context)
  }

  @FieldResolver(() => [RumEventType], { ...SEARCH, description: 'Page views with the trace id.' })
  async rum(
    @Root() { traceId, bounds }: CorrelationSource,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() context: Context
  ): Promise<RumEventType[]> {
    if (traceId === null) return []
    const value = linkedTraceIdsOf(await wholeTraceId(traceId, context))
    const conditions = { filters: [{ field: 'trace_id', op: 'in' as const, value }] }
    const query = { ...bounds, conditions, limit: first ?? undefined }
    return (await context.use.rumReport.list(await context.namespace(), query, context.signal)).rows.map(toRumEvent)
  }
}
