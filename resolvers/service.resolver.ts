import { Arg, Args, Ctx, FieldResolver, Float, ID, Query, Resolver, Root } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_SEARCH } from '../schema/cost.js'
import { ExceptionGroupType } from '../schema/exception.type.js'
import { HostType } from '../schema/host.type.js'
import { LogConnectionType } from '../schema/log.type.js'
import {
  ApdexArgs,
  OperationsArgs,
  OrderedOperationsArgs,
  RangeArgs,
  RedSeriesArgs,
  ServiceLogsArgs,
  ServiceMapArgs,
  ServicesArgs,
  ServiceTracesArgs
} from '../schema/service.args.js'
import {
  OperationType,
  RedChangeType,
  RedMetricsType,
  RedSeriesType,
  ReleaseType,
  ServiceListType,
  ServiceMapEdgeType,
  ServiceMapType,
  ServiceType
} from '../schema/service.type.js'
import type { TimeRangeInput } from '../schema/shared.input.js'
import { TraceConnectionType } from '../schema/trace.type.js'
import type { ServiceMapResult } from '../src/query/apm/service-map.js'
import type { FieldCondition } from '../src/query/conditions.js'
import type { Context } from './context.js'
import { type ExceptionSource, exceptionGroups } from './exception-source.js'
import { HostSource } from './host-source.js'
import { LogCollector } from './log-collector.js'
import {
  groupOfServices,
  LAST_DAY,
  PLAIN,
  RedSeriesSource,
  type ServiceGroup,
  ServiceSource,
  toMapEdge,
  toRed,
  toServiceMap
} from './service-source.js'
import { toLogConditions } from './to-log.js'
import { toBounds, toStats, toWindow } from './to-shared.js'
import { toTraceConditions } from './to-trace.js'
import { TraceCollector } from './trace-collector.js'

const SEARCH = { complexity: COST_OF_A_SEARCH }

async function groupOf({ namespace, use: { serviceReport }, signal }: Context, names: readonly string[]): Promise<ServiceGroup> {
  return groupOfServices(names, { ns: await namespace(), serviceReport, signal })
}

async function listOf({ range, contains, first, orderBy }: ServicesArgs, context: Context): Promise<ServiceListType> {
  const parts = { contains: contains ?? undefined, limit: first ?? undefined, order: orderBy ?? undefined }
  const query = { ...toBounds(range), ...PLAIN, ...parts }
  const result = await context.use.serviceReport.list(await context.namespace(), query, context.signal)
  const { services, total, window } = result
  const group = await groupOf(
    context,
    services.map(({ name }) => name)
  )
  const nodes = services.map(service => new ServiceSource(service, group))
  return { nodes, total, window: toWindow(window), stats: toStats(result, 'spans') }
}

async function around(service: ServiceSource, range: TimeRangeInput, context: Context): Promise<ServiceMapResult> {
  const query = { ...toBounds(range), service: service.name, depth: 1 }
  return context.use.serviceMap.map(await context.namespace(), query, context.signal)
}

/** In addition to the conditions on services in a filter. */
function isOf({ name }: ServiceSource): FieldCondition {
  return { field: 'service', op: 'eq', value: name }
}

/** Fields of the GraphQL type `Service`. */
@Resolver(() => ServiceType)
export class ServiceResolver {
  @Query(() => [ServiceType], {
    nullable: true,
    ...SEARCH,
    description: 'Lists services with a span in the window. `serviceList` reports whether these are all.'
  })
  async services(@Args(() => ServicesArgs) args: ServicesArgs, @Ctx() context: Context): Promise<readonly ServiceType[]> {
    return (await listOf(args, context)).nodes
  }

  @Query(() => ServiceListType, {
    nullable: true,
    ...SEARCH,
    description: 'Lists services as `services` does, with their number and the completeness of the result.'
  })
  async serviceList(@Args(() => ServicesArgs) args: ServicesArgs, @Ctx() context: Context): Promise<ServiceListType> {
    return listOf(args, context)
  }

  @Query(() => ServiceType, {
    nullable: true,
    ...SEARCH,
    description: 'Finds a service by name; null without a span in the last 24 hours.'
  })
  async service(
    @Arg('name', () => ID, { description: 'Resource attribute `service.name`.' }) name: string,
    @Ctx() context: Context
  ): Promise<ServiceSource | null> {
    const query = { ...LAST_DAY, ...PLAIN, operations: 0 }
    const result = await context.use.serviceReport.get(await context.namespace(), name, query, context.signal)
    return result && new ServiceSource(result.service, await groupOf(context, [name]))
  }

