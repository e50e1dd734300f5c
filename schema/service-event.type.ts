import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { Timestamp } from './scalars.js'
import { TimeRangeInput } from './shared.input.js'
import { LabelType, PageInfoType } from './shared.type.js'

@ObjectType('ServiceEvent', {
  description: 'A deployment, or another event of a service, that a sender reported or the service itself found.'
})
export class ServiceEventType {
  @Field(() => ID, { description: 'Id that the sender chose, or an opaque one.' }) id!: string
  @Field(() => String, {
    description: '`deploy`, or another word of the sender; `log.gap`: lines are missing from a log stream.'
  })
  type!: string
  @Field(() => Timestamp, { description: 'When it happened.' }) at!: bigint
  @Field(() => String, { nullable: true, description: 'Service that it is about; null for none.' }) service!: string | null
  @Field(() => String, { nullable: true, description: 'Release that the service has from then on; null for none.' })
  version!: string | null
  @Field(() => String, { nullable: true, description: 'Deployment environment; null for none.' }) environment!: string | null
  @Field(() => String, { nullable: true, description: 'Title that charts show; null for none.' }) title!: string | null
  @Field(() => String, { nullable: true, description: 'An http or https URL of details; null for none.' }) url!: string | null
  @Field(() => [LabelType], { description: 'Other strings of the sender or about what was found, by name.' })
  attributes!: readonly LabelType[]
}

@ObjectType('ServiceEventEdge', { description: 'An event and its cursor.' })
export class ServiceEventEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => ServiceEventType, { description: 'What was reported or found.' }) node!: ServiceEventType
}

@ObjectType('ServiceEventConnection', { description: 'Events of services, newest first.' })
export class ServiceEventConnectionType {
  @Field(() => [ServiceEventEdgeType], { description: PAGE.edges }) edges!: readonly ServiceEventEdgeType[]
  @Field(() => [ServiceEventType], { description: PAGE.nodes }) nodes!: readonly ServiceEventType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
}

/** Arguments of `serviceEvents`. */
@ArgsType()
export class ServiceEventsArgs {
  @Field(() => TimeRangeInput, { description: 'Window of event times.' }) range!: TimeRangeInput
  @Field(() => [String], {
    nullable: true,
    description: 'Only events of these types; absent: all that senders report, without `log.gap`.'
  })
  types?: string[] | null
  @Field(() => String, { nullable: true, description: 'Only events of this service.' }) service?: string | null
  @Field(() => String, { nullable: true, description: 'Only events of this environment.' }) environment?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Events per page, 0 to 500.' }) first!: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
