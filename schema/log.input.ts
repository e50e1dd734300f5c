import { Field, InputType } from 'type-graphql'
import { parametersOf } from '../src/domain/records/field.js'
import { LOG } from '../src/domain/records/log.js'
import { READ } from './descriptions.js'
import { LogLevel, type ValueOf } from './enums.js'
import { FieldFilterInput } from './shared.input.js'

@InputType('LogFilter', { description: 'Conditions on log records; all must match. An empty filter matches every record.' })
export class LogFilterInput {
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => [LogLevel], { nullable: true, description: 'Records with any of these levels.' })
  levels?: ValueOf<typeof LogLevel>[] | null
}

/** Conditions on the values of fields of the record's table. Levels are an enum, above. */
export const LOG_FILTERS = parametersOf(LOG).filter(({ key }) => key !== 'level')

for (const { parameter } of LOG_FILTERS) {
  const { name, isMany, description } = parameter
  Field(() => (isMany ? [String] : String), { nullable: true, description })(LogFilterInput.prototype, name)
}
