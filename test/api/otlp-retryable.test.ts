import { ByteBudget } from '../../src/ingest/byte-budget.js'
import { ConnectionLimit } from '../../src/http/connection-limit.js'
import { systemTimers } from '../../src/threads/system-timers.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { status } from '@grpc/grpc-js'
import { pino } from 'pino'
import { type ErrorCode, GatewayError } from '../../src/domain/errors.js'
import type { KeyId } from '../../src/domain/ids.js'
import { GrpcServer } from '../../src/grpc/server.js'
import type { Stores } from '../../src/ports/stores.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { fixed64, message } from '../support/protobuf.js'

// What fails for now: a sender needs a retryable status in its own protocol, or it drops what it has.

const PROTOBUF = 'application/x-protobuf'
const RETRY_AFTER_S = 7
const KEY = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }

let fault: ErrorCode | null = null

function faulty(stores: Stores): Pick<Stores, 'logs' | 'metrics' | 'events'> {
  const logs: Pick<Stores['logs'], 'append' | 'settle'> = {
    settle: ns => stores.logs.settle(ns),
    append: async (ns, batch) => {
      if (fault !== null) throw new GatewayError(fault, 'not now', { retryAfterS: RETRY_AFTER_S })
      return stores.logs.append(ns, batch)
    }
  }
  return { ...stores, logs: logs as Stores['logs'] }
}

let service: IngestService
let server: GrpcServer
let grpc: OtlpGrpcClient
beforeAll(async () => {
  service = await openIngestService({}, faulty)
  const key = {
    kind: 'key',
    keyId: 'k1' as KeyId,
    keyKind: 'ingest',
    namespaces: [namespaceId('prod')],
    allowedOrigins: []
  } as const
  server = new GrpcServer({
    ingest: service.ingest,
    keys: { verify: async () => key, isStillGood: () => true, prefixOf: () => null },
    requestLog: null,
    budget: new ByteBudget(256 * 1024 * 1024, systemTimers),
    timers: systemTimers,
    connections: new ConnectionLimit({ perNetwork: 1_000, trustedProxies: [] }),
    logger: pino({ level: 'silent' }),
    newRequestId: () => 'request'
  })
  grpc = new OtlpGrpcClient(`http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`)
})
afterEach(() => {
  fault = null
})
afterAll(async () => {
  grpc.close()
  await server.stop(1_000)
  await service.close()
})

function logs(text: string): Buffer {
  const timeNs = BigInt(Date.now()) * 1_000_000n
  return message(1, message(2, message(2, fixed64(1, timeNs), message(5, message(1, text)))))
}

function post(body: Buffer | string, type: string): Promise<Response> {
  const headers = { ...KEY, 'content-type': type }
  return fetch(`${service.url}/v1/logs`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : new Uint8Array(body)
  })
}

function jsonLogs(text: string): string {
  const logRecords = [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: text } }]
  return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
}

describe.each<[ErrorCode, number, number]>([
  ['store_unavailable', 503, status.UNAVAILABLE],
  ['overloaded', 503, status.UNAVAILABLE],
  ['storage_full', 503, status.UNAVAILABLE]
])('%s', (code, httpStatus, rpcCode) => {
  it('over HTTP, the body of every 5xx MUST be a Status in the encoding of the request, with Retry-After', async () => {
    fault = code
    const inJson = await post(jsonLogs(`json ${code}`), 'application/json')
    expect([inJson.status, inJson.headers.get('retry-after')]).toEqual([httpStatus, String(RETRY_AFTER_S)])
    expect(await inJson.json()).toEqual({ code: rpcCode, message: expect.stringContaining(code) })
    const inProtobuf = await post(logs(`protobuf ${code}`), PROTOBUF)
    const headers = [inProtobuf.headers.get('content-type'), inProtobuf.headers.get('retry-after')]
    expect([inProtobuf.status, ...headers]).toEqual([httpStatus, PROTOBUF, String(RETRY_AFTER_S)])
    expect(Buffer.from(await inProtobuf.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0x08, rpcCode]))
  })

  it('over gRPC is UNAVAILABLE with a RetryInfo', async () => {
    fault = code
    const response = await grpc.export('logs', logs(`grpc ${code}`), KEY)
    expect([response.code, response.details]).toEqual([rpcCode, expect.stringContaining(code)])
    const [details] = response.trailer.get('grpc-status-details-bin') as Buffer[]
    // google.rpc.Status { code, message, details: Any { google.rpc.RetryInfo { retry_delay { seconds } } } }
    expect(details!.subarray(0, 2)).toEqual(Buffer.from([0x08, rpcCode]))
    const url = 'type.googleapis.com/google.rpc.RetryInfo'
    expect(details!.subarray(details!.indexOf(url) + url.length)).toEqual(Buffer.from([0x12, 4, 0x0a, 2, 0x08, RETRY_AFTER_S]))
  })
})

it('is taken when it comes again', async () => {
  const body = logs('again')
  fault = 'store_unavailable'
  expect((await post(body, PROTOBUF)).status).toBe(503)
  fault = null
  expect((await post(body, PROTOBUF)).status).toBe(200)
  expect((await grpc.export('logs', body, KEY)).code).toBe(status.OK)
})
