import { ArgsType, Field, Float, Int } from 'type-graphql'
import { RumDimension, WebVital, type ValueOf } from './enums.js'

@ArgsType()
export class PercentileArgs {
  @Field(() => Float, { nullable: true, defaultValue: 75 }) percentile!: number
}

@ArgsType()
export class VitalArgs extends PercentileArgs {
  @Field(() => WebVital) vital!: ValueOf<typeof WebVital>
}

@ArgsType()
export class BreakdownArgs extends PercentileArgs {
  @Field(() => RumDimension) by!: ValueOf<typeof RumDimension>
  @Field(() => [WebVital]) vitals!: ValueOf<typeof WebVital>[]
  @Field(() => Int, { nullable: true, defaultValue: 20 }) limit!: number
}

@ArgsType()
export class RumSeriesArgs extends VitalArgs {
  @Field(() => RumDimension, { nullable: true }) by?: ValueOf<typeof RumDimension> | null
  @Field(() => Int, { nullable: true, defaultValue: 60 }) buckets!: number
  @Field(() => Int, { nullable: true, defaultValue: 8 }) limit!: number
}

@ArgsType()
export class RumListArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50 }) first!: number
  @Field(() => String, { nullable: true }) after?: string | null
}
