import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { OtlpGrpcClient } from '../../test/support/otlp-grpc.js'
import { decodeSpans } from '../../src/otlp/protobuf/spans.js'
import { otlpSpans } from '../generate/otlp-spans.js'
import { seededRandom } from '../generate/random.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { freePort } from '../service/free-port.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const SPANS = 500
const BODIES = 20
const SENDERS = 4
const MAX_RECORDS = 100_000
/** Field 15 as a fixed64. */
const UNKNOWN_FIXED64 = 0x79

type Send = (body: Buffer) => Promise<void>

/** Decoding alone, in this process: the median and the best of many goes. */
function decodeRow(bodies: readonly Buffer[], seconds: number): Row {
  const takes: number[] = []
  const ends = performance.now() + seconds * 1000
  while (performance.now() < ends) {
    for (const body of bodies) {
      const before = performance.now()
      const steps = decodeSpans(body, MAX_RECORDS)
      while (!steps.next().done);
      takes.push(((performance.now() - before) * 1000) / SPANS)
    }
  }
  takes.sort((a, b) => a - b)
  const median = takes[takes.length >> 1]!
  return { what: 'decode in process', 'spans/s': 1e6 / median, 'us a span (median)': median, 'us a span (best)': takes[0]! }
}

/** The body with a field that no reader knows: the same bytes twice would be one request that is sent again. */
function distinct(body: Buffer): Buffer {
  const field = Buffer.alloc(9)
  field[0] = UNKNOWN_FIXED64
  field.writeBigUInt64LE(process.hrtime.bigint(), 1)
  return Buffer.concat([body, field])
}

async function loadRow(
  what: string,
  service: ServiceProcess,
  send: Send,
  bodies: readonly Buffer[],
  seconds: number
): Promise<Row> {
  let sent = 0
  const drive = async (untilMs: number): Promise<void> => {
    const one = async (at: number): Promise<void> => {
      for (let i = at; performance.now() < untilMs; i += SENDERS) {
        await send(distinct(bodies[i % bodies.length]!))
        sent += SPANS
      }
    }
    await Promise.all(Array.from({ length: SENDERS }, (_, i) => one(i)))
  }
  await drive(performance.now() + 2_000)
  sent = 0
  const before = service.cpu()
  const startedMs = performance.now()
  await drive(startedMs + seconds * 1000)
  const tookS = (performance.now() - startedMs) / 1000
  const after = service.cpu()
  const us = (cpu: number): number => (cpu * 1e6) / sent
  const [http, store] = [us(after.http - before.http), us(after.store - before.store)]
  return { what, 'spans/s': sent / tookS, 'gateway us a span': http, 'store us a span': store, 'CPU us a span': http + store }
}

function overHttp(service: ServiceProcess, apiKey: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS })
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-protobuf' }
  const options = { host: '127.0.0.1', port: service.port, path: '/v1/traces', method: 'POST', agent }
  return async body => {
    const sending = request({ ...options, headers: { ...headers, 'content-length': body.length } })
    sending.end(body)
    const [reply] = (await once(sending, 'response')) as [IncomingMessage]
    reply.resume()
    await once(reply, 'end')
    if (reply.statusCode !== 200) throw new Error(`the service returned ${reply.statusCode}`)
  }
}

/** Spans by protobuf, 500 a request: decoded here, and sent over HTTP and gRPC from four senders, flat out. */
export function measureOtlp(options: BenchOptions): Promise<Report> {
  return withTemporaryFolder('alidade-bench', async dataDir => {
    const random = seededRandom(options.seed)
    const nowNs = BigInt(Date.now()) * 1_000_000n
    const bodies = Array.from({ length: BODIES }, () => otlpSpans(random, SPANS, nowNs))
    const rows = [decodeRow(bodies, Math.min(5, options.seconds))]
    const grpcPort = await freePort()
    const service = await ServiceProcess.start({
      dataDir,
      nodeArgs: options.nodeArgs,
      args: ['--otlp-grpc-port', String(grpcPort), '--rate-ingest', '500MiB'],
      readyTimeoutMs: 120_000
    })
    const { apiKey } = service.firstRun()
    const grpc = new OtlpGrpcClient(`http://127.0.0.1:${grpcPort}`)
    try {
      rows.push(await loadRow('HTTP, protobuf', service, overHttp(service, apiKey), bodies, options.seconds))
      const overGrpc: Send = async body => {
        const { code, details } = await grpc.export('traces', body, { 'x-api-key': apiKey })
        if (code !== 0) throw new Error(`the service returned ${code} ${details}`)
      }
      rows.push(await loadRow('gRPC', service, overGrpc, bodies, options.seconds))
    } finally {
      grpc.close()
      await service.stop()
    }
    const size = Math.round(bodies[0]!.length / SPANS)
    return {
      title: 'OTLP traces',
      rows,
      notes: [`${SPANS} spans a request, ${size} bytes and ten attributes a span; acknowledged when synced.`]
    }
  })
}
