import { ArgsType, Field, Int } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { LogLevel, SpanStatus, type ValueOf } from './enums.js'

@ArgsType()
export class FirstArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 20,
    description: 'Maximum number of rows: 5,000 logs or page views, 1,000 exceptions, 200 traces.'
  })
  first!: number | null
}

@ArgsType()
export class CorrelatedLogsArgs extends FirstArgs {
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
  @Field(() => [LogLevel], { nullable: true, description: 'Records with any of these levels.' })
  levels?: ValueOf<typeof LogLevel>[] | null
}

@ArgsType()
export class CorrelatedTracesArgs extends FirstArgs {
  @Field(() => [SpanStatus], { nullable: true, description: 'Traces with a span of any of these statuses.' })
  statuses?: ValueOf<typeof SpanStatus>[] | null
}

@ArgsType()
export class CorrelatedSeriesArgs {
  @Field(() => Int, { nullable: true, defaultValue: 12, description: 'Maximum number of series, at most 100.' })
  limit!: number | null
}
