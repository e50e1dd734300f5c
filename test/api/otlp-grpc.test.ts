import { createServer } from 'node:net'
import { once } from 'node:events'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { fixed64, keyValue, message } from '../support/protobuf.js'
import { type RunningService, startService } from '../support/running-service.js'

const NO_BYTES = Buffer.alloc(0)

let service: RunningService
let client: OtlpGrpcClient
let session: { readonly authorization: string }
beforeAll(async () => {
  const flags = ['--otlp-grpc-port', String(await freePort()), '--otlp-http-port', String(await freePort())]
  service = await startService({ flags })
  session = await service.login()
  client = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
})
afterAll(async () => {
  client.close()
  await service.close()
})

const key = (): Record<string, string> => ({ 'x-api-key': service.first.ingestKey })
const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n
const text = (value: string): Buffer => message(1, value)

function logs(...bodies: readonly string[]): Buffer {
  return message(1, message(2, ...bodies.map(body => message(2, fixed64(1, nowNs()), message(5, text(body))))))
}

function spans(...ids: readonly string[]): Buffer {
  const span = (id: string): Buffer =>
    message(2, message(1, Buffer.from(id.repeat(2), 'hex')), message(2, Buffer.from(id, 'hex')), fixed64(7, nowNs()))
  return message(1, message(1, keyValue(1, 'service.name', text('grpc'))), message(2, ...ids.map(span)))
}

async function messagesWith(query: string): Promise<unknown[]> {
  await service.settle()
  const response = await service.api('/api/v1/logs/query', { method: 'POST', headers: session, json: { query } })
  return (response.json['logs'] as { message: unknown }[]).map(log => log.message)
}

describe('OTLP over gRPC', () => {
  it('takes logs, which are found', async () => {
    const response = await client.export('logs', logs('over grpc one', 'over grpc two'), key())
    expect([response.code, response.reply]).toEqual([status.OK, NO_BYTES])
    expect(response.trailer.get('x-resolved-namespace')).toEqual([service.first.namespace])
    expect(new Set(await messagesWith('"over grpc"'))).toEqual(new Set(['over grpc one', 'over grpc two']))
  })

  it('takes traces and metrics', async () => {
    expect((await client.export('traces', spans('b7ad6b7169203331'), key())).code).toBe(status.OK)
    const gauge = message(1, message(2, message(2, message(1, 'grpc.gauge'), message(5, message(1, fixed64(3, nowNs()))))))
    expect((await client.export('metrics', gauge, key())).code).toBe(status.OK)
  })

  it('takes gzip', async () => {
    const zipped = new OtlpGrpcClient(service.app.otlpGrpcUrl!, { 'grpc.default_compression_algorithm': 2 })
    expect((await zipped.export('logs', logs('zipped over the wire'), key())).code).toBe(status.OK)
    zipped.close()
    expect(await messagesWith('"zipped over the wire"')).toEqual(['zipped over the wire'])
  })

  it('stores a message that is sent again once, also when it comes over HTTP then', async () => {
    const body = logs('sent twice')
    const over = { method: 'POST', headers: { ...key(), 'content-type': 'application/x-protobuf' }, body }
    const codes = [await client.export('logs', body, key()), await client.export('logs', body, key())].map(({ code }) => code)
    expect([...codes, (await fetch(`${service.url}/v1/logs`, over)).status]).toEqual([status.OK, status.OK, 200])
    expect(await messagesWith('"sent twice"')).toEqual(['sent twice'])
  })

  it('takes the key as bearer and the namespace in the metadata', async () => {
    const headers = { authorization: `Bearer ${service.first.ingestKey}`, 'x-service-namespace': service.first.namespace }
    expect((await client.export('logs', logs('by bearer'), headers)).code).toBe(status.OK)
  })

  it('reports a partial success', async () => {
    const { code, reply } = await client.export('traces', spans('b7ad6b7169203331', '00'.repeat(8)), key())
    expect(code).toBe(status.OK)
    // ExportTraceServiceResponse.partial_success { rejected_spans: 1, error_message }
    expect(reply.subarray(2, 4)).toEqual(Buffer.from([0x08, 1]))
    expect(reply.toString()).toContain('trace_id must be 16 bytes')
  })

  it.each<[string, () => Record<string, string>, () => Buffer, number]>([
    ['without a key', () => ({}), () => logs('x'), status.UNAUTHENTICATED],
    ['with an unknown key', () => ({ 'x-api-key': 'ali_ingest_x' }), () => logs('x'), status.UNAUTHENTICATED],
    ['with two words as bearer', () => ({ authorization: 'Bearer a b' }), () => logs('x'), status.UNAUTHENTICATED],
    ['of another namespace', () => ({ ...key(), 'x-service-namespace': 'elsewhere' }), () => logs('x'), status.PERMISSION_DENIED],
    ['whose bytes are not a message', key, () => Buffer.from([0xff, 0xff]), status.INVALID_ARGUMENT],
    ['that is larger than may be', key, () => Buffer.alloc(64 * 1024 * 1024 + 1), status.RESOURCE_EXHAUSTED]
  ])('refuses an export %s for good', async (_, headers, body, code) => {
    const response = await client.export('logs', body(), headers())
    expect(response.code).toBe(code)
    expect(response.trailer.get('grpc-status-details-bin')).toEqual([])
  })

  it('refuses a key of another kind', async () => {
    const json = { name: 'reader', kind: 'query' }
    const made = await service.api('/api/v1/keys', { method: 'POST', headers: session, json })
    const response = await client.export('logs', logs('x'), { 'x-api-key': made.json['key'] as string })
    expect([response.code, response.details]).toEqual([status.PERMISSION_DENIED, expect.stringContaining('kind ingest')])
  })

  it('knows no other method', async () => {
    const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Import'
    expect((await client.call(path, NO_BYTES, key())).code).toBe(status.UNIMPLEMENTED)
  })
})

