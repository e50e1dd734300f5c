import { Field, Float, Int, ObjectType } from 'type-graphql'
import { CutKind, FieldType, Signal, type ValueOf } from './enums.js'
import { Duration, SafeInt, Timestamp } from './scalars.js'

@ObjectType('TimeWindow', { description: 'A window of event time.' })
export class TimeWindowType {
  @Field(() => Timestamp, { description: 'Start, inclusive.' }) from!: bigint
  @Field(() => Timestamp, { description: 'End, exclusive.' }) to!: bigint
}

@ObjectType('Label', { description: 'A label of a metric series.' })
export class LabelType {
  @Field(() => String, { description: 'Label name as in PromQL, for example `host`.' }) name!: string
  @Field(() => String, { description: 'Value that all samples of the series share.' }) value!: string
}

@ObjectType('PageInfo', { description: 'Position of a page in its list, as in Relay cursor connections.' })
export class PageInfoType {
  @Field(() => Boolean, { description: 'True when rows follow this page.' }) hasNextPage!: boolean
  @Field(() => Boolean, { description: 'True when rows precede this page; always true after a cursor.' })
  hasPreviousPage!: boolean
  @Field(() => String, { nullable: true, description: 'Cursor of the first row; null for an empty page.' })
  startCursor!: string | null
  @Field(() => String, { nullable: true, description: 'Cursor of the last row; null for an empty page.' })
  endCursor!: string | null
}

@ObjectType('Cut', { description: 'One reason why a result is incomplete, and what to do about it.' })
export class CutType {
  @Field(() => CutKind, { description: 'What cut the result.' }) kind!: ValueOf<typeof CutKind>
  @Field(() => Signal, { description: 'Telemetry that is affected.' }) signal!: ValueOf<typeof Signal>
  @Field(() => String, { description: 'The sentence of `warnings`.' }) detail!: string
  @Field(() => TimeWindowType, { nullable: true, description: 'Affected part of the window; null when it is not known.' })
  window!: TimeWindowType | null
  @Field(() => SafeInt, { nullable: true, description: 'Number of rows, groups or series that the cut kept.' })
  limit!: number | null
  @Field(() => String, { description: 'What to do about it, in one sentence.' }) remedy!: string
}

@ObjectType('QueryStats', { description: 'Completeness and duration of a query, for display next to its result.' })
export class QueryStatsType {
  @Field(() => Float, { description: 'Milliseconds from the start of the query to its result.' }) tookMs!: number
  @Field(() => Boolean, {
    description: 'False when a limit, a timeout, a sample, a damaged file or the retention cut the result.'
  })
  complete!: boolean
  @Field(() => [String], { description: 'Sentences that explain an incomplete or an empty result.' })
  warnings!: readonly string[]
  @Field(() => [CutType], { description: 'Reasons why the result is incomplete; empty when `complete`.' })
  cuts!: readonly CutType[]
}

@ObjectType('Count', { description: 'A count that can stop early: `exact` is false when counting stopped at `value`.' })
export class CountType {
  @Field(() => SafeInt, { description: 'Number of rows; a lower bound when `exact` is false.' }) value!: number
  @Field(() => Boolean, { description: 'True when every row was counted.' }) exact!: boolean
}

@ObjectType('ConditionCount', { description: 'A condition of a search without results, and what matches without it.' })
export class ConditionCountType {
  @Field(() => String, { description: 'The condition in words, for example `level is "error"`.' }) condition!: string
  @Field(() => CountType, { description: 'Records that match all other conditions.' }) rowsWithout!: CountType
}

@ObjectType('FieldInfo', { description: 'A field of the matching records.' })
export class FieldInfoType {
  @Field(() => String, { description: 'Name to use in filters and facets, for example `service` or `order_id`.' }) name!: string
  @Field(() => FieldType, { description: 'Type of the values; STRING for well-known fields.' }) type!: ValueOf<typeof FieldType>
  @Field(() => SafeInt, { description: 'Records with the field; free fields are counted in the latest 10,000 matching records.' })
  count!: number
  @Field(() => SafeInt, { description: 'Number of distinct values, approximate.' }) cardinality!: number
  @Field(() => [String], {
    description: 'At most 5 values: the most frequent ones of well-known fields, the latest of others, up to 128 characters each.'
  })
  examples!: readonly string[]
}

@ObjectType('FacetBucket', { description: 'One value of a field and its frequency.' })
export class FacetBucketType {
  @Field(() => String, { description: 'Field value, rendered as a string.' }) value!: string
  @Field(() => SafeInt, { description: 'Matching records with this value; spans in results about traces.' }) count!: number
  @Field(() => Boolean, { description: 'True when the filter of the request already selects this value.' }) selected!: boolean
}

@ObjectType('Facet', {
  description:
    'Frequencies of the values of a field. With `excludeSelf`, conditions on the field itself are removed before counting, so that the other values remain visible.'
})
export class FacetType {
  @Field(() => String, { description: 'Requested field name.' }) field!: string
  @Field(() => FieldType, { description: 'What all listed values read as; STRING without any.' }) type!: ValueOf<typeof FieldType>
  @Field(() => CountType, { description: 'Number of different values.' }) distinct!: CountType
  @Field(() => [FacetBucketType], { description: 'Values, most frequent first.' }) buckets!: readonly FacetBucketType[]
  @Field(() => SafeInt, { description: 'Rows whose value is not listed; exact.' }) other!: number
  @Field(() => SafeInt, { description: 'Rows without the field; exact.' }) missing!: number
}

@ObjectType('SkippedField', { description: 'A field that was left out.' })
export class SkippedFieldType {
  @Field(() => String, { description: 'Its name in filters.' }) field!: string
  @Field(() => String, { description: 'Why, as a phrase.' }) reason!: string
}

@ObjectType('Grid', {
  description:
    'A regular time grid: point i is at `start` + i × `step`. Series are parallel lists, because one object per sample costs 5 to 9 times as much.'
})
export class GridType {
  @Field(() => Timestamp, { description: 'Time of the first point, or start of the first bucket.' }) start!: bigint
  @Field(() => Duration, { description: 'Distance between two points.' }) step!: number
  @Field(() => SafeInt, { description: '`step` as a number of milliseconds.' }) stepMs!: number
  @Field(() => Int, { description: 'Number of points.' }) length!: number
}

@ObjectType('HistogramSeries', { description: 'Counts over time, of all rows or of one value of `by`.' })
export class HistogramSeriesType {
  @Field(() => String, {
    nullable: true,
    description: 'Value of the `by` field; null without `by` and for rows without the field.'
  })
  key!: string | null
  @Field(() => [SafeInt], { description: 'One number per bucket of the grid; 0 where no row matches.' })
  counts!: readonly number[]
}

@ObjectType('Histogram', { description: 'Counts per time bucket.' })
export class HistogramType {
  @Field(() => GridType, { description: 'Time buckets; the last one can end after the window.' }) grid!: GridType
  @Field(() => [HistogramSeriesType], { description: 'One series, or one per value of `by`.' })
  series!: readonly HistogramSeriesType[]
}
