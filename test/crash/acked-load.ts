import { Connection } from '../../bench/load/connection.js'
import type { Target } from '../../bench/load/connection.js'
import type { Random } from '../../bench/generate/random.js'

/** One request of the load and what is known of it. */
export interface SentRequest {
  /** Unique over all rounds; logs carry it in their message, points as a label. */
  readonly id: string
  readonly kind: 'logs' | 'points'
  readonly items: number
  /** The request can be repeated under this key until it is acknowledged. */
  readonly idempotencyKey: string | null
  readonly body: string
  isAcked: boolean
}

/** Message of the log at `index` of a request. */
export function messageOf(id: string, index: number): string {
  return `crash ${id} ${index}`
}

const MAX_LOGS = 60
const POINTS = 20

/** Senders of logs and points that note which requests were acknowledged. */
export class AckedLoad {
  readonly requests: SentRequest[] = []
  /** Answers that are neither an acknowledgement nor "not now". */
  readonly surprises: string[] = []
  #random: Random
  #round: string
  #isStopped = false
  #loops: Promise<void>[] = []

  constructor(random: Random, round: string) {
    this.#random = random
    this.#round = round
  }

  /** Two connections send logs, two send logs under idempotency keys, one sends points. */
  start(target: Target): void {
    const makers = [0, 1, 2, 3].map(lane => (n: number) => this.#logs(`${this.#round}-${lane}-${n}`, lane >= 2))
    this.#loops = [...makers, (n: number) => this.#points(`${this.#round}-p-${n}`)].map(make => this.#loop(target, make))
  }

  /** Resolves when the requests under way are answered or broken off. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#loops)
  }

  /** Sends what was not acknowledged again, where a key makes that safe, until it is. */
  async repeatUnacked(target: Target): Promise<void> {
    const connection = new Connection(target)
    for (const request of this.requests) {
      for (let attempt = 0; !request.isAcked && request.idempotencyKey !== null && attempt < 50; attempt++) {
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
      if (reply.status === 200 && (JSON.parse(reply.body) as { accepted: number }).accepted === request.items) {
        request.isAcked = true
        return true
      }
      // 409: the first attempt under this key is still running.
      if (reply.status !== 503 && reply.status !== 409) this.surprises.push(`${reply.status} ${reply.body.slice(0, 300)}`)
    } catch {
      // Killed while it was under way: stored or not, nobody knows.
    }
    return false
  }

  #logs(id: string, hasKey: boolean): SentRequest {
    const items = 1 + this.#random.below(MAX_LOGS)
    const logs = Array.from({ length: items }, (_, i) => ({ message: messageOf(id, i), service: this.#round, level: 'info' }))
    return { id, kind: 'logs', items, idempotencyKey: hasKey ? id : null, body: JSON.stringify({ logs }), isAcked: false }
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

function head(target: Target, request: SentRequest, bytes: number): string {
  const path = request.kind === 'logs' ? '/api/v1/logs/batch' : '/api/v1/ingest/batch'
  const key = request.idempotencyKey === null ? '' : `Idempotency-Key: ${request.idempotencyKey}\r\n`
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\nX-API-Key: ${target.apiKey}\r\n${key}` +
    `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  )
}
