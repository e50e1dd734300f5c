import { Field, Float, Int, ObjectType } from 'type-graphql'
import { Timestamp } from './scalars.js'

@ObjectType('StoreStatus')
export class StoreStatusType {
  @Field(() => String) name!: string
  @Field(() => String) kind!: string
  @Field(() => Boolean) healthy!: boolean
  @Field(() => Float, { nullable: true }) latencyMs!: number | null
  @Field(() => String, { nullable: true }) detail!: string | null
}

@ObjectType('FailingJob', { description: 'A background job that failed at least twice and has not succeeded since.' })
export class FailingJobType {
  @Field(() => String, { description: 'Its name, as in the log and in `alidade_background_job_failures_total`.' }) job!: string
  @Field(() => Int, { description: 'How often it failed since its last success.' }) failures!: number
  @Field(() => Timestamp) failingSince!: string
}
