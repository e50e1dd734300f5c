import { EventEmitter, once } from 'node:events'
import { Connection } from '../../bench/load/connection.js'
import type { Target } from '../../bench/load/connection.js'
import type { Random } from '../../bench/generate/random.js'

/** One request of the load and what is known of it. */
export interface SentRequest {
  /** Unique over all rounds; logs carry it in their message, spans in their name, points as a label. */
  readonly id: string
  readonly kind: 'logs' | 'otlp-logs' | 'points' | 'spans'
  readonly items: number
  /** The request can be repeated under this key until it is acknowledged; one of OTLP can without. */
  readonly idempotencyKey: string | null
  readonly body: string
  isAcked: boolean
}

/** Message of the log, or name of the span, at `index` of a request. */
export function messageOf(id: string, index: number): string {
  return `crash ${id} ${index}`
}

const MAX_LOGS = 60
const ACKED = 'acked'
const ACK_DEADLINE_MS = 30_000
const POINTS = 20
const TRACE_DIGITS = 32
const SPAN_DIGITS = 16

/** Senders of logs and points that note which requests were acknowledged. */
export class AckedLoad {
  readonly requests: SentRequest[] = []
  /** Responses that are neither an acknowledgement nor "not now". */
  readonly surprises: string[] = []
  #random: Random
  #round: string
  #isStopped = false
  #loops: Promise<void>[] = []
  readonly #acks = new EventEmitter()
  #acked = 0

  constructor(random: Random, round: string) {
    this.#random = random
    this.#round = round
  }

  /** Two connections send logs, one logs under idempotency keys, one logs of OTLP, one points; and one spans where they are counted. */
  start(target: Target, hasSpans = false): void {
    const plain = [0, 1, 2].map(lane => (n: number) => this.#logs(`${this.#round}-${lane}-${n}`, lane >= 2))
    const makers = [...plain, (n: number) => this.#otlpLogs(`${this.#round}-o-${n}`)]
    const points = (n: number) => this.#points(`${this.#round}-p-${n}`)
    const spans = (n: number) => this.#spans(`${this.#round}-s-${n}`)
    this.#loops = [...makers, points, ...(hasSpans ? [spans] : [])].map(make => this.#loop(target, make))
  }

  /** Resolves when so many requests are acknowledged. */
  async acked(requests: number): Promise<void> {
    const signal = AbortSignal.timeout(ACK_DEADLINE_MS)
    while (this.#acked < requests) await once(this.#acks, ACKED, { signal })
  }

  /** Resolves when the requests in flight have their response or are broken off. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#loops)
  }

  /** Sends what was not acknowledged again, where a key or OTLP makes that safe, until it is. */
  async repeatUnacked(target: Target): Promise<void> {
    const connection = new Connection(target)
    for (const request of this.requests) {
      for (let attempt = 0; !request.isAcked && isRepeatable(request) && attempt < 50; attempt++) {
        await this.#attempt(connection, target, request)
      }
    }
    connection.close()
  }

  async #loop(target: Target, make: (n: number) => SentRequest): Promise<void> {
    const connection = new Connection(target)
    for (let n = 0; !this.#isStopped; n++) {
      const request = make(n)
      this.requests.push(request)
      if (!(await this.#attempt(connection, target, request))) break
    }
    connection.close()
  }

  /** False when the connection broke or the service was not there: the load of this connection is over. */
  async #attempt(connection: Connection, target: Target, request: SentRequest): Promise<boolean> {
    const body = Buffer.from(request.body)
    try {
      const reply = await connection.send(head(target, request, body.length), body)
      if (reply.status === 200 && isWhole(reply.body, request)) {
        request.isAcked = true
        this.#acked++
        this.#acks.emit(ACKED)
        return true
      }
      // 409: the first attempt under this key is still running.
      if (reply.status !== 503 && reply.status !== 409) this.surprises.push(`${reply.status} ${reply.body.slice(0, 300)}`)
    } catch {
      // Killed while it was in flight: stored or not, no one knows.
    }
    return false
  }

  #logs(id: string, hasKey: boolean): SentRequest {
    const items = 1 + this.#random.below(MAX_LOGS)
    const logs = Array.from({ length: items }, (_, i) => ({ message: messageOf(id, i), service: this.#round, level: 'info' }))
    return { id, kind: 'logs', items, idempotencyKey: hasKey ? id : null, body: JSON.stringify({ logs }), isAcked: false }
  }

  #otlpLogs(id: string): SentRequest {
    const items = 1 + this.#random.below(MAX_LOGS)
    const timeUnixNano = nowNanos()
    const logRecords = Array.from({ length: items }, (_, i) => ({ timeUnixNano, body: { stringValue: messageOf(id, i) } }))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: this.#round } }] }
    const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
    return { id, kind: 'otlp-logs', items, idempotencyKey: null, body, isAcked: false }
  }

  #spans(id: string): SentRequest {
    const items = 1 + this.#random.below(MAX_LOGS)
    const traceId = this.#random.hex(TRACE_DIGITS)
    const startTimeUnixNano = nowNanos()
    const spans = Array.from({ length: items }, (_, i) => ({
      traceId,
      spanId: this.#random.hex(SPAN_DIGITS),
      name: messageOf(id, i),
      startTimeUnixNano,
      endTimeUnixNano: startTimeUnixNano
    }))
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    return { id, kind: 'spans', items, idempotencyKey: null, body, isAcked: false }
  }

  #points(id: string): SentRequest {
    const nowNs = BigInt(Date.now()) * 1_000_000n
    const metrics = Array.from({ length: POINTS }, (_, i) => ({
      name: 'crash.points',
      value: i,
      timestamp_ns: String(nowNs + BigInt(i)),
      labels: { round: this.#round, request: id }
    }))
    return { id, kind: 'points', items: POINTS, idempotencyKey: null, body: JSON.stringify({ metrics }), isAcked: false }
  }
}

function nowNanos(): string {
  return String(BigInt(Date.now()) * 1_000_000n)
}

function isOtlp({ kind }: SentRequest): boolean {
  return kind === 'spans' || kind === 'otlp-logs'
}

function isRepeatable(request: SentRequest): boolean {
  return request.idempotencyKey !== null || isOtlp(request)
}

/** OTLP's response counts only what was refused. */
function isWhole(body: string, request: SentRequest): boolean {
  const response = JSON.parse(body) as { readonly accepted?: number; readonly partialSuccess?: object }
  return isOtlp(request) ? response.partialSuccess === undefined : response.accepted === request.items
}

const PATHS = {
  logs: '/api/v1/logs/batch',
  'otlp-logs': '/api/v1/otlp/v1/logs',
  points: '/api/v1/ingest/batch',
  spans: '/api/v1/otlp/v1/traces'
} as const

function head(target: Target, request: SentRequest, bytes: number): string {
  const path = PATHS[request.kind]
  const key = request.idempotencyKey === null ? '' : `Idempotency-Key: ${request.idempotencyKey}\r\n`
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\nX-API-Key: ${target.apiKey}\r\n${key}` +
    `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  )
}
