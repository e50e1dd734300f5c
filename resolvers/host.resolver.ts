import { Arg, Args, Ctx, FieldResolver, Float, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_SEARCH, COST_OF_HOST_SERIES } from '../schema/cost.js'
import { HostsArgs, HostSeriesArgs, ProcessesArgs } from '../schema/host.args.js'
import { ContainerType, HostAgentType, HostConnectionType, HostType, ListenerType, ProcessType } from '../schema/host.type.js'
import { HostLogStreamsArgs } from '../schema/log-stream.args.js'
import { LogStreamType } from '../schema/log-stream.type.js'
import { LogConnectionType } from '../schema/log.type.js'
import { MetricResultType } from '../schema/metric.type.js'
import { SafeInt, Timestamp } from '../schema/scalars.js'
import { ServiceLogsArgs } from '../schema/service.args.js'
import { ServiceType } from '../schema/service.type.js'
import { LabelType } from '../schema/shared.type.js'
import { boundedCount } from '../src/query/bounds.js'
import { MOST_PROCESSES } from '../src/query/hosts/host-figures.js'
import type { LogConditions } from '../src/query/conditions.js'
import type { HostsQuery } from '../src/query/hosts/host-result.js'
import type { Context } from './context.js'
import { HostSource, toHostAgent, toHostChart, toHostStats } from './host-source.js'
import { ListenerSource } from './listener-source.js'
import { LogStreamSource } from './log-stream-source.js'
import { LogCollector } from './log-collector.js'
import { toConnection } from './page.js'
import type { ServiceSource } from './service-source.js'
import { toLogConditions } from './to-log.js'
import { toBounds, toCountType } from './to-shared.js'

const SEARCH = { complexity: COST_OF_A_SEARCH }
const LINK = { nullable: true, complexity: COST_OF_A_LINK }
/** Fields that are read for all hosts of a page together, some at a time. */
const SHARED = { complexity: COST_OF_A_LINK * 5 }
const DEFAULT_PROCESSES = 10
/** Open and closed ones that the service keeps of a host. */
const MOST_LISTENERS = 2_000
/** Streams of which batches arrived within the retention of logs. */
const MOST_LOG_STREAMS = 1_000
const MS_PER_S = 1_000
const NS_PER_MS = 1_000_000n

function toQuery({ contains, states, first, after }: HostsArgs): HostsQuery {
  const query = { contains: contains ?? undefined, states: states ?? undefined }
  return { ...query, limit: first ?? undefined, after: after ?? undefined }
}

/** As a parameter, by which refusals name it; as a filter where the caller names other hosts. */
function ofHost(conditions: LogConditions, name: string): LogConditions {
  if (conditions.host === undefined || [conditions.host].flat().includes(name)) return { ...conditions, host: name }
  return { ...conditions, filters: [...(conditions.filters ?? []), { field: 'host', op: 'eq', value: name }] }
}

/** Fields of the GraphQL type `Host`. */
@Resolver(() => HostType)
export class HostResolver {
  @Query(() => [HostType], {
    nullable: true,
    ...SEARCH,
    description: 'Lists hosts by name: of agents, the logs and spans of the last 24 hours and the metrics of the last 30 days.'
  })
  async hosts(@Args(() => HostsArgs) args: HostsArgs, @Ctx() context: Context): Promise<HostSource[]> {
    const { hosts } = await context.use.hostReport.list(await context.namespace(), toQuery(args), context.signal)
    return hosts.map(host => new HostSource(host))
  }

  @Query(() => HostConnectionType, { nullable: true, ...SEARCH, description: 'As `hosts`, with cursor, count and completeness.' })
  async hostPage(@Args(() => HostsArgs) args: HostsArgs, @Ctx() context: Context): Promise<HostConnectionType> {
    const result = await context.use.hostReport.list(await context.namespace(), toQuery(args), context.signal)
    const page = { hasMore: result.hasMore, after: args.after }
    const sources = result.hosts.map(host => new HostSource(host))
    return { ...toConnection(sources, page, ({ name }) => name), total: toCountType(result.total), stats: toHostStats(result) }
  }

