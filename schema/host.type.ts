import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { HostState, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'
import { CountType, PageInfoType, QueryStatsType } from './shared.type.js'

@ObjectType('AgentSource', { description: 'A file or stream that an agent reads.' })
export class AgentSourceType {
  @Field(() => String, { description: 'Path of the file, or name of the stream.' }) path!: string
  @Field(() => String, { description: 'State that the agent reports.' }) state!: string
  @Field(() => SafeInt, { nullable: true, description: 'Bytes that are not sent yet; null when unknown.' })
  lagBytes!: number | null
}

@ObjectType('HostAgent', { description: 'The agent on a host.' })
export class HostAgentType {
  @Field(() => ID, { description: 'Id of the machine, by which the agent reports.' }) hostId!: string
  @Field(() => [String], { description: 'Names of other hosts that report the same id now: cloned machines.' })
  idSharedBy!: readonly string[]
  @Field(() => String, { description: 'Release that the agent reports, as `1.4.2`.' }) version!: string
  @Field(() => Timestamp, { nullable: true, description: 'Start of the agent.' }) startedAt!: bigint | null
  @Field(() => Timestamp, { description: 'Arrival of its latest report.' }) lastReportAt!: bigint
  @Field(() => String, { nullable: true, description: 'Hash of its configuration.' }) configHash!: string | null
  @Field(() => Float, { description: 'Seconds between two reports.' }) intervalSeconds!: number
  @Field(() => [AgentSourceType], { description: 'What the agent reads.' }) sources!: readonly AgentSourceType[]
}

@ObjectType('Host', { description: 'A host that an agent reports, or that logs, spans or metric series name.' })
export class HostType {
  @Field(() => ID, { description: 'The name.' }) id!: string
  @Field(() => String, {
    description: 'Name that the agent reports, resource attribute `host.name`, or field or label `host`; case-sensitive.'
  })
  name!: string
  @Field(() => HostState, {
    description: 'Age class of the latest report of its agent; without one, of its latest log, span or sample.'
  })
  state!: ValueOf<typeof HostState>
  @Field(() => Timestamp, {
    description: 'Time of its latest report, log or span of the last 24 hours, or sample of the last 30 days.'
  })
  lastSeen!: bigint
}

@ObjectType('HostEdge', { description: 'A host with its cursor.' })
export class HostEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => HostType, { description: 'Host at this position.' }) node!: HostType
}

@ObjectType('HostConnection', { description: 'Hosts by name.' })
export class HostConnectionType {
  @Field(() => [HostEdgeType], { description: PAGE.edges }) edges!: readonly HostEdgeType[]
  @Field(() => [HostType], { description: PAGE.nodes }) nodes!: readonly HostType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
  @Field(() => CountType, {
    description: 'Number of hosts; a lower bound with more than 5,000 in metrics, or 1,000 in logs or in spans.'
  })
  total!: CountType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('Container', { description: 'A container of a host: that its agent reports, or with samples of the last 5 minutes.' })
export class ContainerType {
  @Field(() => ID, { description: 'Host and name.' }) id!: string
  @Field(() => String, {
    description: 'Name that the agent reports; label `container`; over OTLP `container.name` or `k8s.container.name`.'
  })
  name!: string
  @Field(() => String, { nullable: true, description: 'Label `image`; over OTLP `container.image.name`.' }) image!: string | null
  @Field(() => String, { nullable: true, description: 'First digits of the id that the agent reports.' })
  containerId!: string | null
  @Field(() => String, { nullable: true, description: 'What runs it, as `docker`, by the agent.' }) runtime!: string | null
  @Field(() => String, { nullable: true, description: 'Service that it runs, by the agent.' }) service!: string | null
  @Field(() => String, { nullable: true, description: 'State by the agent, as `running`; null without its report.' })
  state!: string | null
  @Field(() => Float, { nullable: true, description: 'CPU time in percent of one CPU.' }) cpuPercent!: number | null
  @Field(() => SafeInt, { nullable: true, description: 'Memory in use.' }) memoryBytes!: number | null
  @Field(() => Float, { nullable: true, description: 'Memory in percent of its limit.' }) memoryPercent!: number | null
  @Field(() => Float, { nullable: true, description: 'Received bytes per second.' }) rxBytesPerSecond!: number | null
  @Field(() => Float, { nullable: true, description: 'Sent bytes per second.' }) txBytesPerSecond!: number | null
}

@ObjectType('Process', { description: 'All processes of one name and user on a host; `other` is the rest of them.' })
export class ProcessType {
  @Field(() => String, { description: 'Label `process`.' }) name!: string
  @Field(() => String, { nullable: true, description: 'Label `user`.' }) user!: string | null
  @Field(() => Float, { nullable: true, description: 'CPU time in percent of one CPU.' }) cpuPercent!: number | null
  @Field(() => SafeInt, { nullable: true, description: 'Resident memory.' }) memoryBytes!: number | null
}

@ObjectType('Listener', { description: 'A listening socket that an agent found.' })
export class ListenerType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => HostState, { description: 'Age class of the latest report that had it; `GONE` when it closed.' })
  state!: ValueOf<typeof HostState>
  @Field(() => String, { description: 'Address that the socket is bound to.' }) address!: string
  @Field(() => Int, { description: 'Number from 1 to 65,535.' }) port!: number
  @Field(() => String, { description: '`tcp` or `udp`.' }) protocol!: string
  @Field(() => String, { nullable: true, description: 'Name of the process.' }) process!: string | null
  @Field(() => Int, { nullable: true, description: 'Process id.' }) pid!: number | null
  @Field(() => String, { nullable: true, description: 'Path of the program of the process.' }) exe!: string | null
  @Field(() => String, { nullable: true, description: 'Command line; the agent masks secrets.' }) command!: string | null
  @Field(() => String, { nullable: true, description: 'User of the process.' }) user!: string | null
  @Field(() => String, { nullable: true, description: 'Unit of the service manager.' }) unit!: string | null
  @Field(() => String, { nullable: true, description: 'Container of the process.' }) container!: string | null
  @Field(() => String, { nullable: true, description: 'Service of the process.' }) service!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'How `service` was found: `environment`, `label`, `unit`, `port`, `process`.'
  })
  serviceBasis!: string | null
  @Field(() => Timestamp, { description: 'First report of the socket.' }) firstSeen!: bigint
  @Field(() => Timestamp, { description: 'Latest report of the socket.' }) lastSeen!: bigint
}

@ObjectType('ListenerConnection', { description: 'Listening sockets by port.' })
export class ListenerConnectionType {
  @Field(() => [ListenerType], { description: PAGE.nodes }) nodes!: readonly ListenerType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
