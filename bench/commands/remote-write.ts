import { Connection } from '../load/connection.js'
import type { BenchOptions } from '../options.js'
import { remoteWriteBodies } from '../remote-write/bodies.js'
import { PrometheusProcess } from '../remote-write/prometheus-process.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const PLAN = { connections: 4, seriesPerConnection: 1_000, requestsPerConnection: 50, samplesPerRequest: 2_000 } as const
const SAMPLES = PLAN.connections * PLAN.requestsPerConnection * PLAN.samplesPerRequest
const SWEEPS = (PLAN.requestsPerConnection * PLAN.samplesPerRequest) / PLAN.seriesPerConnection
/** How far back the first round begins: all rounds are in the past, each after the one before. */
const BACK_MS = 3_000_000

/** Who takes the writes. */
interface Receiver {
  readonly url: string
  readonly authorization: string
  /** CPU seconds so far: of all of it, and of its HTTP process. */
  cpu(): { readonly all: number; readonly http: number }
}

/** One round's figures. */
interface Round {
  readonly perSecond: number
  readonly cpuUs: number
  readonly httpUs: number
}

async function sendAll(receiver: Receiver, bodies: readonly (readonly Buffer[])[]): Promise<Round> {
  const { hostname, port } = new URL(receiver.url)
  const headOf = (bytes: number): string =>
    `POST /api/v1/write HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${receiver.authorization}` +
    'Content-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\nX-Prometheus-Remote-Write-Version: 0.1.0\r\n' +
    `Content-Length: ${bytes}\r\n\r\n`
  const send = async (own: readonly Buffer[]): Promise<void> => {
    const connection = new Connection({ host: hostname, port: Number(port), apiKey: '' })
    for (const body of own) {
      const { status, body: text } = await connection.send(headOf(body.length), body)
      if (status !== 204) throw new Error(`${receiver.url}: ${status} ${text.slice(0, 300)}`)
    }
    connection.close()
  }
  const cpuBefore = receiver.cpu()
  const startedMs = performance.now()
  await Promise.all(bodies.map(send))
  const seconds = (performance.now() - startedMs) / 1000
  const cpu = receiver.cpu()
  const perSample = (spent: number): number => (spent * 1e6) / SAMPLES
  return { perSecond: SAMPLES / seconds, cpuUs: perSample(cpu.all - cpuBefore.all), httpUs: perSample(cpu.http - cpuBefore.http) }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function compare(service: Receiver, prometheus: Receiver, repeats: number): Promise<Report> {
  const rows: Row[] = []
  const startMs = Date.now() - BACK_MS
  // The first round warms both up and is not reported.
  for (let round = 0; round <= repeats; round++) {
    const bodies = remoteWriteBodies({ ...PLAN, startMs: startMs + round * SWEEPS * 1000 })
    const order = round % 2 === 0 ? [service, prometheus] : [prometheus, service]
    const found = new Map<Receiver, Round>()
    for (const receiver of order) found.set(receiver, await sendAll(receiver, bodies))
    const [own, theirs] = [found.get(service)!, found.get(prometheus)!]
    if (round === 0) continue
    rows.push({
      round: String(round),
      'service samples/s': own.perSecond,
      'Prometheus samples/s': theirs.perSecond,
      ratio: own.perSecond / theirs.perSecond,
      'service us CPU': own.cpuUs,
      'of that HTTP': own.httpUs,
      'Prometheus us CPU': theirs.cpuUs
    })
  }
  const of = (name: string): number => median(rows.map(row => Number(row[name])))
  return {
    title: `Remote write: one-sample series, ${PLAN.samplesPerRequest} a request, ${PLAN.connections} connections, ${SAMPLES} samples a round`,
    rows,
    notes: [
      `median ratio ${of('ratio').toFixed(2)} (goal: at least 0.7, at best 1.0)`,
      `median CPU a sample: service ${of('service us CPU').toFixed(1)} us, Prometheus ${of('Prometheus us CPU').toFixed(1)} us`
    ]
  }
}

/** Remote write into the embedded store, acknowledged when synced, against a Prometheus that takes the same bodies. */
export function measureRemoteWrite(options: BenchOptions): Promise<Report> {
  return withTemporaryFolder('alidade-bench', async folder => {
    const prometheus = await PrometheusProcess.start(folder)
    try {
      // The rate limit guards a shared service; here one sender is to find the limit of the machine.
      const args = ['--rate-ingest', '10GiB']
      const service = await ServiceProcess.start({ dataDir: `${folder}/data`, nodeArgs: options.nodeArgs, args })
      try {
        const cpu = (): ReturnType<Receiver['cpu']> => {
          const { http, store } = service.cpu()
          return { all: http + store, http }
        }
        const own = { url: service.url, authorization: `X-API-Key: ${service.firstRun().apiKey}\r\n`, cpu }
        const theirs = (): ReturnType<Receiver['cpu']> => ({ all: prometheus.cpu(), http: prometheus.cpu() })
        return await compare(own, { url: prometheus.url, authorization: '', cpu: theirs }, options.repeats)
      } finally {
        await service.stop()
      }
    } finally {
      await prometheus.stop()
    }
  })
}
