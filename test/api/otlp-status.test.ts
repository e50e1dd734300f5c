import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../servers/ports.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { fixed64, keyValue, message } from '../support/protobuf.js'
import { type RunningService, startService } from '../support/running-service.js'

interface Channel {
  readonly protocol: string
  readonly signal: string
  readonly state: string
  readonly [member: string]: unknown
}

const moved = { aheadMs: 0 }
const clock = {
  nowMs: () => Date.now() + moved.aheadMs,
  nowNs: () => BigInt(Date.now() + moved.aheadMs) * 1_000_000n,
  monotonicMs: () => performance.now() + moved.aheadMs
}

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService({ flags: ['--otlp-grpc-port', String(await freePort())], app: { clock } })
  session = await service.login()
})
afterAll(() => service.close())

async function channels(): Promise<readonly Channel[]> {
  const answer = await service.api('/api/v1/otlp/status', { headers: session })
  expect(answer.status).toBe(200)
  return answer.json['channels'] as Channel[]
}

async function channel(protocol: string, signal: string): Promise<Channel> {
  return (await channels()).find(one => one.protocol === protocol && one.signal === signal)!
}

const text = (value: string): Buffer => message(1, value)

function spans(ageMs: number, resource: Buffer, ...traceIds: readonly number[]): Buffer {
  const timeNs = clock.nowNs() - BigInt(ageMs) * 1_000_000n
  const span = (id: number): Buffer =>
    message(2, message(1, Buffer.alloc(16, id)), message(2, Buffer.alloc(8, 1)), fixed64(7, timeNs), fixed64(8, timeNs))
  return message(1, resource, message(2, ...traceIds.map(span)))
}

const SDK = message(
  1,
  keyValue(1, 'service.name', text('shop')),
  keyValue(1, 'telemetry.sdk.name', text('opentelemetry')),
  keyValue(1, 'telemetry.sdk.language', text('nodejs')),
  keyValue(1, 'telemetry.sdk.version', text('2.12.0'))
)

function send(body: Buffer): Promise<Response> {
  const headers = { 'x-api-key': service.first.ingestKey, 'content-type': 'application/x-protobuf' }
  return fetch(`${service.url}/v1/traces`, { method: 'POST', headers, body })
}

it('says never of every protocol and signal before anything came', async () => {
  const all = await channels()
  expect([all.length, new Set(all.map(one => one.state))]).toEqual([9, new Set(['never'])])
})

it('says what came, from which SDK, how old, and without a service', async () => {
  const body = spans(90_000, SDK, 1, 2)
  await send(body)
  const seen = await channel('http/protobuf', 'traces')
  expect(seen).toMatchObject({
    state: 'receiving',
    requests: 1,
    records: 2,
    rejected_records: 0,
    bytes: body.length,
    sdk: 'opentelemetry nodejs 2.12.0',
    without_service: 0,
    last_rejected: null
  })
  expect(seen['clock_skew_ms']).toBeGreaterThanOrEqual(90_000)
  await send(spans(0, Buffer.alloc(0), 3))
  expect(await channel('http/protobuf', 'traces')).toMatchObject({ requests: 2, records: 3, without_service: 1, sdk: null })
})

it('says why something was refused, and of what', async () => {
  await send(spans(0, SDK, 4, 0))
  expect(await channel('http/protobuf', 'traces')).toMatchObject({
    state: 'rejecting',
    records: 4,
    rejected_records: 1,
    last_rejection: 'trace_id must be 16 bytes that are not all zero'
  })
  await send(Buffer.from([0xff]))
  const { last_rejection: why } = await channel('http/protobuf', 'traces')
  expect(why).toMatch(/^invalid_field: not an OTLP request/)
})

it('keeps protocols apart', async () => {
  const client = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
  await client.export('traces', spans(0, SDK, 5), { 'x-api-key': service.first.ingestKey })
  client.close()
  expect(await channel('grpc', 'traces')).toMatchObject({ state: 'receiving', records: 1 })
  expect(await channel('grpc', 'logs')).toMatchObject({ state: 'never', records: 0 })
})

it('says stale when nothing came for five minutes', async () => {
  moved.aheadMs += 300_000 - 60_000
  expect((await channel('grpc', 'traces')).state).toBe('receiving')
  moved.aheadMs += 120_000
  expect((await channel('grpc', 'traces')).state).toBe('stale')
})
