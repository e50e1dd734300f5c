import { setTimeout as sleep } from 'node:timers/promises'
import type { Emission } from './shop.js'

/** The addresses of the service. */
export interface DemoUrls {
  readonly url: string
  readonly ingestUrl: string
}

/** Writes below it belong to the port of the API, all others to that of ingest. */
const API_PREFIX = '/api/v1/apm/'

/** What has been sent so far. */
export interface Sent {
  logs: number
  points: number
  rum: number
  errors: number
  spans: number
}

const MAX_BATCH = 2_000
const RETRIES = 20
const PARALLEL = 8
const RESTART_WAIT_MS = 3_000

/** Sends the shop's telemetry through the public API, in order of time; prints when the service refuses it. */
export class DemoSender {
  readonly sent: Sent = { logs: 0, points: 0, rum: 0, errors: 0, spans: 0 }
  readonly #urls: DemoUrls
  readonly #apiKey: string

  constructor(urls: DemoUrls, apiKey: string) {
    this.#urls = urls
    this.#apiKey = apiKey
  }

  /** Sends what happened in these seconds; APM metrics have no time of their own, so `isLive` decides whether they go. */
  async send(emissions: readonly Emission[], isLive: boolean): Promise<void> {
    const logs = emissions.flatMap(emission => emission.logs)
    for (let i = 0; i < logs.length; i += MAX_BATCH)
      await this.#post('/api/v1/logs/batch', { logs: logs.slice(i, i + MAX_BATCH) })
    this.sent.logs += logs.length
    const points = emissions.flatMap(emission => emission.points)
    for (let i = 0; i < points.length; i += MAX_BATCH) {
      await this.#post('/api/v1/ingest/batch', { metrics: points.slice(i, i + MAX_BATCH) })
    }
    this.sent.points += points.length
    const rum = emissions.flatMap(emission => emission.rum)
    await this.#each('/api/v1/apm/rum', rum)
    this.sent.rum += rum.length
    const errors = emissions.flatMap(emission => emission.errors)
    await this.#each('/api/v1/apm/errors', errors)
    this.sent.errors += errors.length
    const spans = emissions.flatMap(emission => emission.spans)
    for (let i = 0; i < spans.length; i += MAX_BATCH)
      await this.#post('/api/v1/otlp/v1/traces', { resourceSpans: spans.slice(i, i + MAX_BATCH) })
    this.sent.spans += spans.length
    if (isLive)
      await this.#each(
        '/api/v1/apm/metrics',
        emissions.flatMap(emission => emission.apmMetrics)
      )
  }

  async #each(path: string, bodies: readonly object[]): Promise<void> {
    for (let i = 0; i < bodies.length; i += PARALLEL) {
      await Promise.all(bodies.slice(i, i + PARALLEL).map(body => this.#post(path, body)))
    }
  }

  async #post(path: string, body: object): Promise<void> {
    const text = JSON.stringify(body)
    for (let attempt = 0; ; attempt++) {
      const reply = await this.#fetch(path, text, attempt)
      if (reply === null) {
        await sleep(RESTART_WAIT_MS)
        continue
      }
      const response = await reply.text()
      if (reply.status === 200) return this.#warnIfPartial(path, response)
      if ((reply.status !== 429 && reply.status !== 503) || attempt === RETRIES) {
        throw new Error(`${path} returned ${reply.status}: ${response.slice(0, 400)}`)
      }
      await sleep(1000 * Number(reply.headers.get('retry-after') ?? '1'))
    }
  }

  /** Null while a service that has responded before does not: it may be restarting. */
  async #fetch(path: string, body: string, attempt: number): Promise<Response | null> {
    const headers = { 'content-type': 'application/json', 'x-api-key': this.#apiKey }
    const url = path.startsWith(API_PREFIX) ? this.#urls.url : this.#urls.ingestUrl
    try {
      return await fetch(url + path, { method: 'POST', headers, body })
    } catch (error) {
      if (this.sent.logs === 0) throw new Error(`no response from ${url}; is the service running?`, { cause: error })
      if (attempt >= RETRIES) throw error
      return null
    }
  }

  #warnIfPartial(path: string, response: string): void {
    // OTLP returns an empty object on success.
    const { status = 'ok', errors } = JSON.parse(response) as { status?: string; errors?: readonly object[] }
    if (status !== 'ok') process.stderr.write(`\n${path}: ${JSON.stringify(errors?.[0])}\n`)
  }
}
