import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../../bench/load/connection.js'
import type { Target } from '../../bench/load/connection.js'

/** What a lane sends. */
export type LaneKind = 'logs' | 'points' | 'spans'

/** Records of one request. */
const BATCH = 50
const RETRY_MS = 50

const PATHS: Readonly<Record<LaneKind, string>> = {
  logs: '/api/v1/logs/batch',
  points: '/api/v1/ingest/batch',
  spans: '/api/v1/otlp/v1/traces'
}
const TRACE_DIGITS = 32
const SPAN_DIGITS = 16

/** Service of the spans of a lane. */
export function outageService(lane: number): string {
  return `outage-lane-${lane}`
}

/** Message of the log at `index` of a lane's request. */
export function outageMessage(lane: number, request: number, index: number): string {
  return `outage ${lane} ${request} ${index}`
}

interface LaneOptions {
  readonly kind: LaneKind
  readonly lane: number
  /** Records a second. */
  readonly rate: number
  readonly target: () => Target
  /** Called when a request is acknowledged. */
  readonly onAcked: () => void
}

/**
 * Sends requests at a steady rate whatever becomes of the service, each again and again until it is acknowledged, under
 * its Idempotency-Key or, over OTLP, as the same bytes: so all that is sent has to be there in the end, once.
 */
export class OutageLane {
  readonly kind: LaneKind
  readonly lane: number
  /** Requests that are acknowledged. */
  requests = 0
  spooled = 0
  refused = 0
  repeated = 0
  /** Responses that are neither an acknowledgement nor "not now". */
  readonly surprises: string[] = []
  readonly #options: LaneOptions
  #isStopped = false
  #done: Promise<void> = Promise.resolve()

  constructor(options: LaneOptions) {
    this.kind = options.kind
    this.lane = options.lane
    this.#options = options
  }

  get records(): number {
    return this.requests * BATCH
  }

  start(): void {
    this.#done = this.#run()
  }

  /** Resolves when the last request is acknowledged. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
  }

  async #run(): Promise<void> {
    const everyMs = (1000 * BATCH) / this.#options.rate
    const connection = new Connection(this.#options.target())
    const beganMs = performance.now()
    while (!this.#isStopped) {
      const waitMs = beganMs + this.requests * everyMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      await this.#untilAcked(connection)
    }
    connection.close()
  }

  /** Sends one more request after `stop`; resolves when it is acknowledged. */
  async sendOne(): Promise<void> {
    const connection = new Connection(this.#options.target())
    await this.#untilAcked(connection)
    connection.close()
  }

  async #untilAcked(connection: Connection): Promise<void> {
    const request = this.requests
    const body = Buffer.from(this.#body(request))
    for (let attempt = 0; !(await this.#attempt(connection, request, body)); attempt++) {
      if (attempt === 0) this.repeated++
      await sleep(RETRY_MS)
    }
    this.requests++
    this.#options.onAcked()
  }

  async #attempt(connection: Connection, request: number, body: Buffer): Promise<boolean> {
    try {
      const { status, body: text } = await connection.send(this.#head(request, body.length), body)
      if (status === 200) {
        // OTLP's response reports only what was refused.
        const { accepted = this.kind === 'spans' && text === '{}' ? BATCH : 0, spooled = 0 } = JSON.parse(text) as {
          accepted?: number
          spooled?: number
        }
        if (accepted !== BATCH) this.surprises.push(text.slice(0, 300))
        this.spooled += spooled
        return true
      }
      // 409: the first attempt under this key is still running.
      if (status === 503) this.refused++
      else if (status !== 409) this.surprises.push(`${status} ${text.slice(0, 300)}`)
    } catch {
      // The gateway was killed meanwhile, or is not there yet.
    }
    return false
  }

  #head(request: number, bytes: number): string {
    const { host, port, apiKey } = this.#options.target()
    const key = this.kind === 'spans' ? '' : `Idempotency-Key: ${this.kind}-${this.lane}-${request}\r\n`
    return (
      `POST ${PATHS[this.kind]} HTTP/1.1\r\nHost: ${host}:${port}\r\nX-API-Key: ${apiKey}\r\n` +
      `${key}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
    )
  }

  #body(request: number): string {
    if (this.kind === 'spans') return this.#spans(request)
    return this.kind === 'logs' ? this.#logs(request) : this.#points(request)
  }

  // A request is a trace.
  #spans(request: number): string {
    const id = (digits: number, number: number): string => number.toString(16).padStart(digits, '0')
    const traceId = `${id(SPAN_DIGITS, this.lane + 1)}${id(TRACE_DIGITS - SPAN_DIGITS, request + 1)}`
    const timeNs = `${Date.now()}000000`
    const spans = Array.from({ length: BATCH }, (_, i) => ({
      ...{ traceId, spanId: id(SPAN_DIGITS, i + 1), name: outageMessage(this.lane, request, i) },
      ...(i > 0 && { parentSpanId: id(SPAN_DIGITS, 1) }),
      ...{ startTimeUnixNano: timeNs, endTimeUnixNano: timeNs }
    }))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: outageService(this.lane) } }] }
    return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  }

  #logs(request: number): string {
    const message = (index: number): string => outageMessage(this.lane, request, index)
    return JSON.stringify({
      logs: Array.from({ length: BATCH }, (_, i) => ({ message: message(i), service: 'outage', level: 'info' }))
    })
  }

  // Every point has a time of its own, so that a count shows lost ones.
  #points(request: number): string {
    const nowNs = BigInt(Date.now()) * 1_000_000n
    return JSON.stringify({
      metrics: Array.from({ length: BATCH }, (_, i) => ({
        name: 'outage.points',
        value: i,
        timestamp_ns: String(nowNs + BigInt(i)),
        labels: { lane: `lane-${this.lane}`, part: String(request % 4) }
      }))
    })
  }
}
