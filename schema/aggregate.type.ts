import { Field, Float, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { CountType, GridType, QueryStatsType } from './shared.type.js'

@ObjectType('AggregateValue', { description: 'A measure of one group.' })
export class AggregateValueType {
  @Field(() => String, { description: 'Name of the measure.' }) ref!: string
  @Field(() => Float, {
    nullable: true,
    description: 'Over the whole window; durations in nanoseconds. Null if nothing has a number.'
  })
  value!: number | null
  @Field(() => [Float], {
    nullable: 'itemsAndList',
    description: 'One value per bucket of the grid, null where nothing has a number; null without a grid.'
  })
  values!: readonly (number | null)[] | null
}

@ObjectType('AggregateRow', { description: 'Measures of one group.' })
export class AggregateRowType {
  @Field(() => [String], {
    nullable: 'items',
    description: 'Values of `groupBy` in its order; null for rows without the field. Empty for all rows and for `other`.'
  })
  group!: readonly (string | null)[]
  @Field(() => Boolean, { description: 'Whether it has the rows that are in none of the listed groups.' }) other!: boolean
  @Field(() => [AggregateValueType], { description: 'In the order of the request.' }) measures!: readonly AggregateValueType[]
}

@ObjectType('AggregateResult', { description: 'Measures by groups and over time.' })
export class AggregateResultType {
  @Field(() => GridType, { nullable: true, description: 'Buckets of time; null without `step` and `buckets`.' })
  grid!: GridType | null
  @Field(() => [AggregateRowType], { description: 'Groups, best first, and last the others if they were requested.' })
  rows!: readonly AggregateRowType[]
  @Field(() => CountType, { description: 'Number of groups in all.' }) groups!: CountType
  @Field(() => Float, { description: 'Upper bound of the relative error of estimates; 0 when all values are exact.' })
  relativeError!: number
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
