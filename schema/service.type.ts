import { Field, Float, ID, ObjectType } from 'type-graphql'
import { RequestRule, ServiceNodeKind, ServiceState, SpanKind, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'
import { GridType, QueryStatsType, TimeWindowType } from './shared.type.js'

@ObjectType('RedMetrics', { description: 'Requests, errors and durations; durations are null without requests.' })
export class RedMetricsType {
  @Field(() => SafeInt) requests!: number
  @Field(() => Float) ratePerSecond!: number
  @Field(() => SafeInt) errors!: number
  @Field(() => Float) errorRate!: number
  @Field(() => Float, { nullable: true }) p50Ms!: number | null
  @Field(() => Float, { nullable: true }) p90Ms!: number | null
  @Field(() => Float, { nullable: true }) p95Ms!: number | null
  @Field(() => Float, { nullable: true }) p99Ms!: number | null
}

@ObjectType('RedSeries')
export class RedSeriesType {
  @Field(() => GridType) grid!: GridType
  @Field(() => [SafeInt]) requests!: readonly number[]
  @Field(() => [SafeInt]) errors!: readonly number[]
  @Field(() => [Float]) ratePerSecond!: readonly number[]
  @Field(() => [Float], { nullable: 'items', description: 'Null where nothing was requested.' }) errorRate!: readonly (
    | number
    | null
  )[]
}

@ObjectType('RedChange', {
  description: 'Against the range of the same length before; null where that had nothing to compare with.'
})
export class RedChangeType {
  @Field(() => Float, { nullable: true, description: 'Requests over those before.' }) requests!: number | null
  @Field(() => Float, { nullable: true, description: 'Difference of the error rates.' }) errorRate!: number | null
  @Field(() => Float, { nullable: true, description: 'p95 over that before.' }) p95!: number | null
}

@ObjectType('Service', { description: 'A service as its spans tell of it.' })
export class ServiceType {
  @Field(() => ID) name!: string
  @Field(() => String, { nullable: true }) language!: string | null
  @Field(() => String, { nullable: true }) version!: string | null
  @Field(() => Timestamp) lastSeen!: bigint
  @Field(() => ServiceState) state!: ValueOf<typeof ServiceState>
  @Field(() => RequestRule, { description: 'Which of its spans count as requests.' }) requests!: ValueOf<typeof RequestRule>
}

@ObjectType('Operation')
export class OperationType {
  @Field(() => String) name!: string
  @Field(() => SpanKind) kind!: ValueOf<typeof SpanKind>
  @Field(() => RedMetricsType) red!: RedMetricsType
}

@ObjectType('ServiceMapNode')
export class ServiceMapNodeType {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => ServiceNodeKind) kind!: ValueOf<typeof ServiceNodeKind>
  @Field(() => RedMetricsType) red!: RedMetricsType
}

@ObjectType('ServiceMapEdge')
export class ServiceMapEdgeType {
  @Field(() => ID) source!: string
  @Field(() => ID) target!: string
  @Field(() => String, { nullable: true }) protocol!: string | null
  @Field(() => RedMetricsType) red!: RedMetricsType
}

@ObjectType('ServiceMap')
export class ServiceMapType {
  @Field(() => [ServiceMapNodeType]) nodes!: readonly ServiceMapNodeType[]
  @Field(() => [ServiceMapEdgeType]) edges!: readonly ServiceMapEdgeType[]
  @Field(() => TimeWindowType) window!: TimeWindowType
  @Field(() => QueryStatsType) stats!: QueryStatsType
}
