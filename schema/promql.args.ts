import { ArgsType, Field, Int } from 'type-graphql'
import { Duration, Timestamp } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

/** Arguments of `promql`. */
@ArgsType()
export class PromqlArgs {
  @Field(() => String, { description: 'PromQL expression, at most 20,000 characters.' }) query!: string
  @Field(() => TimeRangeInput, { nullable: true, description: 'Window of a range query. Absent: instant query.' })
  range?: TimeRangeInput | null
  @Field(() => Timestamp, {
    nullable: true,
    description: 'Evaluation time of an instant query; default now. Not together with `range`.'
  })
  at?: string | null
  @Field(() => Duration, {
    nullable: true,
    description: 'Resolution of a range query. Default: the shortest round step, at least 1 s, that keeps `maxPoints`.'
  })
  step?: number | null
  @Field(() => Int, {
    nullable: true,
    defaultValue: 300,
    description: 'Maximum number of points when `step` is absent, 1 to 11,000.'
  })
  maxPoints!: number
}
