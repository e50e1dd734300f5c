import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { fixed64, keyValue, message } from '../support/protobuf.js'
import { type RunningService, startService } from '../support/running-service.js'
import { register } from '../support/tenants.js'

interface Channel {
  readonly protocol: string
  readonly signal: string
  readonly state: string
  readonly [member: string]: unknown
}

const clock = new ClockAhead()

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService({ flags: ['--otlp-grpc-port', String(await freePort())], app: { clock } })
  session = await service.login()
})
afterAll(() => service.close())

async function channels(): Promise<readonly Channel[]> {
  const response = await service.api('/api/v1/otlp/status', { headers: session })
  expect(response.status).toBe(200)
  return response.json['channels'] as Channel[]
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

it('reports "never" for every protocol and signal before anything came', async () => {
  const all = await channels()
  expect([all.length, new Set(all.map(one => one.state))]).toEqual([9, new Set(['never'])])
})

it('reports what came, from which SDK, how old, and without a service', async () => {
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

it('reports why something was refused, and of what', async () => {
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

async function graphql(query: string, headers: Readonly<Record<string, string>> = session): Promise<Record<string, unknown>> {
  const response = await service.api('/api/v1/graphql', { method: 'POST', headers, json: { query } })
  return response.json
}

it('sums up each protocol, the last minute and the services, in REST and GraphQL alike', async () => {
  const response = await service.api('/api/v1/otlp/status', { headers: session })
  const { grpc, protobuf } = { grpc: 1, protobuf: 4 }
  expect(response.json).toMatchObject({
    endpoints: [
      { protocol: 'grpc', url: service.app.otlpGrpcUrl, accepting: true, received: grpc, rejected: 0, last_error: null },
      {
        protocol: 'http/protobuf',
        url: `${service.url}/api/v1/otlp`,
        received: protobuf,
        rejected: 1,
        last_error: expect.stringMatching(/^invalid_field/)
      },
      { protocol: 'http/json', accepting: true, received: 0, last_received: null }
    ],
    spans_per_second: (grpc + protobuf) / 60,
    logs_per_second: 0,
    services: ['shop']
  })
  const { data } = await graphql(
    '{ otlpStatus { endpoints { protocol url accepting received rejected lastError } channels { protocol signal state sdk } spansPerSecond services } }'
  )
  const [first] = response.json['endpoints'] as Record<string, unknown>[]
  expect((data as { otlpStatus: object }).otlpStatus).toMatchObject({
    endpoints: [{ protocol: 'grpc', url: first!['url'], accepting: true, received: grpc }, {}, {}],
    channels: [{ protocol: 'grpc', signal: 'traces', state: 'RECEIVING' }, ...Array.from({ length: 8 }, () => ({}))],
    spansPerSecond: response.json['spans_per_second'],
    services: ['shop']
  })
})

it('sends a test span that can be read and is not counted as received', async () => {
  const before = await channels()
  const sent = await service.api('/api/v1/otlp/test-span', { method: 'POST', headers: session })
  expect(sent.json).toMatchObject({ service: 'alidade-test', readable: true })
  const trace = await service.api(String(sent.json['trace']), { headers: session })
  expect(trace.json).toMatchObject({
    trace_id: sent.json['trace_id'],
    spans: [{ span_id: sent.json['span_id'], service: 'alidade-test', operation: 'test span' }]
  })
  const { data } = await graphql('mutation { sendTestSpan { span { traceId service readable } userErrors { code } } }')
  expect(data).toMatchObject({ sendTestSpan: { span: { service: 'alidade-test', readable: true }, userErrors: [] } })
  expect(await channels()).toEqual(before)
})

it('sends none for viewers and keys', async () => {
  const path = `/api/v1/namespaces/${service.first.namespaceId}/invitations`
  const invitation = await service.api(path, { method: 'POST', headers: session, json: { role: 'viewer' } })
  const viewer = await register(service.api, 'viewer@example.com', { invitation_token: invitation.json['token'] })
  const of = { authorization: `Bearer ${String(viewer.json['access_token'])}`, 'x-namespace-id': service.first.namespaceId }
  const refused = await service.api('/api/v1/otlp/test-span', { method: 'POST', headers: of })
  expect(refused.json).toMatchObject({ status: 403, code: 'role_required' })
  expect(await graphql('mutation { sendTestSpan { userErrors { code } } }', of)).toMatchObject({
    errors: [{ extensions: { code: 'role_required' } }]
  })
  const key = { 'x-api-key': service.first.ingestKey }
  expect((await service.api('/api/v1/otlp/test-span', { method: 'POST', headers: key })).json).toMatchObject({
    status: 403,
    code: 'scope_required'
  })
})

it('reports "stale" when nothing came for five minutes', async () => {
  clock.aheadMs += 300_000 - 60_000
  expect((await channel('grpc', 'traces')).state).toBe('receiving')
  clock.aheadMs += 120_000
  expect((await channel('grpc', 'traces')).state).toBe('stale')
})
