import { Extensions, Field, Float, Int, ObjectType } from 'type-graphql'
import type { TailDelivery } from '../src/query/log-tail/log-tail.js'
import { LogRecordType } from './log.type.js'
import { Timestamp } from './scalars.js'

/** Records that a delivery is computed with: the most that one can have. */
const MAX_RECORDS = 1_000

@ObjectType('LogTailBatch', { description: 'New log records of a live tail.' })
export class LogTailBatchType {
  @Extensions({ entries: MAX_RECORDS })
  @Field(() => [LogRecordType], { description: 'Records that were delivered by no earlier batch, oldest event first.' })
  records!: readonly LogRecordType[]
  @Field(() => String, { description: 'Resumes after this batch without a gap, also on another socket or gateway.' })
  cursor!: string
  @Field(() => Int, {
    description: 'Matching records left out since the previous batch because the client or the store could not keep up.'
  })
  dropped!: TailDelivery['dropped']
}

@ObjectType('IngestRate', { description: 'What this gateway accepted since the previous value, per second.' })
export class IngestRateType {
  @Field(() => Timestamp, { description: 'End of the measured time.' }) at!: bigint
  @Field(() => Float, { description: 'Stored log records.' }) logsPerSecond!: number
  @Field(() => Float, { description: 'Stored spans.' }) spansPerSecond!: number
  @Field(() => Float, { description: 'Stored metric points.' }) pointsPerSecond!: number
  @Field(() => Float, { description: 'Stored page views.' }) rumPerSecond!: number
  @Field(() => Float, { description: 'Rejected records of all signals.' }) rejectedPerSecond!: number
}
