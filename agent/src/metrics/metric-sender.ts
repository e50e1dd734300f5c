import type { AgentConfig } from '../config/config.js'
import { type HttpPost, sentence } from '../deliver/http-post.js'
import type { MetricPoint } from './metric-point.js'

const METRICS_PATH = '/api/v1/ingest/batch'
const SEND_TIMEOUT_MS = 10_000
const NS_PER_MS = 1_000_000n
/** The body is wrong, and will be each time. */
const NEVER: ReadonlySet<number> = new Set([400, 413, 422])

/** The body of `POST /api/v1/ingest/batch` for the points of one collection. */
export function metricsBody(
  points: readonly MetricPoint[],
  { namespace, host, tags }: Pick<AgentConfig, 'namespace' | 'host' | 'tags'>,
  atMs: number
): string {
  const timestamp = String(BigInt(atMs) * NS_PER_MS)
  return JSON.stringify({
    ...(namespace !== null && { namespace: namespace.name }),
    metrics: points.map(({ labels, ...point }) => ({ ...point, timestamp_ns: timestamp, labels: { ...tags, ...labels, host } }))
  })
}

export interface MetricSenderOptions {
  readonly post: Pick<HttpPost, 'compress' | 'send'>
  readonly onFault: (text: string) => void
  /** Called for each collection that will not be sent. */
  readonly onDropped: () => void
  /** Collections that wait at most. */
  readonly maxWaiting: number
}

/**
 * Sends collections in their order. In an outage the latest ones are kept, older ones are dropped and counted: a gap in a
 * series is visible, a late value is worth little. The service keeps one value of a series and time, so repeats do no harm.
 */
export class MetricSender {
  readonly #options: MetricSenderOptions
  #waiting: Buffer[] = []
  #sending: Promise<void> | null = null

  constructor(options: MetricSenderOptions) {
    this.#options = options
  }

  /** Takes a body and sends what is waiting; resolves when it is sent, or waits for the next call. */
  async send(body: string): Promise<void> {
    const { post, onDropped, maxWaiting } = this.#options
    this.#waiting.push(await post.compress(body))
    while (this.#waiting.length > maxWaiting) {
      this.#waiting.shift()
      onDropped()
    }
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    const { post, onFault } = this.#options
    for (let body = this.#waiting[0]; body !== undefined; body = this.#waiting[0]) {
      const reply = await post.send(METRICS_PATH, body, SEND_TIMEOUT_MS).catch((error: unknown) => String(error))
      const isDone = typeof reply !== 'string' && (reply.status === 200 || NEVER.has(reply.status))
      if (typeof reply === 'string') onFault(reply)
      else if (reply.status !== 200) onFault(sentence(reply))
      else if (Number(reply.json['rejected'] ?? 0) > 0) onFault(`${Number(reply.json['rejected'])} values were rejected`)
      if (!isDone) return
      // The oldest ones may have been dropped meanwhile.
      this.#waiting = this.#waiting.filter(one => one !== body)
    }
  }
}
