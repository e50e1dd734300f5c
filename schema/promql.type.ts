import { createUnionType, Field, Float, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { MetricSeriesType } from './metric.type.js'
import { Timestamp } from './scalars.js'
import { GridType, LabelType, QueryStatsType } from './shared.type.js'

@ObjectType('PromMatrix', { description: 'Result of a range query: a value per series and grid point.' })
export class PromMatrixType {
  @Field(() => GridType, { description: 'Evaluation times of the query.' }) grid!: GridType
  @Field(() => [MetricSeriesType], { description: 'At most 1,000 series and 1,000,000 values.' })
  series!: readonly MetricSeriesType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('PromSample', { description: 'A sample of an instant vector.' })
export class PromSampleType {
  @Field(() => String, { nullable: true, description: 'Metric name; null when an operation removed it.' }) metric!: string | null
  @Field(() => [LabelType], { description: 'Labels without the metric name.' }) labels!: readonly LabelType[]
  @Field(() => Timestamp, { description: 'Evaluation time.' }) timestamp!: bigint
  @Field(() => Float, { nullable: true, description: 'Sample value; null for NaN and infinities.' }) value!: number | null
}

@ObjectType('PromVector', { description: 'Result of an instant query that evaluates to a vector.' })
export class PromVectorType {
  @Field(() => [PromSampleType], { description: 'One sample per series, at most 1,000.' }) samples!: readonly PromSampleType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('PromScalar', { description: 'Result of an instant query that evaluates to a scalar.' })
export class PromScalarType {
  @Field(() => Timestamp, { description: 'Evaluation time.' }) timestamp!: bigint
  @Field(() => Float, { nullable: true, description: 'Scalar value; null for NaN and infinities.' }) value!: number | null
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

/** Any result of PromQL. */
export const PromResult = createUnionType({
  name: 'PromResult',
  description: 'Result of a PromQL query: a matrix with `range`, else a vector or a scalar.',
  types: () => [PromMatrixType, PromVectorType, PromScalarType] as const,
  resolveType: value => ('grid' in value ? PromMatrixType : 'samples' in value ? PromVectorType : PromScalarType)
})
