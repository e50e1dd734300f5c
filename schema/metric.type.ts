import { Field, Float, Int, ObjectType } from 'type-graphql'
import { MetricKind, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'
import { GridType, LabelType, PageInfoType, QueryStatsType } from './shared.type.js'

@ObjectType('Metric')
export class MetricDescription {
  @Field(() => String) name!: string
  @Field(() => MetricKind) kind!: ValueOf<typeof MetricKind>
  @Field(() => String, { nullable: true, description: 'What the sender said, e.g. seconds.' }) unit?: string | null
  @Field(() => String, { nullable: true }) description?: string | null
  @Field(() => Timestamp) lastSeen!: bigint
  @Field(() => SafeInt) seriesCount!: number
}

@ObjectType('MetricLabel')
export class MetricLabelType {
  @Field(() => String) name!: string
  @Field(() => SafeInt) cardinality!: number
  /** All values, sorted; the resolver's field `values` picks from them. */
  allValues!: readonly string[]
}

@ObjectType('MetricEdge')
export class MetricEdgeType {
  @Field(() => String) cursor!: string
  @Field(() => MetricDescription) node!: MetricDescription
}

@ObjectType('MetricConnection')
export class MetricConnectionType {
  @Field(() => [MetricEdgeType]) edges!: readonly MetricEdgeType[]
  @Field(() => [MetricDescription]) nodes!: readonly MetricDescription[]
  @Field(() => PageInfoType) pageInfo!: PageInfoType
}

@ObjectType('MetricSeries')
export class MetricSeriesType {
  @Field(() => String, { nullable: true }) ref!: string | null
  @Field(() => String, { nullable: true }) metric!: string | null
  @Field(() => [LabelType]) labels!: readonly LabelType[]
  @Field(() => String) legend!: string
  @Field(() => [Float], { nullable: 'items', description: 'One entry per grid point; null where there is no sample.' })
  values!: readonly (number | null)[]
  @Field(() => Float, { nullable: true }) min!: number | null
  @Field(() => Float, { nullable: true }) max!: number | null
  @Field(() => Float, { nullable: true }) avg!: number | null
  @Field(() => Float, { nullable: true }) last!: number | null
}

@ObjectType('MetricResult')
export class MetricResultType {
  @Field(() => GridType) grid!: GridType
  @Field(() => [MetricSeriesType]) series!: readonly MetricSeriesType[]
  @Field(() => Int, { description: 'Series left out by `limit`.' }) omitted!: number
  @Field(() => QueryStatsType) stats!: QueryStatsType
}
