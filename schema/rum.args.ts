import { ArgsType, Field, Float, Int, InputType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { RumDimension, WebVital, type ValueOf } from './enums.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('RumFilter', { description: 'Conditions on page views; all must match. An empty filter matches every page view.' })
export class RumFilterInput {
  @Field(() => String, {
    nullable: true,
    description: 'Search language; bare words match the page URL. At most 8,192 characters.'
  })
  query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => String, { nullable: true, description: 'Exact URL, or URL pattern with `:id` (`PAGE_GROUP`).' })
  pageUrl?: string | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these browsers.' }) browsers?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these operating systems.' }) os?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these device classes.' })
  deviceTypes?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views from any of these countries (ISO 3166-1 alpha-2).' })
  countries?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views over any of these connection types, for example `4g`.' })
  connectionTypes?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these releases.' }) releases?: string[] | null
  @Field(() => String, { nullable: true, description: 'Page views of this session.' }) sessionId?: string | null
}

/** Arguments of `vitals`. */
@ArgsType()
export class PercentileArgs {
  @Field(() => Float, { nullable: true, defaultValue: 75, description: 'Percentile to compute, above 0 and below 100.' })
  percentile!: number
}

/** Arguments of `vital`. */
@ArgsType()
export class VitalArgs extends PercentileArgs {
  @Field(() => WebVital, { description: 'Timing to summarize.' }) vital!: ValueOf<typeof WebVital>
}

/** Arguments of `distribution`. */
@ArgsType()
export class DistributionArgs {
  @Field(() => WebVital, { description: 'Timing to count.' }) vital!: ValueOf<typeof WebVital>
  @Field(() => Int, { nullable: true, defaultValue: 40, description: 'Number of buckets, 3 to 200.' }) buckets!: number
}

/** Arguments of `breakdown`. */
@ArgsType()
export class BreakdownArgs extends PercentileArgs {
  @Field(() => RumDimension, { description: 'Dimension to group by.' }) by!: ValueOf<typeof RumDimension>
  @Field(() => [WebVital], { description: 'Timings per row.' }) vitals!: ValueOf<typeof WebVital>[]
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Maximum number of rows, 1 to 1,000.' }) limit!: number
}

/** Arguments of `series`. */
@ArgsType()
export class RumSeriesArgs extends VitalArgs {
  @Field(() => RumDimension, { nullable: true, description: 'Dimension that splits the result into one series per value.' })
  by?: ValueOf<typeof RumDimension> | null
  @Field(() => Int, { nullable: true, defaultValue: 60, description: 'Requested number of grid points, 1 to 120.' })
  buckets!: number
  @Field(() => Int, {
    nullable: true,
    defaultValue: 8,
    description: 'Maximum number of series, 1 to 50; values with most page views first.'
  })
  limit!: number
}

/** Arguments of `list`. */
@ArgsType()
export class RumListArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Page views per page, at most 5,000.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