  @Query(() => ServiceMapType, {
    nullable: true,
    ...SEARCH,
    description: 'Reads which services call which services, databases and queues.'
  })
  async serviceMap(@Args(() => ServiceMapArgs) args: ServiceMapArgs, @Ctx() context: Context): Promise<ServiceMapType> {
    const query = { ...toBounds(args.range), service: args.service ?? undefined, depth: args.depth ?? undefined }
    return toServiceMap(await context.use.serviceMap.map(await context.namespace(), query, context.signal))
  }

  @FieldResolver(() => RedMetricsType, { description: 'Rate, errors and duration of its requests.' })
  async red(@Root() service: ServiceSource, @Args(() => RangeArgs) { range }: RangeArgs): Promise<RedMetricsType> {
    return toRed((await service.within({ ...toBounds(range), ...PLAIN })).service?.red)
  }

  @FieldResolver(() => RedSeriesType, { nullable: true, description: 'Requests and errors over time; null for 0 buckets.' })
  async redSeries(
    @Root() service: ServiceSource,
    @Args(() => RedSeriesArgs) { range, buckets }: RedSeriesArgs
  ): Promise<RedSeriesSource | null> {
    return RedSeriesSource.read(service, { ...toBounds(range), buckets: buckets ?? undefined, compare: false })
  }

