import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { ConnectionLimit } from '../../src/http/connection-limit.js'
import type { KeyId } from '../../src/domain/ids.js'
import { GrpcServer } from '../../src/grpc/server.js'
import { MIN_PROGRESS_BYTES, PROGRESS_PERIOD_MS } from '../../src/http/body-collection.js'
import { MAX_WAIT_MS, OPEN_BODY_BYTES } from '../../src/ingest/byte-budget.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'
import { ManualTime } from '../support/manual-time.js'
import { ObservedBudget } from '../support/observed-budget.js'
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
/** Called when a call has ended. */
let onEnd: () => void = () => undefined
/** HTTP statuses under which responses are counted. */
const responses: number[] = []
/** How long a key takes to be found. */
let lookUp: () => Promise<void> = async () => undefined
const time = new ManualTime()
const budget = new ObservedBudget(WHOLE, time)
const until = (isSo: () => boolean): Promise<void> => budget.changes.until(isSo)
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
    requestLog: { log: () => onEnd() },
    budget,
    timers: time,
    connections: new ConnectionLimit({ perNetwork: 1_000, trustedProxies: [] }),
    onResponse: ({ status: responded }) => void responses.push(responded),
    logger: pino({ level: 'silent' }),
    newRequestId: () => 'request'
  })
  url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
})
afterAll(async () => {
  await server.stop(1_000)
  await service.close()
})

const HEADERS = {
  ':method': 'POST',
  ':path': '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  'content-type': 'application/grpc',
  te: 'trailers',
  'x-api-key': 'k'
}
/** In front of a message that is not compressed. */
function prefixOf(bytes: number): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(bytes, 1)
  return prefix
}

/** Of slow calls. */
const sessions: ClientHttp2Session[] = []
afterEach(() => sessions.splice(0).forEach(session => session.destroy()))

interface SlowCall {
  readonly call: ClientHttp2Stream
  /** Status and text of the response. */
  readonly result: Promise<readonly [unknown, unknown]>
}

function openSlowCall(): SlowCall {
  const session = connect(url)
  sessions.push(session)
  const call = session.request(HEADERS)
  call.on('error', () => undefined)
  const response = new Promise<readonly [unknown, unknown]>(resolve => {
    call.on('response', headers => resolve([headers['grpc-status'], headers['grpc-message']]))
  })
  return { call, result: response }
}

describe('messages over gRPC that come slowly', () => {
  it('are refused when they make no progress, with a status that may be sent again, and counted', async () => {
    const { call, result: response } = openSlowCall()
    call.write(Buffer.concat([prefixOf(MIB), Buffer.alloc(MIN_PROGRESS_BYTES - 5)]))
    await until(() => budget.state.usedBytes === OPEN_BODY_BYTES + MIN_PROGRESS_BYTES)
    time.pass(PROGRESS_PERIOD_MS)
    call.write(Buffer.alloc(MIN_PROGRESS_BYTES - 1))
    await until(() => budget.state.usedBytes === OPEN_BODY_BYTES + 2 * MIN_PROGRESS_BYTES - 1)
    responses.length = 0
    time.pass(PROGRESS_PERIOD_MS)
    expect(await response).toEqual([String(status.DEADLINE_EXCEEDED), expect.stringContaining('16384%20bytes')])
    expect(responses).toEqual([408])
    // Whether or not the client goes away.
    await until(() => budget.state.bodies === 0)
  })

  it('hold nothing and are not watched once they have come', async () => {
    const client = new OtlpGrpcClient(url)
    expect((await client.export('logs', Buffer.alloc(0), { 'x-api-key': 'k' })).code).toBe(status.OK)
    await until(() => budget.state.bodies === 0)
    responses.length = 0
    time.pass(PROGRESS_PERIOD_MS)
    expect(responses).toEqual([])
    client.close()
  })
})

describe('messages over gRPC', () => {
  it('take memory of the budget as they are decompressed, within the share of their caller', async () => {
    expect(gzipSync(BOMB).length).toBeLessThan(16_384)
    const client = new OtlpGrpcClient(url, { 'grpc.default_compression_algorithm': GZIP })
    budget.peakBytes = 0
    const calls = await Promise.all(Array.from({ length: 12 }, () => client.export('logs', BOMB, { 'x-api-key': 'k' })))
    expect(new Set(calls.map(({ code }) => code))).toEqual(new Set([status.OK]))
    expect(budget.peakBytes).toBeGreaterThan(8 * MIB)
    expect(budget.peakBytes).toBeLessThanOrEqual(WHOLE / 2)
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
    budget.peakBytes = 0
    expect((await client.export('logs', BOMB, { 'x-api-key': 'k' })).code).toBe(status.OK)
    expect(budget.peakBytes).toBeGreaterThanOrEqual(BOMB.length + OPEN_BODY_BYTES)
    client.close()
  })

  it('hold nothing when their client has left before its key was known', async () => {
    let found: () => void = () => undefined
    const requested = new Promise<void>(resolve => {
      lookUp = async () => {
        resolve()
        await new Promise<void>(resolveKey => (found = resolveKey))
      }
    })
    const session = connect(url)
    const call = session.request(HEADERS)
    call.on('error', () => undefined)
    await requested
    const ended = new Promise<void>(resolve => (onEnd = resolve))
    call.close(constants.NGHTTP2_CANCEL)
    await ended
    lookUp = async () => undefined
    found()
    await new Promise(resolve => setImmediate(resolve))
    session.destroy()
    expect(budget.state).toMatchObject({ bodies: 0, usedBytes: 0 })
  })
})
