import { Field, Float, Int, ObjectType } from 'type-graphql'
import { FieldType, type ValueOf } from './enums.js'
import { Duration, SafeInt, Timestamp } from './scalars.js'

@ObjectType('TimeWindow')
export class TimeWindowType {
  @Field(() => Timestamp) from!: bigint
  @Field(() => Timestamp) to!: bigint
}

@ObjectType('Label')
export class LabelType {
  @Field(() => String) name!: string
  @Field(() => String) value!: string
}

@ObjectType('PageInfo')
export class PageInfoType {
  @Field(() => Boolean) hasNextPage!: boolean
  @Field(() => Boolean) hasPreviousPage!: boolean
  @Field(() => String, { nullable: true }) startCursor!: string | null
  @Field(() => String, { nullable: true }) endCursor!: string | null
}

@ObjectType('QueryStats', {
  description:
    'How a store answered: shown beside a panel instead of failing it. `complete` is false whenever a cap, timeout, sample or retention edge cut the answer; `warnings` says which.'
})
export class QueryStatsType {
  @Field(() => Float) tookMs!: number
  @Field(() => Boolean) complete!: boolean
  @Field(() => [String]) warnings!: readonly string[]
}

@ObjectType('Count', { description: 'A count that may be cut off: `exact` is false when counting stopped at `value`.' })
export class CountType {
  @Field(() => SafeInt) value!: number
  @Field(() => Boolean) exact!: boolean
}

@ObjectType('FieldInfo')
export class FieldInfoType {
  @Field(() => String) name!: string
  @Field(() => FieldType) type!: ValueOf<typeof FieldType>
  @Field(() => SafeInt, { description: 'Rows of the range that carry the field.' }) count!: number
  @Field(() => SafeInt, { description: 'Approximate number of different values.' }) cardinality!: number
}

@ObjectType('FacetBucket')
export class FacetBucketType {
  @Field(() => String) value!: string
  @Field(() => SafeInt) count!: number
  @Field(() => Boolean, { description: 'The filter of this request already selects the value.' }) selected!: boolean
}

@ObjectType('Facet', {
  description:
    "Counts per value. As in a shop's sidebar, a facet's own field is taken out of the filter before counting (`excludeSelf`), so\nthat choosing one value does not make the others vanish."
})
export class FacetType {
  @Field(() => String) field!: string
  @Field(() => CountType) distinct!: CountType
  @Field(() => [FacetBucketType]) buckets!: readonly FacetBucketType[]
  @Field(() => SafeInt, { description: 'Rows in values that are not listed.' }) other!: number
  @Field(() => SafeInt) missing!: number
}

@ObjectType('Grid', {
  description:
    'A regular grid: sample i lies at start + i·step. Parallel lists: an object per sample costs graphql-js 5 to 9 times as much.'
})
export class GridType {
  @Field(() => Timestamp) start!: bigint
  @Field(() => Duration) step!: number
  @Field(() => SafeInt) stepMs!: number
  @Field(() => Int) length!: number
}

@ObjectType('HistogramSeries')
export class HistogramSeriesType {
  @Field(() => String, { nullable: true }) key!: string | null
  @Field(() => [SafeInt]) counts!: readonly number[]
}

@ObjectType('Histogram')
export class HistogramType {
  @Field(() => GridType) grid!: GridType
  @Field(() => [HistogramSeriesType]) series!: readonly HistogramSeriesType[]
}
