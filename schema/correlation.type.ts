import { Field, Float, Int, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { CorrelationConfidence, CorrelationVerdict, LinkBasis, MissingReason, Signal, type ValueOf } from './enums.js'
import { MetricSeriesType } from './metric.type.js'
import { GridType, QueryStatsType, TimeWindowType } from './shared.type.js'

@ObjectType('CorrelationLink', { description: 'A shared attribute value by which related signals are found.' })
export class CorrelationLinkType {
  @Field(() => LinkBasis, { description: 'Which attribute.' }) basis!: ValueOf<typeof LinkBasis>
  @Field(() => String, { description: 'Attribute value.' }) value!: string
  @Field(() => CorrelationConfidence, { description: 'Reliability of the link.' })
  confidence!: ValueOf<typeof CorrelationConfidence>
}

@ObjectType('CorrelatedSeries', {
  description: 'A metric series that differs between the window and the baseline, which is the time before it, six times as long.'
})
export class CorrelatedSeriesType {
  @Field(() => MetricSeriesType, { description: 'Values of baseline and window.' }) series!: MetricSeriesType
  @Field(() => GridType, { description: 'Points of baseline and window together.' }) grid!: GridType
  @Field(() => CorrelationLinkType, { description: 'Link by which the series was found.' }) link!: CorrelationLinkType
  @Field(() => Float, { description: "Cliff's delta, -1 to 1; positive for an increase." }) effect!: number
  @Field(() => Float, {
    nullable: true,
    description: 'Difference of the medians divided by the spread of the baseline; null for a constant baseline.'
  })
  score!: number | null
  @Field(() => Float, {
    description: 'Corrected p-value for the number of tested series (Benjamini and Hochberg); at most 0.05.'
  })
  q!: number
  @Field(() => String, { description: 'Sentence with both medians, the number of points and q.' }) reason!: string
}

@ObjectType('MissingEnd', { description: 'Explains why a signal has no related data.' })
export class MissingEndType {
  @Field(() => Signal, { description: 'Signal without data.' }) signal!: ValueOf<typeof Signal>
  @Field(() => MissingReason, { description: 'Machine-readable cause.' }) reason!: ValueOf<typeof MissingReason>
  @Field(() => String, { description: 'Sentence for a person.' }) detail!: string
}

@ObjectType('Correlation', { description: 'Signals related to a log record, a trace, a service, a host or a search.' })
export class CorrelationType {
  @Field(() => Boolean, { description: 'False when no record of the requested log, trace or search is stored.' }) found!: boolean
  @Field(() => String, { nullable: true, description: 'Trace of the starting point; null when it has none.' })
  traceId!: string | null
  @Field(() => TimeWindowType, { description: 'Time of the starting point, widened to the requested length.' })
  window!: TimeWindowType
  @Field(() => CorrelationLinkType, {
    nullable: true,
    description: 'Link by which logs, traces, exceptions and page views are found; null without one.'
  })
  via!: CorrelationLinkType | null
  @Field(() => [CorrelationLinkType], { description: 'Links by which metric series are found, strongest first.' })
  links!: readonly CorrelationLinkType[]
  @Field(() => CorrelationVerdict, { description: 'Outcome of the comparison of metric series.' })
  verdict!: ValueOf<typeof CorrelationVerdict>
  @Field(() => Int, { description: 'Number of series with enough points in window and baseline.' }) tested!: number
  @Field(() => [MissingEndType], { description: 'Signals without related data.' }) missing!: readonly MissingEndType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
