import { Field, Float, ID, ObjectType } from 'type-graphql'
import { OtlpState, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'

@ObjectType('OtlpEndpoint', { description: 'One protocol: `grpc`, `http/protobuf`, `http/json`; all signals together.' })
export class OtlpEndpointType {
  @Field(() => String) protocol!: string
  @Field(() => String, { nullable: true, description: 'Where to point senders; null where nothing answers.' })
  url!: string | null
  @Field(() => Boolean) accepting!: boolean
  @Field(() => Timestamp, { nullable: true }) lastReceivedAt!: bigint | null
  @Field(() => SafeInt, { description: 'Records.' }) received!: number
  @Field(() => SafeInt) rejected!: number
  @Field(() => String, { nullable: true }) lastError!: string | null
}

@ObjectType('OtlpChannel', { description: 'One protocol and signal.' })
export class OtlpChannelType {
  @Field(() => String) protocol!: string
  @Field(() => String, { description: '`traces`, `metrics` or `logs`.' }) signal!: string
  @Field(() => OtlpState) state!: ValueOf<typeof OtlpState>
  @Field(() => Timestamp, { nullable: true }) lastAcceptedAt!: bigint | null
  @Field(() => Timestamp, { nullable: true }) lastRejectedAt!: bigint | null
  @Field(() => String, { nullable: true }) lastRejection!: string | null
  @Field(() => SafeInt) requests!: number
  @Field(() => SafeInt) records!: number
  @Field(() => SafeInt) rejectedRecords!: number
  @Field(() => SafeInt) bytes!: number
  @Field(() => String, { nullable: true, description: '`telemetry.sdk.*` of the resource that came last.' })
  sdk!: string | null
  @Field(() => Float, { nullable: true, description: 'Arrival minus the time of the last record that came.' })
  clockSkewMs!: number | null
  @Field(() => SafeInt, { description: 'Records whose resource has no `service.name`.' }) withoutService!: number
}

@ObjectType('OtlpStatus', { description: 'Whether OTLP arrives: what the gateway that answers has seen since it started.' })
export class OtlpStatusType {
  @Field(() => [OtlpEndpointType]) endpoints!: readonly OtlpEndpointType[]
  @Field(() => [OtlpChannelType], { description: 'Every protocol and signal, those that never came too.' })
  channels!: readonly OtlpChannelType[]
  @Field(() => Float, { description: 'Over the last minute, as the other two.' }) spansPerSecond!: number
  @Field(() => Float) logsPerSecond!: number
  @Field(() => Float) pointsPerSecond!: number
  @Field(() => [String], { description: 'Values of `service.name` that came; the 200 that came last.' })
  services!: readonly string[]
}

@ObjectType('TestSpan', { description: 'A span that went the way of those of senders, and was looked for.' })
export class TestSpanType {
  @Field(() => ID) traceId!: string
  @Field(() => ID) spanId!: string
  @Field(() => String) service!: string
  @Field(() => Boolean, { description: 'Whether the trace was found again.' }) readable!: boolean
  @Field(() => Float) tookMs!: number
}
