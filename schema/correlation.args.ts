import { ArgsType, Field, Int } from 'type-graphql'
import { LogLevel, SpanStatus, type ValueOf } from './enums.js'

@ArgsType()
export class FirstArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20 }) first!: number | null
}

@ArgsType()
export class CorrelatedLogsArgs extends FirstArgs {
  @Field(() => String, { nullable: true }) after?: string | null
  @Field(() => [LogLevel], { nullable: true }) levels?: ValueOf<typeof LogLevel>[] | null
}

@ArgsType()
export class CorrelatedTracesArgs extends FirstArgs {
  @Field(() => [SpanStatus], { nullable: true, description: 'Traces with a span of any of these.' })
  statuses?: ValueOf<typeof SpanStatus>[] | null
}

@ArgsType()
export class CorrelatedSeriesArgs {
  @Field(() => Int, { nullable: true, defaultValue: 12, description: 'At most 100.' }) limit!: number | null
}
