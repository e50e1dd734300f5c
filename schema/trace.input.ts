import { Field, InputType } from 'type-graphql'
import { READ } from './descriptions.js'
import { SpanKind, SpanStatus, TraceScope, type ValueOf } from './enums.js'
import { Duration } from './scalars.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('TraceFilter', {
  description:
    'Conditions on traces. All conditions on spans must match the same span. Fields: `name`, `service`, `kind`, `status`, `duration_ns`, `attributes.x`, `resource.x` and others.'
})
export class TraceFilterInput {
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => [String], { nullable: true, description: 'Spans of any of these services.' }) services?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Spans with any of these names.' }) operations?: string[] | null
  @Field(() => [SpanKind], { nullable: true, description: 'Spans of any of these kinds.' })
  kinds?: ValueOf<typeof SpanKind>[] | null
  @Field(() => [SpanStatus], { nullable: true, description: 'Spans with any of these statuses.' })
  statuses?: ValueOf<typeof SpanStatus>[] | null
  @Field(() => Duration, { nullable: true, description: 'Shortest duration, inclusive; `us` and `ns` are valid units too.' })
  minDuration?: number | null
  @Field(() => Duration, { nullable: true, description: 'Longest duration, inclusive; `us` and `ns` are valid units too.' })
  maxDuration?: number | null
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Only spans without a parent.' })
  rootOnly?: boolean | null
  @Field(() => Boolean, { nullable: true, description: 'Whether any span of the trace, matching or not, has status ERROR.' })
  hasError?: boolean | null
  @Field(() => TraceScope, {
    nullable: true,
    defaultValue: TraceScope.TRACE,
    description: 'Whether `minDuration` and `maxDuration` apply to whole traces or to spans.'
  })
  scope?: ValueOf<typeof TraceScope> | null
}
