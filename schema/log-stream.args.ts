import { ArgsType, Field, Int } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { LogStreamState, type ValueOf } from './enums.js'
import { RangeArgs } from './service.args.js'
import { TimeRangeInput } from './shared.input.js'

const INCOMPLETE = 'Only streams with gaps, or only those without; absent: both.'

/** Arguments of `Host.logStreams`. */
@ArgsType()
export class HostLogStreamsArgs {
  @Field(() => Boolean, { nullable: true, description: INCOMPLETE }) incomplete?: boolean | null
}

/** Arguments of `Query.logStreams`. */
@ArgsType()
export class LogStreamsArgs extends HostLogStreamsArgs {
  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only streams of which batches arrived in this window; absent: within the retention of logs.'
  })
  range?: TimeRangeInput | null
  @Field(() => String, { nullable: true, description: 'Only streams whose records have this host.' }) host?: string | null
  @Field(() => String, { nullable: true, description: 'Only streams of this path.' }) path?: string | null
  @Field(() => String, { nullable: true, description: 'Only streams whose records have this service.' }) service?: string | null
  @Field(() => [LogStreamState], { nullable: true, description: 'Only streams in these states; absent: all states.' })
  states?: ValueOf<typeof LogStreamState>[] | null
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Streams per page, 1 to 1,000.' }) first!: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

/** Arguments of `proof`. */
@ArgsType()
export class StreamProofArgs extends RangeArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Counts the records in the log store, too.'
  })
  recount!: boolean | null
}
