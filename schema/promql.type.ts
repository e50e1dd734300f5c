import { createUnionType, Field, Float, ObjectType } from 'type-graphql'
import { MetricSeriesType } from './metric.type.js'
import { Timestamp } from './scalars.js'
import { GridType, LabelType, QueryStatsType } from './shared.type.js'

@ObjectType('PromMatrix', { description: 'What a query answers at each time of a range.' })
export class PromMatrixType {
  @Field(() => GridType, { description: 'Times at which the query was evaluated.' }) grid!: GridType
  @Field(() => [MetricSeriesType]) series!: readonly MetricSeriesType[]
  @Field(() => QueryStatsType) stats!: QueryStatsType
}

@ObjectType('PromSample')
export class PromSampleType {
  @Field(() => String, { nullable: true }) metric!: string | null
  @Field(() => [LabelType]) labels!: readonly LabelType[]
  @Field(() => Timestamp) timestamp!: bigint
  @Field(() => Float, { nullable: true, description: 'Null for NaN and the infinities.' }) value!: number | null
}

@ObjectType('PromVector')
export class PromVectorType {
  @Field(() => [PromSampleType]) samples!: readonly PromSampleType[]
  @Field(() => QueryStatsType) stats!: QueryStatsType
}

@ObjectType('PromScalar')
export class PromScalarType {
  @Field(() => Timestamp) timestamp!: bigint
  @Field(() => Float, { nullable: true, description: 'Null for NaN and the infinities.' }) value!: number | null
  @Field(() => QueryStatsType) stats!: QueryStatsType
}

export const PromResult = createUnionType({
  name: 'PromResult',
  types: () => [PromMatrixType, PromVectorType, PromScalarType] as const,
  resolveType: value => ('grid' in value ? PromMatrixType : 'samples' in value ? PromVectorType : PromScalarType)
})
