import { formatNumber } from '../report.js'
import { Session } from '../service/session.js'
import type { ServiceProcess } from '../service/service-process.js'
import { percentile } from '../load/latencies.js'

const QUERIES: readonly { readonly path: string; readonly body: object }[] = [
  { path: '/api/v1/logs/facets', body: { fields: ['service', 'level', 'host'], start: 0, end: 'now' } },
  { path: '/api/v1/logs/query', body: { query: 'no-such-text-anywhere', start: 0, end: 'now', limit: 100 } }
]

/** Readers that run one heavy query over all data after the other, for as long as the load runs. */
export class HeavyReaders {
  #service: ServiceProcess
  #count: number
  #isStopped = false
  #tookMs: number[] = []
  #failures: string[] = []
  #loops: Promise<void>[] = []

  constructor(service: ServiceProcess, count: number) {
    this.#service = service
    this.#count = count
  }

  start(): void {
    this.#loops = Array.from({ length: this.#count }, (_, i) => this.#loop(QUERIES[i % QUERIES.length]!))
  }

  async stop(): Promise<{ summary: string }> {
    this.#isStopped = true
    await Promise.all(this.#loops)
    const sorted = Float64Array.from(this.#tookMs).sort()
    const failures = this.#failures.length === 0 ? '' : `, ${this.#failures.length} failed (${this.#failures[0]})`
    return { summary: `${sorted.length} done, median ${formatNumber(percentile(sorted, 0.5))} ms${failures}` }
  }

  async #loop(query: { readonly path: string; readonly body: object }): Promise<void> {
    const session = await Session.operator(this.#service)
    while (!this.#isStopped) {
      const startedAt = performance.now()
      try {
        await session.call('POST', query.path, query.body)
        this.#tookMs.push(performance.now() - startedAt)
      } catch (error) {
        this.#failures.push(String(error).slice(0, 200))
        await new Promise(resolve => setTimeout(resolve, 200))
      }
    }
  }
}
