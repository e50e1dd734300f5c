import { Field, ID, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { LogLevel, type ValueOf } from './enums.js'
import { JSONObject, Timestamp } from './scalars.js'
import { TimeWindowType } from './shared.type.js'

@ObjectType('LogRecord', { description: 'A log record (OpenTelemetry logs data model).' })
export class LogRecordType {
  @Field(() => ID, { description: 'Record id, valid as argument of `Query.log`.' }) id!: string
  @Field(() => Timestamp, { description: 'Event time; the arrival time when the sender set none.' }) timestamp!: bigint
  @Field(() => Timestamp, { description: 'Arrival time, in whole milliseconds.' }) receivedAt!: bigint
  @Field(() => String, { description: 'Body of the record; truncated at 256 KiB by default.' }) message!: string
  @Field(() => LogLevel, { description: 'Severity; UNKNOWN for records without a level or with an unrecognized one.' })
  level!: ValueOf<typeof LogLevel>
  @Field(() => String, { nullable: true, description: 'Level as the sender wrote it.' }) levelText!: string | null
  @Field(() => String, { nullable: true, description: 'Emitting service; over OTLP the resource attribute `service.name`.' })
  service!: string | null
  @Field(() => String, { nullable: true, description: 'Emitting host; over OTLP the resource attribute `host.name`.' })
  host!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'File or logger; over OTLP `log.file.path`, `log.file.name` or the name of the instrumentation scope.'
  })
  source!: string | null
  @Field(() => String, { nullable: true, description: 'Trace that was active; 32 hexadecimal digits in OpenTelemetry.' })
  traceId!: string | null
  @Field(() => String, { nullable: true, description: 'Span that was active; 16 hexadecimal digits in OpenTelemetry.' })
  spanId!: string | null
  @Field(() => JSONObject, {
    description: 'Structured members (`log_fields`), with unrecognized top-level members; over OTLP the attributes.'
  })
  fields!: object
  @Field(() => JSONObject, { description: 'Tags of the sender; over OTLP the attributes of resource and scope.' }) tags!: object
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
