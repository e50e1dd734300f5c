import { Field, Float, Int, ObjectType } from 'type-graphql'
import { Timestamp } from './scalars.js'

@ObjectType('StoreStatus', { description: 'Health of a store.' })
export class StoreStatusType {
  @Field(() => String, { description: 'Engine, for example `duckdb`; `control` for the database of users, namespaces and keys.' })
  name!: string
  @Field(() => String, { description: '`telemetry` or `control`.' })
  kind!: string
  @Field(() => Boolean, { description: 'Whether the latest health check succeeded.' }) healthy!: boolean
  @Field(() => Float, {
    nullable: true,
    description: 'Duration of the health check in milliseconds; null when it failed or measures none.'
  })
  latencyMs!: number | null
  @Field(() => String, {
    nullable: true,
    description: 'Cause of a failed check, or what the store recovered from; null without one.'
  })
  detail!: string | null
}

@ObjectType('FailingJob', { description: 'A background job that failed at least twice in a row.' })
export class FailingJobType {
  @Field(() => String, { description: 'Name as in the log and in `alidade_background_job_failures_total`.' }) job!: string
  @Field(() => Int, { description: 'Number of failures since the last success.' }) failures!: number
  @Field(() => Timestamp, { description: 'Time of the first of these failures.' }) failingSince!: string
}
