import { Field, Float, Int, ObjectType } from 'type-graphql'
import { CorrelationConfidence, CorrelationVerdict, LinkBasis, MissingReason, Signal, type ValueOf } from './enums.js'
import { MetricSeriesType } from './metric.type.js'
import { GridType, QueryStatsType, TimeWindowType } from './shared.type.js'

@ObjectType('CorrelationLink')
export class CorrelationLinkType {
  @Field(() => LinkBasis) basis!: ValueOf<typeof LinkBasis>
  @Field(() => String) value!: string
  @Field(() => CorrelationConfidence) confidence!: ValueOf<typeof CorrelationConfidence>
}

@ObjectType('CorrelatedSeries', { description: 'A series that moved in the window, against the baseline before it.' })
export class CorrelatedSeriesType {
  @Field(() => MetricSeriesType) series!: MetricSeriesType
  @Field(() => GridType) grid!: GridType
  @Field(() => CorrelationLinkType) link!: CorrelationLinkType
  @Field(() => Float, { description: "Cliff's delta, from -1 to 1." }) effect!: number
  @Field(() => Float, { nullable: true, description: 'Difference of the medians in spreads of the baseline.' })
  score!: number | null
  @Field(() => Float, { description: 'p corrected for the number of series tested (Benjamini and Hochberg).' }) q!: number
  @Field(() => String) reason!: string
}

@ObjectType('MissingEnd', { description: 'Why there is nothing of a signal.' })
export class MissingEndType {
  @Field(() => Signal) signal!: ValueOf<typeof Signal>
  @Field(() => MissingReason) reason!: ValueOf<typeof MissingReason>
  @Field(() => String) detail!: string
}

@ObjectType('Correlation')
export class CorrelationType {
  @Field(() => Boolean, { description: 'False: nothing of the kind is stored.' }) found!: boolean
  @Field(() => String, { nullable: true }) traceId!: string | null
  @Field(() => TimeWindowType) window!: TimeWindowType
  @Field(() => CorrelationLinkType, { nullable: true, description: 'By what logs, traces, exceptions and page views are found.' })
  via!: CorrelationLinkType | null
  @Field(() => [CorrelationLinkType], { description: 'By what series are found.' }) links!: readonly CorrelationLinkType[]
  @Field(() => CorrelationVerdict) verdict!: ValueOf<typeof CorrelationVerdict>
  @Field(() => Int, { description: 'Series that were compared.' }) tested!: number
  @Field(() => [MissingEndType]) missing!: readonly MissingEndType[]
  @Field(() => QueryStatsType) stats!: QueryStatsType
}
