import { setTimeout as sleep } from 'node:timers/promises'
import { formatNumber } from '../report.js'
import { HOSTILE_QUERIES, type HostileQuery } from './queries.js'

const TIMEOUT_S = 3
/** A refused query is not repeated at once: the limit is 50 queries a second per namespace. */
const LEAST_MS = 500
const HOUR_S = 3_600
const SHOWN_CHARS = 90

interface Ended {
  readonly how: string
  readonly tookMs: number
}

/** Hostile queries, with a constant number in flight. */
export class Attack {
  readonly #url: string
  readonly #keys: readonly string[]
  readonly #ended = new Map<string, Ended[]>()
  #lanes: Promise<void>[] = []
  #sent = 0
  #isStopped = false

  /** `keys` are of kind `query`; each runs one query at a time. */
  constructor(url: string, keys: readonly string[]) {
    this.#url = url
    this.#keys = keys
  }

  start(): void {
    this.#lanes = this.#keys.map(key => this.#lane(key))
  }

  /** Resolves when the last ones have ended, with how each did, as sentences. */
  async stop(): Promise<readonly string[]> {
    this.#isStopped = true
    await Promise.all(this.#lanes)
    const longest = (ended: readonly Ended[]): number => Math.max(...ended.map(({ tookMs }) => tookMs))
    const each = HOSTILE_QUERIES.map(({ name }) => {
      const ended = this.#ended.get(name) ?? []
      const ways = [...new Set(ended.map(({ how }) => how))].join('; ')
      return `${name}, sent ${ended.length} times, longest ${formatNumber(longest(ended))} ms: ${ways}`
    })
    const pastMs = longest([...this.#ended.values()].flat()) - TIMEOUT_S * 1_000
    return [...each, `past the ${TIMEOUT_S} s requested: at most ${formatNumber(Math.max(0, pastMs))} ms`]
  }

  async #lane(key: string): Promise<void> {
    while (!this.#isStopped) {
      const hostile = HOSTILE_QUERIES[this.#sent++ % HOSTILE_QUERIES.length]!
      const startedAt = performance.now()
      const how = await this.#send(key, hostile)
      const tookMs = performance.now() - startedAt
      const list = this.#ended.get(hostile.name) ?? []
      this.#ended.set(hostile.name, [...list, { how, tookMs }])
      if (tookMs < LEAST_MS) await sleep(LEAST_MS - tookMs)
    }
  }

  async #send(key: string, { query, spanS = HOUR_S, stepS = 15 }: HostileQuery): Promise<string> {
    const end = Math.floor(Date.now() / 1_000)
    const times = { start: String(end - spanS), end: String(end), step: String(stepS) }
    const reply = await fetch(`${this.#url}/api/v1/prometheus/api/v1/query_range`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: new URLSearchParams({ query, ...times, timeout: `${TIMEOUT_S}s` })
    })
    if (reply.ok) {
      // Responses of many megabytes are not kept: the sender shares the cores.
      for await (const _ of reply.body ?? []);
      return 'returned'
    }
    const { errorType, error } = (await reply.json()) as { readonly errorType: string; readonly error: string }
    return errorType === 'timeout' ? 'timeout' : `refused: ${error.slice(0, SHOWN_CHARS)}`
  }
}
