import { Field, Float, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { SafeInt } from './scalars.js'
import { FacetType, QueryStatsType, SkippedFieldType } from './shared.type.js'

@ObjectType('NumberRange', {
  description: 'The numbers of a field, its own conditions left out. All but `numbers` are null without any.'
})
export class NumberRangeType {
  @Field(() => String, { description: 'Name to use in filters.' }) field!: string
  @Field(() => SafeInt, { description: 'Numbers of the records.' })
  numbers!: number
  @Field(() => Float, { nullable: true, description: 'Lower bound of the numbers; the smallest one if `areExtremesExact`.' })
  min!: number | null
  @Field(() => Float, { nullable: true, description: 'Upper bound of the numbers; the largest one if `areExtremesExact`.' })
  max!: number | null
  @Field(() => Boolean, { description: 'True when `min` and `max` are numbers of the field; otherwise they are bounds of them.' })
  areExtremesExact!: boolean
  @Field(() => Float, { nullable: true, description: 'First quartile, interpolated between the closest ranks.' }) p25!:
    | number
    | null
  @Field(() => Float, { nullable: true, description: 'Median, interpolated.' }) p50!: number | null
  @Field(() => Float, { nullable: true, description: 'Third quartile, interpolated.' }) p75!: number | null
  @Field(() => Float, { nullable: true, description: '95th percentile, interpolated.' }) p95!: number | null
  @Field(() => Float, { nullable: true, description: '99th percentile, interpolated.' }) p99!: number | null
  @Field(() => Float, {
    nullable: true,
    description:
      'Upper bound of |value - truth| / |truth| of the percentiles, of logs with one number each; 0 when they are exact, null when nothing bounds it: one of them may be 0, or too many numbers match.'
  })
  relativeError!: number | null
}

@ObjectType('SuggestedFacets', { description: 'Facets of the fields that suit the matching records.' })
export class SuggestedFacetsType {
  @Field(() => [FacetType], { description: 'Well-known fields, and at most 12 in all: those with 2 to 100 values that repeat.' })
  facets!: FacetType[]
  @Field(() => [NumberRangeType], { description: 'At most 6 fields with many numbers that are not ids.' })
  ranges!: NumberRangeType[]
  @Field(() => [SkippedFieldType], { description: 'Other fields of the latest 5,000 records, and why they are left out.' })
  skipped!: readonly SkippedFieldType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
