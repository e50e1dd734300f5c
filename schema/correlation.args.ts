import { ArgsType, Field, Int, InputType } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { LogLevel, SpanStatus, type ValueOf } from './enums.js'
import { Duration } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'

@InputType('CorrelateInput', {
  description:
    'The starting point: exactly one of `logId`, `traceId`, `service` or `host` (optionally both) with `at`, and `query` with `range`.'
})
export class CorrelateInput {
  @Field(() => String, { nullable: true, description: 'Value of `LogRecord.id`.' }) logId?: string | null
  @Field(() => String, { nullable: true, description: 'Trace id, at most 128 characters.' }) traceId?: string | null
  @Field(() => String, { nullable: true, description: 'Restricts `logs` to this span. Requires `traceId`.' })
  spanId?: string | null
  @Field(() => String, { nullable: true, description: 'Service name at the time `at`.' }) service?: string | null
  @Field(() => String, { nullable: true, description: 'Host name at the time `at`.' }) host?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Time of interest, RFC 3339 or `now-15m`; default now. Requires `service` or `host`.'
  })
  at?: string | null
  @Field(() => String, { nullable: true, description: 'Search language of logs.' }) query?: string | null
  @Field(() => TimeRangeInput, { nullable: true, description: 'Window of `query`; default the last `window`.' })
  range?: TimeRangeInput | null
  @Field(() => Duration, { nullable: true, description: 'Length of the window, 30s to 6h; default 5m.' }) window?: number | null
}

/** Arguments of `exceptions`, `rum`. */
@ArgsType()
export class FirstArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 20,
    description: 'Maximum number of rows: 5,000 logs or page views, 1,000 exceptions, 200 traces.'
  })
  first!: number | null
}

/** Arguments of `logs`. */
@ArgsType()
export class CorrelatedLogsArgs extends FirstArgs {
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
  @Field(() => [LogLevel], { nullable: true, description: 'Records with any of these levels.' })
  levels?: ValueOf<typeof LogLevel>[] | null
}

/** Arguments of `traces`. */
@ArgsType()
export class CorrelatedTracesArgs extends FirstArgs {
  @Field(() => [SpanStatus], { nullable: true, description: 'Traces with a span of any of these statuses.' })
  statuses?: ValueOf<typeof SpanStatus>[] | null
}

/** Arguments of `metrics`. */
@ArgsType()
export class CorrelatedSeriesArgs {
  @Field(() => Int, { nullable: true, defaultValue: 12, description: 'Maximum number of series, at most 100.' })
  limit!: number | null
}
