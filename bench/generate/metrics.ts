import { seededRandom } from './random.js'
import type { Random } from './random.js'
import { HOSTS, SERVICES } from './vocabulary.js'

const NAMES = [
  'http.server.requests',
  'http.server.active',
  'system.cpu.usage_percent',
  'system.memory.used_bytes',
  'queue.depth'
] as const
const COUNTERS: ReadonlySet<string> = new Set(['http.server.requests'])

/** A deterministic stream of metric points over `NAMES` x services x `hosts`: one sweep over all series per time step. */
export class PointSource {
  #random: Random
  #series: readonly { readonly head: string; readonly isCounter: boolean }[]
  #totals: Float64Array
  #next = 0
  #timeNs: bigint
  #stepNs: bigint

  constructor(options: { readonly seed: number; readonly hosts: number; readonly startNs: bigint; readonly stepNs: bigint }) {
    this.#random = seededRandom(options.seed)
    this.#timeNs = options.startNs
    this.#stepNs = options.stepNs
    this.#series = NAMES.flatMap(name =>
      SERVICES.flatMap(service => HOSTS.slice(0, options.hosts).map(host => series(name, service, host)))
    )
    this.#totals = new Float64Array(this.#series.length)
  }

  get seriesCount(): number {
    return this.#series.length
  }

  /** The next point as JSON text. */
  next(): string {
    if (this.#next === this.#series.length) {
      this.#next = 0
      this.#timeNs += this.#stepNs
    }
    const index = this.#next++
    const { head, isCounter } = this.#series[index]!
    this.#totals[index] = (isCounter ? this.#totals[index]! : 0) + this.#random.below(1000) / 8
    return `${head},"value":${this.#totals[index]},"timestamp_ns":${this.#timeNs}}`
  }
}

function series(name: string, service: string, host: string): { head: string; isCounter: boolean } {
  const isCounter = COUNTERS.has(name)
  const labels = JSON.stringify({ service, host, env: 'prod' })
  return { head: `{"name":"${name}","type":"${isCounter ? 'counter' : 'gauge'}","labels":${labels}`, isCounter }
}
