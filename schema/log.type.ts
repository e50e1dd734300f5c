import { Field, ID, ObjectType } from 'type-graphql'
import { fieldList } from '../src/domain/records/field.js'
import { LOG } from '../src/domain/records/log.js'
import { PAGE, READ } from './descriptions.js'
import { LogLevel, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'
import { TimeWindowType } from './shared.type.js'

@ObjectType('LogRecord', { description: 'A log record (OpenTelemetry logs data model).' })
export class LogRecordType {
  @Field(() => ID, { description: 'Record id, valid as argument of `Query.log`.' }) id!: string
  @Field(() => Timestamp, { description: 'Event time; the arrival time when the sender set none.' }) timestamp!: bigint
  @Field(() => Timestamp, { description: 'Arrival time, in whole milliseconds.' }) receivedAt!: bigint
  @Field(() => LogLevel, { description: 'Severity; UNKNOWN for records without a level or with an unrecognized one.' })
  level!: ValueOf<typeof LogLevel>
}

/** Fields of the record's table that GraphQL shows as they are: all strings and objects but the level, which is an enum. */
export const LOG_MEMBERS = fieldList(LOG).filter(({ key, type }) => key !== 'level' && (type === 'text' || type === 'object'))

/** Of those, arguments of queries. */
const IDS: ReadonlySet<string> = new Set(['patternId'])

for (const field of LOG_MEMBERS) {
  const nullable = field.type === 'text' && field.otherwise === undefined
  const type = IDS.has(field.key) ? ID : field.type === 'text' ? String : JSONObject
  Field(() => type, { nullable, description: field.description })(LogRecordType.prototype, field.key)
}

@ObjectType('LogEdge', { description: 'A log record with its cursor.' })
export class LogEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => LogRecordType, { description: 'Log record at this position.' }) node!: LogRecordType
}

@ObjectType('LogConnection', {
  description:
    'Log records of one filter, with counts over the same filter. Only selected fields are computed; one store request serves rows, count, facets and the first histogram. Cursors stay valid while new records arrive.'
})
export class LogConnectionType {
  @Field(() => TimeWindowType, { description: READ.window }) window!: TimeWindowType
}
