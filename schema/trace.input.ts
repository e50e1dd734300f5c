import { Field, InputType } from 'type-graphql'
import { SpanKind, SpanStatus, TraceScope, type ValueOf } from './enums.js'
import { Duration } from './scalars.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('TraceFilter', {
  description:
    'All conditions on spans must hold for one span of a trace. Fields: `name`, `service`, `kind`, `status`, `duration_ns`, `attributes.x`, `resource.x`, …'
})
export class TraceFilterInput {
  @Field(() => String, { nullable: true }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true }) where?: FieldFilterInput[] | null
  @Field(() => [String], { nullable: true }) services?: string[] | null
  @Field(() => [String], { nullable: true }) operations?: string[] | null
  @Field(() => [SpanKind], { nullable: true }) kinds?: ValueOf<typeof SpanKind>[] | null
  @Field(() => [SpanStatus], { nullable: true }) statuses?: ValueOf<typeof SpanStatus>[] | null
  @Field(() => Duration, { nullable: true, description: 'Inclusive; also `500us`.' }) minDuration?: number | null
  @Field(() => Duration, { nullable: true, description: 'Inclusive; also `500us`.' }) maxDuration?: number | null
  @Field(() => Boolean, { nullable: true, defaultValue: false }) rootOnly?: boolean | null
  @Field(() => Boolean, { nullable: true, description: 'Whether any span of the trace has failed.' }) hasError?: boolean | null
  @Field(() => TraceScope, {
    nullable: true,
    defaultValue: TraceScope.TRACE,
    description: 'Whether durations are of single spans or of whole traces.'
  })
  scope?: ValueOf<typeof TraceScope> | null
}
