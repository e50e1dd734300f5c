import { Field, Int, ObjectType } from 'type-graphql'

@ObjectType('QueryFault', { description: 'A fault in a query. Positions count UTF-16 code units from 0.' })
export class QueryFaultType {
  @Field(() => String, { description: 'What is wrong, in one sentence.' }) message!: string
  @Field(() => Int, { description: 'First character at fault.' }) from!: number
  @Field(() => Int, { description: 'End of the fault, exclusive; equal to `from` where something is missing at the end.' })
  to!: number
  @Field(() => String, { nullable: true, description: 'What to write instead; null when nothing is suggested.' })
  suggestion!: string | null
}

@ObjectType('QueryValidation', { description: 'Whether a query is valid.' })
export class QueryValidationType {
  @Field(() => Boolean, { description: 'True when the query can run.' }) ok!: boolean
  @Field(() => [QueryFaultType], { description: 'Faults; at most the first one is found.' }) errors!: readonly QueryFaultType[]
  @Field(() => String, { nullable: true, description: 'The query in words; null for faulty queries and for PromQL.' })
  explanation!: string | null
}
