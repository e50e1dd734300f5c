import { ArgsType, Field, Int } from 'type-graphql'
import { Duration, Timestamp } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
export class PromqlArgs {
  @Field(() => String) query!: string
  @Field(() => TimeRangeInput, { nullable: true, description: 'Lines over it; without it the values of one time.' })
  range?: TimeRangeInput | null
  @Field(() => Timestamp, { nullable: true, description: 'That time; now unless told.' }) at?: string | null
  @Field(() => Duration, { nullable: true }) step?: number | null
  @Field(() => Int, { nullable: true, defaultValue: 300 }) maxPoints!: number
}
