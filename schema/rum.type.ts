import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { VitalRating, WebVital, type ValueOf } from './enums.js'
import { JSONObject, SafeInt, Timestamp } from './scalars.js'
import { PageInfoType, TimeWindowType } from './shared.type.js'

@ObjectType('VitalSummary', { description: 'Distribution of a page timing.' })
export class VitalSummaryType {
  @Field(() => WebVital, { description: 'Which timing.' }) vital!: ValueOf<typeof WebVital>
  @Field(() => Float, {
    nullable: true,
    description: 'Requested percentile, in milliseconds (CLS: without unit); null without samples.'
  })
  value!: number | null
  @Field(() => SafeInt, { description: 'Number of page views that report it.' }) samples!: number
  @Field(() => VitalRating, { nullable: true, description: 'Rating of the 75th percentile; null without samples or thresholds.' })
  rating!: ValueOf<typeof VitalRating> | null
  @Field(() => Float, { nullable: true, description: 'Share of samples rated GOOD, 0 to 1; null without samples or thresholds.' })
  good!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'Share of samples rated NEEDS_IMPROVEMENT, 0 to 1; null without samples or thresholds.'
  })
  needsImprovement!: number | null
  @Field(() => Float, { nullable: true, description: 'Share of samples rated POOR, 0 to 1; null without samples or thresholds.' })
  poor!: number | null
}

@ObjectType('RumBreakdownRow', { description: 'Page timings of one value of a dimension.' })
export class RumBreakdownRowType {
  @Field(() => String, { description: 'Value of the dimension; empty for page views without it.' }) value!: string
  @Field(() => SafeInt, { description: 'Number of page views.' }) events!: number
  @Field(() => SafeInt, { description: 'Number of distinct session ids.' }) sessions!: number
  @Field(() => [VitalSummaryType], { description: 'Requested timings, in the requested order.' })
  vitals!: readonly VitalSummaryType[]
}

@ObjectType('RumEvent', { description: 'A page view with its timings.' })
export class RumEventType {
  @Field(() => ID, { description: 'Record id.' }) id!: string
  @Field(() => Timestamp, { description: 'Event time; the arrival time when the page sent none.' }) timestamp!: bigint
  @Field(() => String, { description: 'URL as the page sent it.' }) pageUrl!: string
  @Field(() => String, { nullable: true, description: 'Document title.' }) pageTitle!: string | null
  @Field(() => String, { nullable: true, description: 'Id that the page assigned to the session.' }) sessionId!: string | null
  @Field(() => String, { nullable: true, description: 'Device class, for example `mobile`.' }) deviceType!: string | null
  @Field(() => String, { nullable: true, description: 'Browser name as the page sent it.' }) browser!: string | null
  @Field(() => String, { nullable: true, description: 'Operating system.' }) os!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'ISO 3166-1 alpha-2 code, from the page or from a header of a trusted proxy.'
  })
  country!: string | null
  @Field(() => String, { nullable: true, description: 'Network type, for example `4g`.' }) connectionType!: string | null
  @Field(() => Int, { nullable: true, description: 'Width of the viewport in CSS pixels.' }) viewportWidth!: number | null
  @Field(() => Int, { nullable: true, description: 'Height of the viewport in CSS pixels.' }) viewportHeight!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'End of the `load` event, in milliseconds; null when the browser did not report it.'
  })
  loadTimeMs!: number | null
  @Field(() => Float, {
    nullable: true,
    description: 'End of the `DOMContentLoaded` event, in milliseconds; null when the browser did not report it.'
  })
  domContentLoadedMs!: number | null
  @Field(() => Float, { nullable: true, description: 'FCP, in milliseconds; null when the browser did not report it.' })
  firstContentfulPaintMs!: number | null
  @Field(() => Float, { nullable: true, description: 'LCP, in milliseconds; null when the browser did not report it.' })
  largestContentfulPaintMs!: number | null
  @Field(() => Float, { nullable: true, description: 'TTI, in milliseconds; null when the browser did not report it.' })
  timeToInteractiveMs!: number | null
  @Field(() => Float, { nullable: true, description: 'CLS, a score without unit; null when the browser did not report it.' })
  cumulativeLayoutShift!: number | null
  @Field(() => Float, { nullable: true, description: 'FID, in milliseconds; null when the browser did not report it.' })
  firstInputDelayMs!: number | null
  @Field(() => Float, { nullable: true, description: 'INP, in milliseconds; null when the browser did not report it.' })
  interactionToNextPaintMs!: number | null
  @Field(() => Float, { nullable: true, description: 'TTFB, in milliseconds; null when the browser did not report it.' })
  timeToFirstByteMs!: number | null
  @Field(() => Float, { nullable: true, description: 'TBT, in milliseconds; null when the browser did not report it.' })
  totalBlockingTimeMs!: number | null
  @Field(() => String, { nullable: true, description: 'Version of the page, as the page sent it.' }) release!: string | null
  @Field(() => String, { nullable: true, description: 'Trace of the page load.' }) traceId!: string | null
  @Field(() => JSONObject, { description: 'Tags of the page, with unrecognized members.' }) tags!: object
}

@ObjectType('RumEventEdge', { description: 'A page view with its cursor.' })
export class RumEventEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => RumEventType, { description: 'Page view at this position.' }) node!: RumEventType
}

@ObjectType('RumEventConnection', { description: 'Page views, latest first.' })
export class RumEventConnectionType {
  @Field(() => [RumEventEdgeType], { description: PAGE.edges }) edges!: readonly RumEventEdgeType[]
  @Field(() => [RumEventType], { description: PAGE.nodes }) nodes!: readonly RumEventType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
}

@ObjectType('VitalDistribution', {
  description:
    'Samples of a timing by value: `counts[i]` are above `bounds[i - 1]` and at most `bounds[i]`; the last count has those above all bounds.'
})
export class VitalDistributionType {
  @Field(() => WebVital, { description: 'Counted timing.' }) vital!: ValueOf<typeof WebVital>
  @Field(() => [Float], {
    description:
      'Upper bounds in the unit of the timing, of one width up to twice the threshold of poor values, independent of the data.'
  })
  bounds!: readonly number[]
  @Field(() => [SafeInt], { description: 'Samples per bucket, one more entry than `bounds`.' }) counts!: readonly number[]
}

@ObjectType('Rum', { description: 'Real user monitoring: page views of one filter and statistics of their timings.' })
export class RumType {
  @Field(() => TimeWindowType, { description: READ.window }) window!: TimeWindowType
}
