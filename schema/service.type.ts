import { Field, Float, ID, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { RequestRule, ServiceNodeKind, ServiceState, SpanKind, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'
import { GridType, QueryStatsType, TimeWindowType } from './shared.type.js'

@ObjectType('RedMetrics', { description: 'Rate, errors and duration of requests.' })
export class RedMetricsType {
  @Field(() => SafeInt, { description: 'Number of requests.' }) requests!: number
  @Field(() => Float, { description: 'Requests per second of the window, as far as the retention keeps it.' })
  ratePerSecond!: number
  @Field(() => SafeInt, { description: 'Number of requests with status ERROR.' }) errors!: number
  @Field(() => Float, { description: 'Errors divided by requests, 0 to 1; 0 without requests.' }) errorRate!: number
  @Field(() => Float, { nullable: true, description: 'Median duration in milliseconds; null without requests.' })
  p50Ms!: number | null
  @Field(() => Float, { nullable: true, description: '90th percentile of the durations in milliseconds; null without requests.' })
  p90Ms!: number | null
  @Field(() => Float, { nullable: true, description: '95th percentile of the durations in milliseconds; null without requests.' })
  p95Ms!: number | null
  @Field(() => Float, { nullable: true, description: '99th percentile of the durations in milliseconds; null without requests.' })
  p99Ms!: number | null
}

@ObjectType('RedSeries', { description: 'Requests and errors over time, as parallel lists with one value per grid point.' })
export class RedSeriesType {
  @Field(() => GridType, {
    description:
      'Time buckets. Over 6 h and more, steps above 5 min are multiples of 5 min, and the first bucket can start before the window.'
  })
  grid!: GridType
  @Field(() => [SafeInt], { description: 'Number of requests per bucket.' }) requests!: readonly number[]
  @Field(() => [SafeInt], { description: 'Requests with status ERROR per bucket.' }) errors!: readonly number[]
  @Field(() => [Float], { description: 'Requests per second of the bucket.' }) ratePerSecond!: readonly number[]
  @Field(() => [Float], { nullable: 'items', description: 'Errors divided by requests, 0 to 1; null without requests.' })
  errorRate!: readonly (number | null)[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('RedChange', { description: 'Change against the preceding window of the same length.' })
export class RedChangeType {
  @Field(() => Float, {
    nullable: true,
    description: 'Requests divided by those of the preceding window; null when it had none.'
  })
  requests!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'Error rate minus that of the preceding window; null when either had no requests.'
  })
  errorRate!: number | null
  @Field(() => Float, {
    nullable: true,
    description: '95th percentile divided by that of the preceding window; null when either had no requests.'
  })
  p95!: number | null
}

@ObjectType('Service', { description: 'A service, derived from its spans.' })
export class ServiceType {
  @Field(() => ID, { description: 'Resource attribute `service.name`.' }) name!: string
  @Field(() => String, {
    nullable: true,
    description: 'Resource attribute `telemetry.sdk.language` of its latest spans; null when absent.'
  })
  language!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Resource attribute `service.version` of its latest spans; null when absent.'
  })
  version!: string | null
  @Field(() => Timestamp, { description: 'Start of its latest span.' }) lastSeen!: bigint
  @Field(() => ServiceState, { description: 'Age class of the latest span.' }) state!: ValueOf<typeof ServiceState>
  @Field(() => RequestRule, { description: 'Which of its spans count as requests.' }) requests!: ValueOf<typeof RequestRule>
}

@ObjectType('ServiceList', { description: 'Services with a span in the window, and whether that is all of them.' })
export class ServiceListType {
  @Field(() => [ServiceType], { description: 'Sorted by `orderBy`, at most `first`.' }) nodes!: readonly ServiceType[]
  @Field(() => SafeInt, { description: 'Services that match, listed or not.' }) total!: number
  @Field(() => TimeWindowType, { description: READ.window }) window!: TimeWindowType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('Release', { description: 'A version of a service in the window.' })
export class ReleaseType {
  @Field(() => String, { description: 'Resource attribute `service.version`.' }) version!: string
  @Field(() => Timestamp, { description: 'Start of its first span in the window.' }) firstSeen!: bigint
  @Field(() => Timestamp, { description: 'Start of its latest span in the window.' }) lastSeen!: bigint
}

@ObjectType('Operation', { description: 'Requests of a service with the same span name and kind.' })
export class OperationType {
  @Field(() => String, { description: 'Span name.' }) name!: string
  @Field(() => SpanKind, { description: 'Span kind.' }) kind!: ValueOf<typeof SpanKind>
  @Field(() => RedMetricsType, { description: 'Rate, errors and duration of the operation.' }) red!: RedMetricsType
}

@ObjectType('ServiceMapNode', { description: 'A caller or callee in the service map.' })
export class ServiceMapNodeType {
  @Field(() => ID, { description: '`kind:name`, for example `service:checkout` or `database:postgresql`.' }) id!: string
  @Field(() => String, { description: 'Service name; for other kinds the name in the attributes of the calling spans.' })
  name!: string
  @Field(() => ServiceNodeKind, { description: 'Service, or a peer that sends no spans itself.' })
  kind!: ValueOf<typeof ServiceNodeKind>
  @Field(() => RedMetricsType, {
    description: 'Requests of a service, or calls to a peer; percentiles of a peer are null when several services call it.'
  })
  red!: RedMetricsType
}

@ObjectType('ServiceMapEdge', { description: 'Calls from one node to another.' })
export class ServiceMapEdgeType {
  @Field(() => ID, { description: 'Node id of the caller.' }) source!: string
  @Field(() => ID, { description: 'Node id of the callee.' }) target!: string
  @Field(() => String, {
    nullable: true,
    description: 'Database, messaging or RPC system, or `http`; null when the spans do not name it.'
  })
  protocol!: string | null
  @Field(() => RedMetricsType, {
    description: 'Rate, errors and duration of the calls; measured by the callee when it sends spans.'
  })
  red!: RedMetricsType
}

@ObjectType('ServiceMap', { description: 'Services, their peers and the calls between them.' })
export class ServiceMapType {
  @Field(() => [ServiceMapNodeType], { description: 'Callers and callees, sorted by id.' }) nodes!: readonly ServiceMapNodeType[]
  @Field(() => [ServiceMapEdgeType], { description: 'Calls, most frequent first; at most 1,000 edges are read.' })
  edges!: readonly ServiceMapEdgeType[]
  @Field(() => TimeWindowType, { description: READ.window }) window!: TimeWindowType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
