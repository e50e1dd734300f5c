import { Field, Float, InputType, ObjectType } from 'type-graphql'
import { SavedFn, Signal, type ValueOf } from './enums.js'
import { Payload } from './payload.type.js'
import { Duration, Timestamp } from './scalars.js'

@ObjectType('MeasureBackfill', { description: 'Past steps of a saved measure that are computed on request.' })
export class MeasureBackfillType {
  @Field(() => Timestamp, { description: 'Start of its first step.' }) from!: bigint
  @Field(() => Timestamp, { description: 'End of its last step.' }) until!: bigint
  @Field(() => Timestamp, { description: 'Steps before are computed; equal to `until` when it is done.' }) doneUntil!: bigint
}

@ObjectType('SavedMeasure', { description: 'A measure over fields of logs or spans that becomes metrics under its name.' })
export class SavedMeasureType {
  @Field(() => String, { description: 'Name of the metric.' }) name!: string
  @Field(() => String, { description: 'Help of the metric, for its readers; empty without one.' }) description!: string
  @Field(() => [String], { description: 'Metrics that it writes: those of AVG and HISTOGRAM have suffixes.' })
  metrics!: readonly string[]
  @Field(() => Signal, { description: 'LOGS or SPANS.' }) signal!: ValueOf<typeof Signal>
  @Field(() => String, { description: 'Search that selects its records; empty for all.' }) query!: string
  @Field(() => SavedFn, { description: 'What is computed of the records of a step.' }) fn!: ValueOf<typeof SavedFn>
  @Field(() => String, { nullable: true, description: 'Measured field; null for the number of records.' })
  field!: string | null
  @Field(() => [String], { description: 'Fields that are labels.' }) groupBy!: readonly string[]
  @Field(() => Duration, { description: 'Distance of its samples.' }) step!: number
  @Field(() => [Float], { description: 'Upper bounds of the buckets of a histogram; empty otherwise.' })
  bounds!: readonly number[]
  @Field(() => Timestamp, { description: 'Time of its creation; earlier steps have samples by a backfill only.' })
  createdAt!: bigint
  @Field(() => Timestamp, { description: 'Steps before have samples.' }) countedUntil!: bigint
  @Field(() => Timestamp, { description: 'Steps before are not computed again: later records are counted by a backfill.' })
  settledUntil!: bigint
  @Field(() => MeasureBackfillType, { nullable: true, description: 'The backfill that was requested last; null without one.' })
  backfill!: MeasureBackfillType | null
  @Field(() => String, { nullable: true, description: 'Why the next steps could not be computed yet; they are repeated.' })
  error!: string | null
  @Field(() => String, { nullable: true, description: 'What samples lack, such as groups beyond the limit; null when nothing.' })
  incomplete!: string | null
  @Field(() => Timestamp, { nullable: true, description: 'Latest step whose samples lack something; null when none does.' })
  incompleteAt!: bigint | null
}

@InputType('SavedMeasureInput', { description: 'A measure to save as a metric.' })
export class SavedMeasureInput {
  @Field(() => String, { description: 'Name of the metric, at most 100 characters.' }) name!: string
  @Field(() => String, { nullable: true, description: 'Help of the metric, at most 500 characters.' }) description?: string | null
  @Field(() => Signal, { description: 'LOGS or SPANS.' }) signal!: ValueOf<typeof Signal>
  @Field(() => String, {
    nullable: true,
    description: 'Search language, for example `level:error -debug`; at most 4,096 characters.'
  })
  query?: string | null
  @Field(() => SavedFn, { description: 'All but COUNT require a field.' }) fn!: ValueOf<typeof SavedFn>
  @Field(() => String, { nullable: true, description: 'A numeric field; of COUNT any field.' }) field?: string | null
  @Field(() => [String], { nullable: true, description: 'At most three fields that become labels.' }) groupBy?: string[] | null
  @Field(() => Duration, { nullable: true, description: '10s, 30s, 1m, 5m, 15m or 1h; default 1m.' }) step?: number | null
  @Field(() => [Float], { nullable: true, description: 'Ascending upper bounds of the buckets of a histogram, at most 20.' })
  bounds?: number[] | null
}

@ObjectType('SavedMeasurePayload', { description: 'Result of `saveMeasure` and `backfillMeasure`.' })
export class SavedMeasurePayload extends Payload {
  @Field(() => SavedMeasureType, { nullable: true, description: 'Stored measure; null on rejection.' })
  measure?: SavedMeasureType | null
}
