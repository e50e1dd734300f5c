import { Field, InputType } from 'type-graphql'
import { READ } from './descriptions.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('RumFilter', { description: 'Conditions on page views; all must match. An empty filter matches every page view.' })
export class RumFilterInput {
  @Field(() => String, {
    nullable: true,
    description: 'Search language; bare words match the page URL. At most 8,192 characters.'
  })
  query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => String, { nullable: true, description: 'Exact URL, or URL pattern with `:id` (`PAGE_GROUP`).' })
  pageUrl?: string | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these browsers.' }) browsers?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these operating systems.' }) os?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these device classes.' })
  deviceTypes?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views from any of these countries (ISO 3166-1 alpha-2).' })
  countries?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views over any of these connection types, for example `4g`.' })
  connectionTypes?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Page views of any of these releases.' }) releases?: string[] | null
  @Field(() => String, { nullable: true, description: 'Page views of this session.' }) sessionId?: string | null
}
