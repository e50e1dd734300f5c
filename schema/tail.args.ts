import { ArgsType, Field, Int } from 'type-graphql'
import { LogFilterInput } from './log.args.js'
import { Duration } from './scalars.js'

const TAIL_EVERY_MS = 250
const RATE_EVERY_MS = 2_000

/** Arguments of `logTail`. */
@ArgsType()
export class LogTailArgs {
  @Field(() => LogFilterInput, { nullable: true, description: 'Conditions on the records; absent: all records.' })
  filter?: LogFilterInput | null
  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of an earlier batch: resumes after it. After more than 500 records in 2 s some can repeat, with the same id. Absent: records that arrive from now on.'
  })
  after?: string | null
  @Field(() => Duration, {
    nullable: true,
    defaultValue: TAIL_EVERY_MS,
    description: 'Shortest time between two batches, 100ms to 1m.'
  })
  every!: number
  @Field(() => Int, { nullable: true, defaultValue: 200, description: 'Records of a batch, 1 to 1,000.' }) max!: number
}

/** Arguments of `ingestRate`. */
@ArgsType()
export class IngestRateArgs {
  @Field(() => Duration, { nullable: true, defaultValue: RATE_EVERY_MS, description: 'Interval of values, 1s to 1m.' })
  every!: number
}
