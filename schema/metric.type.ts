import { Field, Float, Int, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { MetricKind, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'
import { GridType, LabelType, PageInfoType, QueryStatsType } from './shared.type.js'

@ObjectType('Metric', { description: 'A stored metric name.' })
export class MetricDescription {
  @Field(() => String, { description: 'Metric name as in PromQL.' }) name!: string
  @Field(() => MetricKind, { description: 'Type of its samples.' }) kind!: ValueOf<typeof MetricKind>
  @Field(() => String, {
    nullable: true,
    description: 'Unit from the metadata of the sender, for example `seconds`; null when unknown.'
  })
  unit?: string | null
  @Field(() => String, { nullable: true, description: 'Help string from the metadata of the sender; null when unknown.' })
  description?: string | null
  @Field(() => Timestamp, { description: 'Time of the latest sample.' }) lastSeen!: bigint
  @Field(() => SafeInt, { description: 'Number of stored series, whatever their age.' }) seriesCount!: number
}

@ObjectType('MetricLabel', { description: 'A label name and its values.' })
export class MetricLabelType {
  @Field(() => String, { description: 'Label name as in PromQL.' }) name!: string
  @Field(() => SafeInt, { description: 'Number of distinct values in the window.' }) cardinality!: number
  /** All values, sorted; the resolver's field `values` picks from them. */
  allValues!: readonly string[]
}

@ObjectType('MetricEdge', { description: 'A metric with its cursor.' })
export class MetricEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => MetricDescription, { description: 'Metric at this position.' }) node!: MetricDescription
}

@ObjectType('MetricConnection', { description: 'Metric names in alphabetical order.' })
export class MetricConnectionType {
  @Field(() => [MetricEdgeType], { description: PAGE.edges }) edges!: readonly MetricEdgeType[]
  @Field(() => [MetricDescription], { description: PAGE.nodes }) nodes!: readonly MetricDescription[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
}

@ObjectType('MetricSeries', { description: 'A series of values on a time grid.' })
export class MetricSeriesType {
  @Field(() => String, { nullable: true, description: '`ref` of the query that produced the series; null when it had none.' })
  ref!: string | null
  @Field(() => String, { nullable: true, description: 'Metric name; null when a PromQL operation removed it.' })
  metric!: string | null
  @Field(() => [LabelType], { description: 'Labels without the metric name.' }) labels!: readonly LabelType[]
  @Field(() => String, { description: 'Display name: metric name and labels.' }) legend!: string
  @Field(() => [Float], {
    nullable: 'items',
    description: 'One value per grid point; null without samples, and for NaN and infinities.'
  })
  values!: readonly (number | null)[]
  @Field(() => Float, { nullable: true, description: 'Smallest value; null for an empty series.' }) min!: number | null
  @Field(() => Float, { nullable: true, description: 'Largest value; null for an empty series.' }) max!: number | null
  @Field(() => Float, { nullable: true, description: 'Arithmetic mean of the values; null for an empty series.' })
  avg!: number | null
  @Field(() => Float, { nullable: true, description: 'Latest value that is not null; null for an empty series.' })
  last!: number | null
}

@ObjectType('MetricResult', { description: 'Series of one or more queries on a common grid.' })
export class MetricResultType {
  @Field(() => GridType, { description: 'Points that all series share.' }) grid!: GridType
  @Field(() => [MetricSeriesType], { description: 'Series in the order of the queries, sorted by labels within a query.' })
  series!: readonly MetricSeriesType[]
  @Field(() => Int, { description: 'Number of series beyond `limit`.' }) omitted!: number
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
