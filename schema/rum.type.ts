import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { VitalRating, WebVital, type ValueOf } from './enums.js'
import { JSONObject, SafeInt, Timestamp } from './scalars.js'
import { PageInfoType, TimeWindowType } from './shared.type.js'

@ObjectType('VitalSummary')
export class VitalSummaryType {
  @Field(() => WebVital) vital!: ValueOf<typeof WebVital>
  @Field(() => Float, { nullable: true }) value!: number | null
  @Field(() => SafeInt) samples!: number
  @Field(() => VitalRating, { nullable: true }) rating!: ValueOf<typeof VitalRating> | null
  @Field(() => Float, { nullable: true }) good!: number | null
  @Field(() => Float, { nullable: true }) needsImprovement!: number | null
  @Field(() => Float, { nullable: true }) poor!: number | null
}

@ObjectType('RumBreakdownRow')
export class RumBreakdownRowType {
  @Field(() => String) value!: string
  @Field(() => SafeInt) events!: number
  @Field(() => SafeInt) sessions!: number
  @Field(() => [VitalSummaryType]) vitals!: readonly VitalSummaryType[]
}

@ObjectType('RumEvent')
export class RumEventType {
  @Field(() => ID) id!: string
  @Field(() => Timestamp) timestamp!: bigint
  @Field(() => String) pageUrl!: string
  @Field(() => String, { nullable: true }) pageTitle!: string | null
  @Field(() => String, { nullable: true }) sessionId!: string | null
  @Field(() => String, { nullable: true }) deviceType!: string | null
  @Field(() => String, { nullable: true }) browser!: string | null
  @Field(() => String, { nullable: true }) os!: string | null
  @Field(() => String, { nullable: true }) country!: string | null
  @Field(() => String, { nullable: true }) connectionType!: string | null
  @Field(() => Int, { nullable: true }) viewportWidth!: number | null
  @Field(() => Int, { nullable: true }) viewportHeight!: number | null
  @Field(() => Float, { nullable: true }) loadTimeMs!: number | null
  @Field(() => Float, { nullable: true }) domContentLoadedMs!: number | null
  @Field(() => Float, { nullable: true }) firstContentfulPaintMs!: number | null
  @Field(() => Float, { nullable: true }) largestContentfulPaintMs!: number | null
  @Field(() => Float, { nullable: true }) timeToInteractiveMs!: number | null
  @Field(() => Float, { nullable: true }) cumulativeLayoutShift!: number | null
  @Field(() => Float, { nullable: true }) firstInputDelayMs!: number | null
  @Field(() => Float, { nullable: true }) interactionToNextPaintMs!: number | null
  @Field(() => Float, { nullable: true }) timeToFirstByteMs!: number | null
  @Field(() => Float, { nullable: true }) totalBlockingTimeMs!: number | null
  @Field(() => String, { nullable: true }) release!: string | null
  @Field(() => String, { nullable: true }) traceId!: string | null
  @Field(() => JSONObject) tags!: object
}

@ObjectType('RumEventEdge')
export class RumEventEdgeType {
  @Field(() => String) cursor!: string
  @Field(() => RumEventType) node!: RumEventType
}

@ObjectType('RumEventConnection')
export class RumEventConnectionType {
  @Field(() => [RumEventEdgeType]) edges!: readonly RumEventEdgeType[]
  @Field(() => [RumEventType]) nodes!: readonly RumEventType[]
  @Field(() => PageInfoType) pageInfo!: PageInfoType
}

@ObjectType('Rum')
export class RumType {
  @Field(() => TimeWindowType) window!: TimeWindowType
}