  @FieldResolver(() => RedChangeType, {
    nullable: true,
    description: 'Change against the preceding window; null when the retention does not keep all of it.'
  })
  async change(@Root() service: ServiceSource, @Args(() => RangeArgs) { range }: RangeArgs): Promise<RedChangeType | null> {
    const change = (await service.within({ ...toBounds(range), buckets: 0 })).service?.change
    return change ? { requests: change.calls, errorRate: change.errorRate, p95: change.p95 } : null
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Application performance index, 0 to 1; errors count as frustrated. Null without requests.'
  })
  async apdex(@Root() service: ServiceSource, @Args(() => ApdexArgs) { range, thresholdMs }: ApdexArgs): Promise<number | null> {
    const parts = { ...toBounds(range), ...PLAIN, apdexMs: thresholdMs ?? undefined }
    return (await service.within(parts)).service?.apdex ?? null
  }

  @FieldResolver(() => [OperationType], { ...SEARCH, description: 'Operations of the service, most requests first by default.' })
  async operations(
    @Root() service: ServiceSource,
    @Args(() => OrderedOperationsArgs) { range, first, orderBy }: OrderedOperationsArgs,
    @Ctx() context: Context
  ): Promise<OperationType[]> {
    const query = { ...toBounds(range), ...PLAIN, operations: first ?? undefined, order: orderBy ?? undefined }
    const result = await context.use.serviceReport.get(await context.namespace(), service.name, query, context.signal)
    return (result?.operations ?? []).map(operation => ({ ...operation, red: toRed(operation.red) }))
  }

  @FieldResolver(() => [ExceptionGroupType], { ...SEARCH, description: 'Error groups of the service, most recently seen first.' })
  async exceptions(
    @Root() service: ServiceSource,
    @Args(() => OperationsArgs) { range, first }: OperationsArgs,
    @Ctx() context: Context
  ): Promise<ExceptionSource[]> {
    const query = { conditions: { service: service.name }, limit: first ?? undefined }
    return exceptionGroups(await context.namespace(), toBounds(range), query, context)
  }

  @FieldResolver(() => [ServiceMapEdgeType], { ...SEARCH, description: 'Calls to the service.' })
  async upstream(
    @Root() service: ServiceSource,
    @Args(() => RangeArgs) { range }: RangeArgs,
    @Ctx() context: Context
  ): Promise<ServiceMapEdgeType[]> {
    const { edges } = await around(service, range, context)
    return edges.filter(({ target }) => target === `service:${service.name}`).map(toMapEdge)
  }

  @FieldResolver(() => [ServiceMapEdgeType], { ...SEARCH, description: 'Calls that the service makes.' })
  async downstream(
    @Root() service: ServiceSource,
    @Args(() => RangeArgs) { range }: RangeArgs,
    @Ctx() context: Context
  ): Promise<ServiceMapEdgeType[]> {
    const { edges } = await around(service, range, context)
    return edges.filter(({ source }) => source === `service:${service.name}`).map(toMapEdge)
  }

  @FieldResolver(() => [ReleaseType], {
    complexity: 2 * COST_OF_A_SEARCH,
    description: 'Versions with spans in the window, earliest first; at most the 20 with the most spans.'
  })
  async releases(
    @Root() service: ServiceSource,
    @Args(() => RangeArgs) { range }: RangeArgs,
    @Ctx() context: Context
  ): Promise<ReleaseType[]> {
    const { serviceReleases } = context.use
    const found = await serviceReleases.releases(await context.namespace(), service.name, toBounds(range), context.signal)
    return found.map(({ version, firstSeenNs, lastSeenNs }) => ({ version, firstSeen: firstSeenNs, lastSeen: lastSeenNs }))
  }

  @FieldResolver(() => [HostType], {
    ...SEARCH,
    description: 'Hosts of its spans in the window, most spans first; at most 20.'
  })
  async hosts(
    @Root() service: ServiceSource,
    @Args(() => RangeArgs) { range }: RangeArgs,
    @Ctx() context: Context
  ): Promise<HostSource[]> {
    const names = await context.use.serviceReleases.hosts(
      await context.namespace(),
      service.name,
      toBounds(range),
      context.signal
    )
    const hosts = await Promise.all(names.map(name => context.hostLoaders.summaries.load(name)))
    return hosts.flatMap(host => (host === null ? [] : [new HostSource(host)]))
  }

  @FieldResolver(() => TraceConnectionType, { ...SEARCH, description: 'Traces with a span of the service.' })
  async traces(
    @Root() service: ServiceSource,
    @Args(() => ServiceTracesArgs) { range, filter, first, after }: ServiceTracesArgs,
    @Ctx() context: Context
  ): Promise<TraceCollector> {
    const namespace = await context.namespace()
    const conditions = toTraceConditions(filter)
    const query = {
      ...toBounds(range),
      conditions: { ...conditions, filters: [...(conditions.filters ?? []), isOf(service)] },
      ...{ limit: first ?? undefined, cursor: after ?? undefined }
    }
    return new TraceCollector(async parts => context.use.traceSearch.search(namespace, { ...query, ...parts }, context.signal))
  }

  @FieldResolver(() => LogConnectionType, { ...SEARCH, description: 'Log records of the service, latest first.' })
  async logs(
    @Root() service: ServiceSource,
    @Args(() => ServiceLogsArgs) { range, filter, first, after }: ServiceLogsArgs,
    @Ctx() context: Context
  ): Promise<LogCollector> {
    const namespace = await context.namespace()
    const conditions = toLogConditions(filter)
    const query = {
      ...toBounds(range),
      conditions: { ...conditions, filters: [...(conditions.filters ?? []), isOf(service)] },
      ...{ limit: first ?? undefined, cursor: after ?? undefined }
    }
    return new LogCollector(context, namespace, query)
  }
}

const LATENCY = 'in milliseconds, within 5 % (10 % over 300 buckets) between 0.13 ms and 1,100 s; null without requests.'

/** Fields of the GraphQL type `RedSeries`. */
@Resolver(() => RedSeriesType)
export class RedSeriesResolver {
  @FieldResolver(() => [Float], {
    nullable: 'items',
    complexity: COST_OF_A_LINK,
    description: `Median duration per bucket ${LATENCY}`
  })
  async p50Ms(@Root() series: RedSeriesSource): Promise<readonly (number | null)[]> {
    return (await series.latency()).p50Ms
  }

  @FieldResolver(() => [Float], {
    nullable: 'items',
    complexity: COST_OF_A_LINK,
    description: `95th percentile per bucket ${LATENCY}`
  })
  async p95Ms(@Root() series: RedSeriesSource): Promise<readonly (number | null)[]> {
    return (await series.latency()).p95Ms
  }

  @FieldResolver(() => [Float], {
    nullable: 'items',
    complexity: COST_OF_A_LINK,
    description: `99th percentile per bucket ${LATENCY}`
  })
  async p99Ms(@Root() series: RedSeriesSource): Promise<readonly (number | null)[]> {
    return (await series.latency()).p99Ms
  }
}
