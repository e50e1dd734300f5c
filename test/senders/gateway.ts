import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'

const WINDOW = { start: 'now-1h', end: 'now' }
const PAGE = 200
// A machine that is busy starts services slowly.
const READY_MS = 180_000

export interface ReadSpan {
  readonly span_id: string
  readonly operation: string
  readonly kind: string
  readonly status: string
  readonly status_message: string | null
  readonly attributes: Record<string, unknown>
  readonly scope: { readonly name: string; readonly version: string }
  readonly events: readonly { readonly name: string; readonly attributes: Record<string, unknown> }[]
  readonly links: readonly { readonly trace_id: string; readonly attributes: Record<string, unknown> }[]
  readonly log_count: number
}

interface TraceList {
  readonly traces: readonly { readonly trace_id: string; readonly span_count: number }[]
  readonly page: { readonly next_cursor: string | null }
}

/** The service with both ports of OTLP, which can be killed and started again in its place. */
export class Gateway {
  readonly grpcPort: number
  #service: ServiceProcess
  #session: Session

  private constructor(service: ServiceProcess, session: Session, grpcPort: number) {
    this.#service = service
    this.#session = session
    this.grpcPort = grpcPort
  }

  static async start(dataDir: string): Promise<Gateway> {
    const grpcPort = await freePort()
    const service = await ServiceProcess.start({
      dataDir,
      readyTimeoutMs: READY_MS,
      args: ['--otlp-grpc-port', String(grpcPort)]
    })
    return new Gateway(service, await Session.operator(service), grpcPort)
  }

  get httpUrl(): string {
    return this.#service.url
  }

  get ingestKey(): string {
    return this.#service.firstRun().apiKey
  }

  kill(): Promise<void> {
    return this.#service.stop('SIGKILL')
  }

  async restart(): Promise<void> {
    const { dataDir, port } = this.#service
    this.#service = await ServiceProcess.start({
      dataDir,
      port,
      readyTimeoutMs: READY_MS,
      args: ['--otlp-grpc-port', String(this.grpcPort)]
    })
    this.#session = await Session.operator(this.#service)
  }

  stop(): Promise<void> {
    return this.#service.stop()
  }

  /** Every trace of a service, with the number of its spans. */
  async traces(service: string): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    let cursor: string | null = null
    do {
      const body: object = cursor === null ? { ...WINDOW, service, limit: PAGE } : { cursor, service, limit: PAGE }
      const response: TraceList = await this.#session.call('POST', '/api/v1/traces/query', body)
      for (const trace of response.traces) found.set(trace.trace_id, trace.span_count)
      cursor = response.page.next_cursor
    } while (cursor !== null)
    return found
  }

  async spans(traceId: string): Promise<readonly ReadSpan[]> {
    const { spans } = await this.#session.call<{ spans: ReadSpan[] }>('GET', `/api/v1/traces/${traceId}`)
    return spans
  }

  /** Every log of a query, as a stream gives them. */
  async logs(request: object): Promise<readonly Record<string, unknown>[]> {
    const headers = { accept: 'application/x-ndjson' }
    const text = await this.#session.text('POST', '/api/v1/logs/query', { ...WINDOW, ...request }, headers)
    const rows = text
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    return rows.filter(row => 'message' in row)
  }

  /** The last value of each series of a metric, by a label. */
  async metric(metric: string, label: string): Promise<ReadonlyMap<string, number>> {
    const body = { metric, ...WINDOW, agg: 'last', group_by: [label] }
    const { series } = await this.#session.call<{
      series: { labels: Record<string, string>; points: [string, number][] }[]
    }>('POST', '/api/v1/query', body)
    return new Map(series.map(({ labels, points }) => [labels[label] ?? '', points.at(-1)?.[1] ?? Number.NaN]))
  }
}
