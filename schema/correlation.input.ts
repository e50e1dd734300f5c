import { Field, InputType } from 'type-graphql'
import { Duration } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

@InputType('CorrelateInput', {
  description: 'Where to look from: one of `logId`, `traceId`, a `service` or `host` (with `at`), and a `query` in a `range`.'
})
export class CorrelateInput {
  @Field(() => String, { nullable: true }) logId?: string | null
  @Field(() => String, { nullable: true }) traceId?: string | null
  @Field(() => String, { nullable: true, description: 'With `traceId`: only logs of this span.' }) spanId?: string | null
  @Field(() => String, { nullable: true }) service?: string | null
  @Field(() => String, { nullable: true }) host?: string | null
  @Field(() => String, { nullable: true, description: 'RFC 3339 or `now-15m`; default: now.' }) at?: string | null
  @Field(() => String, { nullable: true, description: 'Search language of logs.' }) query?: string | null
  @Field(() => TimeRangeInput, { nullable: true }) range?: TimeRangeInput | null
  @Field(() => Duration, { nullable: true, description: '30s to 6h; default 5m.' }) window?: number | null
}
