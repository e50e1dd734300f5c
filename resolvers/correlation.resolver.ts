import { traceIdSpellings } from '../src/domain/trace-ids.js'
import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { FirstArgs } from '../schema/correlation.args.js'
import { CorrelateInput } from '../schema/correlation.input.js'
import { CorrelationType } from '../schema/correlation.type.js'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { ExceptionGroupType } from '../schema/exception.type.js'
import { LogConnectionType } from '../schema/log.type.js'
import { RumEventType } from '../schema/rum.type.js'
import { TraceConnectionType } from '../schema/trace.type.js'
import type { Context } from './context.js'
import { CorrelationSource } from './correlation-source.js'
import { type ExceptionSource, exceptionGroups } from './exception-source.js'
import { LogCollector } from './log-collector.js'
import { toRumEvent } from './to-rum.js'
import { toBounds } from './to-shared.js'
import { TraceCollector } from './trace-collector.js'

const SEARCH = { complexity: COST_OF_A_SEARCH }
const MS_PER_S = 1_000
/** Series of one answer. */
const TOP = 12

@Resolver(() => CorrelationType)
export class CorrelationResolver {
  @Query(() => CorrelationType, { nullable: true, ...SEARCH })
  async correlate(
    @Arg('input', () => CorrelateInput) input: CorrelateInput,
    @Ctx() context: Context
  ): Promise<CorrelationSource> {
    const { logId, traceId, service, host, at, query, range, window } = input
    const anchor = {
      ...{ logId: logId ?? undefined, traceId: traceId ?? undefined, service: service ?? undefined, host: host ?? undefined },
      ...{ at: at ?? undefined, query: query ?? undefined, ...(range ? toBounds(range) : {}) }
    }
    const windowS = window == null ? undefined : Math.round(window / MS_PER_S)
    const asked = { anchor, windowS, top: TOP }
    return new CorrelationSource(await context.use.metricCorrelation.correlate(await context.namespace(), asked, context.signal))
  }

  @FieldResolver(() => LogConnectionType, {
    ...SEARCH,
    nullable: true,
    description: 'Of the trace, else of the service or host in the window.'
  })
  async logs(
    @Root() found: CorrelationSource,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() context: Context
  ): Promise<LogCollector | null> {
    const { traceId, origin, bounds } = found
    if (traceId === null && origin === null) return null
    const namespace = await context.namespace()
    const which =
      traceId === null
        ? { ...bounds, conditions: origin! }
        : { conditions: { traceId: traceIdSpellings(traceId) }, wholeRetention: true }
    const query = { ...which, limit: first ?? undefined }
    return new LogCollector(async parts => context.use.logSearch.search(namespace, { ...query, ...parts }, context.signal))
  }

  @FieldResolver(() => TraceConnectionType, {
    ...SEARCH,
    nullable: true,
    description: 'The trace itself, else traces of the service in the window; null where only a host is known.'
  })
  async traces(
    @Root() found: CorrelationSource,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() context: Context
  ): Promise<TraceCollector | null> {
    const { traceId, origin, bounds } = found
    const service = origin?.service
    if (traceId === null && service === undefined) return null
    const namespace = await context.namespace()
    const ofTrace = traceId === null ? [] : [{ field: 'trace_id', op: 'eq' as const, value: traceId }]
    const conditions = traceId === null ? { service } : { filters: ofTrace }
    const query = { ...bounds, conditions, limit: first ?? undefined }
    return new TraceCollector(async parts => context.use.traceSearch.search(namespace, { ...query, ...parts }, context.signal))
  }

  @FieldResolver(() => [ExceptionGroupType], SEARCH)
  async exceptions(
    @Root() found: CorrelationSource,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() context: Context
  ): Promise<ExceptionSource[]> {
    const { traceId, origin, bounds } = found
    const service = origin?.service
    if (traceId === null && service === undefined) return []
    const conditions = traceId === null ? { service } : { traceId }
    return exceptionGroups(await context.namespace(), bounds, { conditions, limit: first ?? undefined }, context)
  }

  @FieldResolver(() => [RumEventType], { ...SEARCH, description: 'Page views that name the trace.' })
  async rum(
    @Root() { traceId, bounds }: CorrelationSource,
    @Args(() => FirstArgs) { first }: FirstArgs,
    @Ctx() context: Context
  ): Promise<RumEventType[]> {
    if (traceId === null) return []
    const conditions = { filters: [{ field: 'trace_id', op: 'eq' as const, value: traceId }] }
    const query = { ...bounds, conditions, limit: first ?? undefined }
    return (await context.use.rumReport.list(await context.namespace(), query, context.signal)).rows.map(toRumEvent)
  }
}
