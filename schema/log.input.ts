import { Field, InputType } from 'type-graphql'
import { LogLevel, type ValueOf } from './enums.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('LogFilter', {
  description: '`query` is the search-box language; `where` is the same thing structured. Both are ANDed. Empty means everything.'
})
export class LogFilterInput {
  @Field(() => String, { nullable: true }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true }) where?: FieldFilterInput[] | null
  @Field(() => [LogLevel], { nullable: true }) levels?: ValueOf<typeof LogLevel>[] | null
  @Field(() => [String], { nullable: true }) services?: string[] | null
  @Field(() => [String], { nullable: true }) hosts?: string[] | null
  @Field(() => [String], { nullable: true }) sources?: string[] | null
  @Field(() => String, { nullable: true }) traceId?: string | null
  @Field(() => String, { nullable: true }) spanId?: string | null
}
