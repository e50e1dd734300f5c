import { Field, ID, InputType, ArgsType, Int } from 'type-graphql'
import { ApiKeyKind, type ValueOf } from './enums.js'
import { Timestamp } from './scalars.js'
import { PAGE } from './descriptions.js'

@InputType('RetentionInput', {
  description: 'New retention per signal: a duration from `1m` to `100y`, or `forever`. Absent signals keep theirs.'
})
export class RetentionInputType {
  @Field(() => String, { nullable: true, description: 'Retention of log records; initially `14d`.' }) logs?: string | null
  @Field(() => String, { nullable: true, description: 'Retention of spans; initially `7d`.' }) traces?: string | null
  @Field(() => String, { nullable: true, description: 'Retention of metric samples and exemplars; initially `30d`.' })
  metrics?: string | null
  @Field(() => String, { nullable: true, description: 'Retention of page views; initially `30d`.' }) rum?: string | null
  @Field(() => String, { nullable: true, description: 'Retention of application errors; initially `30d`.' })
  errors?: string | null
}

@InputType('ApiKeyInput', { description: 'Properties of a new API key.' })
export class ApiKeyInputType {
  @Field(() => String, { description: 'Display name.' }) name!: string
  @Field(() => ApiKeyKind, { description: 'What the key is authorized for.' }) kind!: ValueOf<typeof ApiKeyKind>
  @Field(() => [ID], {
    nullable: true,
    description: 'Ids or names, at most 100; default the active namespace. RUM keys have exactly one.'
  })
  namespaceIds?: string[] | null
  @Field(() => Timestamp, { nullable: true, description: 'Future time at which the key expires; default never.' })
  expiresAt?: string | null
  @Field(() => [String], { nullable: true, description: 'Required for kind RUM and rejected for others; at most 100 origins.' })
  allowedOrigins?: string[] | null
}

/** `first` and `after` of lists that default to 50. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Rows per page, at most 500.' }) first!: number
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
