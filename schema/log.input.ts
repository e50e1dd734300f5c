import { Field, InputType } from 'type-graphql'
import { READ } from './descriptions.js'
import { LogLevel, type ValueOf } from './enums.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('LogFilter', { description: 'Conditions on log records; all must match. An empty filter matches every record.' })
export class LogFilterInput {
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => [LogLevel], { nullable: true, description: 'Records with any of these levels.' })
  levels?: ValueOf<typeof LogLevel>[] | null
  @Field(() => [String], { nullable: true, description: 'Records of any of these services, case-sensitive.' })
  services?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Records of any of these hosts, case-sensitive.' })
  hosts?: string[] | null
  @Field(() => [String], { nullable: true, description: 'Records of any of these sources, case-sensitive.' })
  sources?: string[] | null
  @Field(() => String, { nullable: true, description: 'Records with this trace id, as given or in lower case.' })
  traceId?: string | null
  @Field(() => String, { nullable: true, description: 'Records with this span id, as given or in lower case.' })
  spanId?: string | null
}