describe('OTLP over HTTP on its own port', () => {
  it('takes OTLP alone', async () => {
    const send = (path: string): Promise<Response> =>
      fetch(`${service.app.otlpHttpUrl}${path}`, {
        method: 'POST',
        headers: { ...key(), 'content-type': 'application/x-protobuf' },
        body: NO_BYTES
      })
    const statuses = await Promise.all(
      ['/v1/logs', '/v1/traces', '/v1/metrics', '/api/v1/otlp/v1/traces', '/api/v1/logs'].map(
        async path => (await send(path)).status
      )
    )
    expect(statuses).toEqual([200, 200, 200, 200, 404])
  })
})

it('reports when it may be tried again', async () => {
  const slow = await startService({ flags: ['--otlp-grpc-port', String(await freePort()), '--rate-ingest', '1B'] })
  const sender = new OtlpGrpcClient(slow.app.otlpGrpcUrl!)
  const send = () => sender.export('logs', logs('too much for one second'), { 'x-api-key': slow.first.ingestKey })
  await send()
  const response = await send()
  sender.close()
  await slow.close()
  expect(response.code).toBe(status.RESOURCE_EXHAUSTED)
  const [details] = response.trailer.get('grpc-status-details-bin') as Buffer[]
  // google.rpc.Status { code: 8, message, details: Any { google.rpc.RetryInfo { retry_delay { seconds } } } }
  expect(details!.subarray(0, 2)).toEqual(Buffer.from([0x08, status.RESOURCE_EXHAUSTED]))
  const url = 'type.googleapis.com/google.rpc.RetryInfo'
  const seconds = details!.subarray(details!.indexOf(url) + url.length)
  expect([seconds[0], seconds[2], seconds[4]]).toEqual([0x12, 0x0a, 0x08])
  expect(seconds[5]).toBeGreaterThan(0)
})

describe('a port of OTLP that another program has', () => {
  it('is refused in words when the settings name it', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    for (const name of ['http', 'grpc']) {
      const started = startService({ flags: [`--otlp-${name}-port`, String(port)] })
      await expect(started).rejects.toThrow(`is in use: set otlp_${name}_port to a free port, or to 0`)
    }
    other.close()
  })
})

it('finishes the export that is in flight when the service stops', async () => {
  const own = await startService({ flags: ['--otlp-grpc-port', String(await freePort())] })
  const sender = new OtlpGrpcClient(own.app.otlpGrpcUrl!)
  const sent = { 'x-api-key': own.first.ingestKey }
  await sender.export('logs', logs('before'), sent)
  const inFlight = sender.export('logs', logs(...Array.from({ length: 5_000 }, (_, i) => `line ${i}`)), sent)
  // The call has to be on the wire before the stop.
  await sender.export('logs', logs('second'), sent)
  const closing = own.close()
  expect((await inFlight).code).toBe(status.OK)
  await closing
  expect((await sender.export('logs', logs('after'), sent)).code).toBe(status.UNAVAILABLE)
  sender.close()
})