  @Query(() => HostType, {
    nullable: true,
    ...SEARCH,
    description:
      'Finds a host by name, or by the id of the machine; null when no agent of the last 30 days reports it and no telemetry names it.'
  })
  async host(
    @Arg('id', () => ID, { description: 'Value of `Host.id`, or of `HostAgent.hostId`.' }) id: string,
    @Ctx() context: Context
  ): Promise<HostSource | null> {
    const found = await context.hostLoaders.summaries.load(id)
    return found && new HostSource(found)
  }

  @FieldResolver(() => Timestamp, {
    ...LINK,
    description: 'Boot time that the agent reports, else from `system.uptime`; null without samples in the last 5 minutes.'
  })
  async bootTime(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<bigint | null> {
    const bootAtMs = (await hostLoaders.agents.load(name))?.machine.bootAtMs ?? null
    if (bootAtMs !== null) return BigInt(bootAtMs) * NS_PER_MS
    const seconds = await hostLoaders.figure('bootTime').load(name)
    return seconds === null ? null : BigInt(Math.round(seconds * MS_PER_S)) * NS_PER_MS
  }

  @FieldResolver(() => String, {
    ...LINK,
    description: 'What the agent reports; else resource attribute `os.description`, `os.name` or `os.type` of its latest record.'
  })
  async os(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<string | null> {
    return (await hostLoaders.agents.load(name))?.machine.os ?? (await hostLoaders.facts.load(name)).os
  }

  @FieldResolver(() => String, {
    ...LINK,
    description: 'What the agent reports; else resource attribute `host.arch` of its latest record.'
  })
  async arch(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<string | null> {
    return (await hostLoaders.agents.load(name))?.machine.arch ?? (await hostLoaders.facts.load(name)).arch
  }

  @FieldResolver(() => String, {
    ...LINK,
    description: 'What the agent reports; else resource attribute `os.kernel.release` or `os.version` of its latest record.'
  })
  async kernel(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<string | null> {
    return (await hostLoaders.agents.load(name))?.machine.kernel ?? (await hostLoaders.facts.load(name)).kernel
  }

  @FieldResolver(() => [LabelType], {
    complexity: COST_OF_A_LINK,
    description: 'Resource attributes of host, system and cloud of its latest record, at most 50.'
  })
  async labels(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<readonly LabelType[]> {
    return (await hostLoaders.facts.load(name)).labels
  }

  @FieldResolver(() => Int, {
    ...LINK,
    description: 'Logical CPUs, from samples of the last 5 minutes; else what the agent reports.'
  })
  async cpuCount(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<number | null> {
    const count = await hostLoaders.figure('cpuCount').load(name)
    return count === null ? ((await hostLoaders.agents.load(name))?.machine.cpuCount ?? null) : Math.round(count)
  }

  @FieldResolver(() => SafeInt, {
    ...LINK,
    description: 'Memory of the host, from samples of the last 5 minutes; else what the agent reports.'
  })
  async memoryBytes(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<number | null> {
    const bytes = await hostLoaders.figure('memoryBytes').load(name)
    return bytes === null ? ((await hostLoaders.agents.load(name))?.machine.memoryBytes ?? null) : Math.round(bytes)
  }

  @FieldResolver(() => Float, { ...LINK, description: 'CPU time in use, 0 to 100; null without samples in the last 5 minutes.' })
  async cpuPercent(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<number | null> {
    return hostLoaders.figure('cpuPercent').load(name)
  }

  @FieldResolver(() => Float, { ...LINK, description: 'Memory in use, 0 to 100; null without samples in the last 5 minutes.' })
  async memoryPercent(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<number | null> {
    return hostLoaders.figure('memoryPercent').load(name)
  }

  @FieldResolver(() => Float, {
    ...LINK,
    description: 'Fullest file system, 0 to 100; null without samples in the last 5 minutes.'
  })
  async diskPercent(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<number | null> {
    return hostLoaders.figure('diskPercent').load(name)
  }

  @FieldResolver(() => MetricResultType, {
    complexity: COST_OF_HOST_SERIES,
    description: '`cpu`, `memory` and `disk` in percent, `network` in bytes per second and direction; by `ref`.'
  })
  async series(
    @Root() { name }: HostSource,
    @Args(() => HostSeriesArgs) { range, buckets }: HostSeriesArgs,
    @Ctx() context: Context
  ): Promise<MetricResultType> {
    const query = { ...toBounds(range), buckets: buckets ?? undefined }
    return toHostChart(await context.use.hostCharts.draw(await context.namespace(), name, query, context.signal))
  }

  @FieldResolver(() => [ServiceType], {
    ...SHARED,
    description: 'Services whose spans of the last 24 hours came from the host, most spans first.'
  })
  async services(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<readonly ServiceSource[]> {
    return hostLoaders.services.load(name)
  }

  @FieldResolver(() => LogConnectionType, { ...SEARCH, description: 'Log records of the host, latest first.' })
  async logs(
    @Root() { name }: HostSource,
    @Args(() => ServiceLogsArgs) { range, filter, first, after }: ServiceLogsArgs,
    @Ctx() context: Context
  ): Promise<LogCollector> {
    const query = {
      ...toBounds(range),
      conditions: ofHost(toLogConditions(filter), name),
      ...{ limit: first ?? undefined, cursor: after ?? undefined }
    }
    return new LogCollector(context, await context.namespace(), query)
  }

  @FieldResolver(() => HostAgentType, { ...LINK, description: 'Agent on the host; null when telemetry alone names it.' })
  async agent(@Root() { name }: HostSource, @Ctx() { hostLoaders }: Context): Promise<HostAgentType | null> {
    const report = await hostLoaders.agents.load(name)
    return report && toHostAgent(report)
  }

  @FieldResolver(() => [ContainerType], {
    ...SHARED,
    description: 'Containers that the agent of the host reports, or that have samples, most CPU time first; at most 500.'
  })
  async containers(@Root() { name: host }: HostSource, @Ctx() { hostLoaders }: Context): Promise<ContainerType[]> {
    return (await hostLoaders.containers.load(host)).map(container => ({
      ...container,
      id: `${host}/${container.name}`,
      memoryBytes: container.memoryBytes === null ? null : Math.round(container.memoryBytes)
    }))
  }

  @FieldResolver(() => [ProcessType], {
    ...SHARED,
    description: 'Processes by name and user, from samples of the last 5 minutes.'
  })
  async processes(
    @Root() { name: host }: HostSource,
    @Args(() => ProcessesArgs) { by, limit }: ProcessesArgs,
    @Ctx() { hostLoaders }: Context
  ): Promise<ProcessType[]> {
    const most = boundedCount(limit, 'limit', { least: 0, most: MOST_PROCESSES, otherwise: DEFAULT_PROCESSES })
    const key = by === 'memory' ? 'memoryBytes' : 'cpuPercent'
    const processes = (await hostLoaders.processes.load(host)).toSorted(
      (a, b) => (b[key] ?? -1) - (a[key] ?? -1) || (a.name < b.name ? -1 : 1)
    )
    return processes.slice(0, most).map(process => ({
      ...process,
      memoryBytes: process.memoryBytes === null ? null : Math.round(process.memoryBytes)
    }))
  }

  @FieldResolver(() => [ListenerType], {
    ...SEARCH,
    description: 'Listening sockets that the agent of the host found, open and closed; empty without an agent.'
  })
  async listeners(@Root() { name: host }: HostSource, @Ctx() context: Context): Promise<ListenerSource[]> {
    const { listeners } = await context.use.listenerReport.list(await context.namespace(), { host, limit: MOST_LISTENERS })
    return listeners.map(listener => new ListenerSource(listener))
  }

  @FieldResolver(() => [LogStreamType], {
    ...SEARCH,
    description: 'Log streams whose records have this host, by id; at most 1,000. `Query.logStreams` has all, by page.'
  })
  async logStreams(
    @Root() { name: host }: HostSource,
    @Args(() => HostLogStreamsArgs) { incomplete }: HostLogStreamsArgs,
    @Ctx() context: Context
  ): Promise<LogStreamSource[]> {
    const query = { host, incomplete: incomplete ?? undefined, limit: MOST_LOG_STREAMS }
    const { streams } = await context.use.streamReport.list(await context.namespace(), query)
    return streams.map(stream => new LogStreamSource(stream))
  }
}
