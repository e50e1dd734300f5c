import { connect, constants } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import type { KeyId } from '../../src/domain/ids.js'
import { GrpcServer } from '../../src/grpc/server.js'
import { ByteBudget, MAX_WAIT_MS, OPEN_BODY_BYTES } from '../../src/ingest/byte-budget.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'
import { ManualTime } from '../support/manual-time.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import { message } from '../support/protobuf.js'

const MIB = 1024 * 1024
const GZIP = 2
const WHOLE = 32 * MIB
/** A log record whose text is cut; it compresses to a thousandth. */
const BOMB = message(1, message(2, message(2, message(5, message(1, Buffer.alloc(8 * MIB, 'a'))))))

let service: IngestService
let server: GrpcServer
let url: string
let ended = 0
/** How long a key takes to be found. */
let lookUp: () => Promise<void> = async () => undefined
const time = new ManualTime()
const budget = new ByteBudget(WHOLE, time)
beforeAll(async () => {
  service = await openIngestService()
  const key = {
    kind: 'key',
    keyId: 'k1' as KeyId,
    keyKind: 'ingest',
    namespaces: [namespaceId('prod')],
    allowedOrigins: []
  } as const
  server = new GrpcServer({
    ingest: service.ingest,
    keys: { verify: () => lookUp().then(() => key), isStillGood: () => true, prefixOf: () => null },
    requestLog: { log: () => void ended++ },
    budget,
    logger: pino({ level: 'silent' }),
    newRequestId: () => 'request'
  })
  url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
})
afterAll(async () => {
  await server.stop(1_000)
  await service.close()
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}

describe('messages over gRPC', () => {
  it('take memory of the budget as they are decompressed, within the share of their caller', async () => {
    expect(gzipSync(BOMB).length).toBeLessThan(16_384)
    const client = new OtlpGrpcClient(url, { 'grpc.default_compression_algorithm': GZIP })
    let most = 0
    let isDone = false
    const calls = Promise.all(Array.from({ length: 12 }, () => client.export('logs', BOMB, { 'x-api-key': 'k' })))
    void calls.finally(() => (isDone = true))
    await until(() => {
      most = Math.max(most, budget.state.usedBytes)
      return isDone
    })
    expect(new Set((await calls).map(({ code }) => code))).toEqual(new Set([status.OK]))
    expect(most).toBeGreaterThan(8 * MIB)
    expect(most).toBeLessThanOrEqual(WHOLE / 2)
    await until(() => budget.state.bodies === 0)
    client.close()
  })

  it('are refused when there is no room, with a time to try again', async () => {
    const held = budget.open({ kind: 'principal', group: 'another', id: 'k2' })
    held.tryTake(WHOLE - 5 * MIB)
    const client = new OtlpGrpcClient(url, { 'grpc.default_compression_algorithm': GZIP })
    const call = client.export('logs', BOMB, { 'x-api-key': 'k' })
    await until(() => budget.state.waiting > 0)
    time.pass(MAX_WAIT_MS)
    const { code, details, trailer } = await call
    expect([code, details]).toEqual([status.UNAVAILABLE, expect.stringContaining('overloaded: ')])
    expect(String(trailer.get('grpc-status-details-bin')[0])).toContain('google.rpc.RetryInfo')
    held.release()
    await until(() => budget.state.bodies === 0)
    client.close()
  })

  it('are counted as they arrive, uncompressed', async () => {
    const client = new OtlpGrpcClient(url)
    let most = 0
    let isDone = false
    const call = client.export('logs', BOMB, { 'x-api-key': 'k' }).finally(() => (isDone = true))
    await until(() => {
      most = Math.max(most, budget.state.usedBytes)
      return isDone
    })
    expect((await call).code).toBe(status.OK)
    expect(most).toBeGreaterThanOrEqual(BOMB.length + OPEN_BODY_BYTES)
    client.close()
  })

  it('hold nothing when their client has left before its key was known', async () => {
    let found: () => void = () => undefined
    let isAsked = false
    lookUp = async () => {
      isAsked = true
      await new Promise<void>(resolve => (found = resolve))
    }
    const session = connect(url)
    const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'
    const headers = { 'content-type': 'application/grpc', te: 'trailers', 'x-api-key': 'k' }
    const call = session.request({ ':method': 'POST', ':path': path, ...headers })
    call.on('error', () => undefined)
    await until(() => isAsked)
    const before = ended
    call.close(constants.NGHTTP2_CANCEL)
    await until(() => ended > before)
    lookUp = async () => undefined
    found()
    await new Promise(resolve => setImmediate(resolve))
    session.destroy()
    expect(budget.state).toMatchObject({ bodies: 0, usedBytes: 0 })
  })
})
