import { Field, Float, ID, ObjectType } from 'type-graphql'
import { OtlpState, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'

@ObjectType('OtlpEndpoint', { description: 'An OTLP protocol, all signals together.' })
export class OtlpEndpointType {
  @Field(() => String, { description: '`grpc`, `http/protobuf` or `http/json`.' }) protocol!: string
  @Field(() => String, { nullable: true, description: 'Base URL for exporters; null when the receiver is disabled.' })
  url!: string | null
  @Field(() => Boolean, { description: 'Whether a receiver is listening.' }) accepting!: boolean
  @Field(() => Timestamp, { nullable: true, description: 'Time of the latest accepted request.' }) lastReceivedAt!: bigint | null
  @Field(() => SafeInt, { description: 'Number of accepted records.' }) received!: number
  @Field(() => SafeInt, { description: 'Number of rejected records.' }) rejected!: number
  @Field(() => String, { nullable: true, description: 'Reason of the latest rejection.' }) lastError!: string | null
}

@ObjectType('OtlpChannel', { description: 'An OTLP protocol and signal.' })
export class OtlpChannelType {
  @Field(() => String, { description: '`grpc`, `http/protobuf` or `http/json`.' }) protocol!: string
  @Field(() => String, { description: '`traces`, `metrics` or `logs`.' }) signal!: string
  @Field(() => OtlpState, { description: 'Receiving state of the last 5 minutes.' }) state!: ValueOf<typeof OtlpState>
  @Field(() => Timestamp, { nullable: true, description: 'Time of the latest accepted request.' }) lastAcceptedAt!: bigint | null
  @Field(() => Timestamp, { nullable: true, description: 'Time of the latest request that was rejected, in whole or in part.' })
  lastRejectedAt!: bigint | null
  @Field(() => String, { nullable: true, description: 'Reason of the latest rejection, at most 500 bytes.' })
  lastRejection!: string | null
  @Field(() => SafeInt, { description: 'Number of export requests.' }) requests!: number
  @Field(() => SafeInt, { description: 'Number of accepted spans, data points or log records.' }) records!: number
  @Field(() => SafeInt, { description: 'Number of rejected spans, data points or log records.' }) rejectedRecords!: number
  @Field(() => SafeInt, { description: 'Size of the request bodies in bytes.' }) bytes!: number
  @Field(() => String, {
    nullable: true,
    description: '`telemetry.sdk.*` of the latest resource, for example `opentelemetry nodejs 2.12.0`.'
  })
  sdk!: string | null
  @Field(() => Float, {
    nullable: true,
    description: 'Arrival time minus event time of the latest record, in milliseconds; null without an event time.'
  })
  clockSkewMs!: number | null
  @Field(() => SafeInt, { description: 'Number of records whose resource has no `service.name`.' }) withoutService!: number
}

@ObjectType('OtlpStatus', { description: 'OTLP traffic of the namespace that this gateway received since its start.' })
export class OtlpStatusType {
  @Field(() => [OtlpEndpointType], { description: 'One entry per protocol.' }) endpoints!: readonly OtlpEndpointType[]
  @Field(() => [OtlpChannelType], { description: 'One entry per protocol and signal, also without traffic.' })
  channels!: readonly OtlpChannelType[]
  @Field(() => Float, { description: 'Accepted spans per second, over the last minute.' }) spansPerSecond!: number
  @Field(() => Float, { description: 'Accepted log records per second, over the last minute.' }) logsPerSecond!: number
  @Field(() => Float, { description: 'Accepted metric data points per second, over the last minute.' }) pointsPerSecond!: number
  @Field(() => [String], { description: 'Values of `service.name`, the 200 most recent, in alphabetical order.' })
  services!: readonly string[]
}

@ObjectType('TestSpan', { description: 'A span that the gateway sent to itself through the OTLP pipeline.' })
export class TestSpanType {
  @Field(() => ID, { description: '32 lower-case hexadecimal digits.' }) traceId!: string
  @Field(() => ID, { description: '16 lower-case hexadecimal digits.' }) spanId!: string
  @Field(() => String, { description: 'Always `alidade-test`.' }) service!: string
  @Field(() => Boolean, { description: 'Whether a query found the trace.' }) readable!: boolean
  @Field(() => Float, { description: 'Milliseconds from sending to finding.' }) tookMs!: number
}
