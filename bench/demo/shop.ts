import { RumSource } from '../generate/rum.js'
import { seededRandom } from '../generate/random.js'
import type { Random } from '../generate/random.js'
import { rfc3339Writer } from '../generate/time.js'
import { chapterAt, releaseStarting } from './story.js'
import type { Chapter } from './story.js'
import { resourceSpans, type TracedHop } from './trace.js'

type Body = Readonly<Record<string, unknown>>

/** Everything that the shop emits in one second. */
export interface Emission {
  readonly logs: readonly Body[]
  readonly points: readonly Body[]
  readonly rum: readonly Body[]
  readonly errors: readonly Body[]
  readonly apmMetrics: readonly Body[]
  /** `resourceSpans` of OTLP. */
  readonly spans: readonly object[]
}

interface Hop {
  readonly service: string
  readonly hosts: readonly string[]
  readonly ms: number
}

const PATHS: readonly { readonly route: string; readonly weight: number; readonly hops: readonly string[] }[] = [
  { route: 'GET /product/{id}', weight: 6, hops: ['gateway', 'catalog', 'images'] },
  { route: 'GET /search', weight: 4, hops: ['gateway', 'search', 'catalog'] },
  { route: 'POST /cart', weight: 3, hops: ['gateway', 'cart', 'inventory'] },
  { route: 'POST /checkout', weight: 2, hops: ['gateway', 'checkout', 'payments', 'inventory', 'notify'] }
]
const ROUTES = PATHS.flatMap(path => Array.from({ length: path.weight }, () => path))
const HOPS: Readonly<Record<string, Hop>> = {
  gateway: { service: 'gateway', hosts: ['edge-1', 'edge-2'], ms: 4 },
  catalog: { service: 'catalog', hosts: ['node-1', 'node-2'], ms: 14 },
  images: { service: 'images', hosts: ['node-2', 'node-3'], ms: 9 },
  search: { service: 'search', hosts: ['node-3'], ms: 38 },
  cart: { service: 'cart', hosts: ['node-1', 'node-4'], ms: 11 },
  inventory: { service: 'inventory', hosts: ['node-4'], ms: 8 },
  checkout: { service: 'checkout', hosts: ['node-1', 'node-4'], ms: 45 },
  payments: { service: 'payments', hosts: ['node-5'], ms: 120 },
  notify: { service: 'notify', hosts: ['node-5'], ms: 20 }
}
const HOSTS = [...new Set(Object.values(HOPS).flatMap(hop => hop.hosts))]
const AFFECTED: ReadonlySet<string> = new Set(['checkout', 'payments'])
const FAILURES = [
  { type: 'PaymentTimeout', message: 'acquirer did not respond within 3000 ms', at: 'charge (payments/acquirer.ts:88)' },
  {
    type: 'TypeError',
    message: "cannot read properties of undefined (reading 'currency')",
    at: 'toMinorUnits (payments/money.ts:31)'
  }
] as const
type Failure = (typeof FAILURES)[number]
const TIMEOUT_MS = 3_000
const SECONDS_PER_SAMPLE = 10
const NS_PER_SECOND = 1_000_000_000

/** A small web shop: requests that cross services and leave logs, metrics, page views and errors behind. */
export class Shop {
  #random: Random
  #rum: RumSource
  #time = rfc3339Writer()
  #requests = new Map<string, number>()
  #failed = new Map<string, number>()

  constructor(seed: number) {
    this.#random = seededRandom(seed)
    this.#rum = new RumSource(seed + 1)
  }

  /** The events of the second that begins at `unixSeconds`; `storySeconds` is the position in the story. */
  second(unixSeconds: number, storySeconds: number): Emission {
    const chapter = chapterAt(storySeconds)
    const emission = {
      logs: [] as Body[],
      points: [] as Body[],
      rum: [] as Body[],
      errors: [] as Body[],
      apmMetrics: [] as Body[],
      spans: [] as object[]
    }
    this.#announceRelease(emission.logs, unixSeconds, storySeconds)
    const requests = Math.round(chapter.traffic * (0.7 + 0.6 * this.#random.next()))
    for (let i = 0; i < requests; i++) this.#request(emission, unixSeconds, chapter)
    if (this.#random.next() < 0.5) emission.rum.push(this.#pageView(unixSeconds, chapter))
    if (unixSeconds % SECONDS_PER_SAMPLE === 0) this.#sample(emission, unixSeconds, chapter)
    return emission
  }

  #announceRelease(logs: Body[], unixSeconds: number, storySeconds: number): void {
    const starting = releaseStarting(storySeconds)
    if (starting === null) return
    const verb = starting.isRollback ? 'rolling back to' : 'deploying'
    logs.push(
      this.#line(unixSeconds, 0, {
        service: 'deployer',
        host: 'edge-1',
        level: 'warn',
        message: `${verb} release ${starting.release}`
      })
    )
  }

  #request(emission: { logs: Body[]; errors: Body[]; spans: object[] }, unixSeconds: number, chapter: Chapter): void {
    const random = this.#random
    const path = random.pick(ROUTES)
    const traceId = random.hex(32)
    const failure = random.pick(FAILURES)
    const fails = path.route === 'POST /checkout' && random.next() < chapter.errorRate
    let atNs = random.below(NS_PER_SECOND / 2)
    const startNs = BigInt(unixSeconds) * BigInt(NS_PER_SECOND) + BigInt(atNs)
    const hops: TracedHop[] = []
    for (const name of path.hops) {
      const hop = HOPS[name]!
      const hasFailed = fails && name === 'payments'
      const waitedMs = hasFailed && failure.type === 'PaymentTimeout' ? TIMEOUT_MS : 0
      const tookMs = waitedMs + hop.ms * (0.5 + random.next()) * (AFFECTED.has(name) ? chapter.slowdown : 1)
      atNs += Math.round(tookMs * 100_000)
      this.#count(name, hasFailed)
      const traced = { service: name, host: random.pick(hop.hosts), spanId: random.hex(16), tookMs, hasFailed }
      hops.push(traced)
      emission.logs.push(
        this.#hopLog({ hop: traced, path: path.route, traceId, tookMs, hasFailed, failure, chapter, unixSeconds, atNs })
      )
      if (hasFailed) emission.errors.push(this.#failure(failure, { traceId, unixSeconds, atNs, chapter }))
      if (hasFailed) break
    }
    emission.spans.push(...resourceSpans({ traceId, route: path.route, release: chapter.release, startNs, hops }, random))
  }

  #hopLog(at: {
    hop: TracedHop
    path: string
    traceId: string
    tookMs: number
    hasFailed: boolean
    failure: Failure
    chapter: Chapter
    unixSeconds: number
    atNs: number
  }): Body {
    const random = this.#random
    const isSlow = at.tookMs > 300
    const took = `${at.tookMs.toFixed(1)} ms`
    const succeeded = isSlow
      ? `slow: ${at.path} took ${took}`
      : `${at.path.replace('{id}', String(4000 + random.below(900)))} ok in ${took}`
    const succeededLevel = isSlow ? 'warn' : 'info'
    return this.#line(at.unixSeconds, at.atNs, {
      service: at.hop.service,
      host: at.hop.host,
      level: at.hasFailed ? 'error' : succeededLevel,
      message: at.hasFailed ? `${at.path} failed after ${took}: ${at.failure.message}` : succeeded,
      trace_id: at.traceId,
      span_id: at.hop.spanId,
      log_fields: {
        route: at.path,
        duration_ms: Number(at.tookMs.toFixed(1)),
        status: at.hasFailed ? 502 : 200,
        user_id: `u${random.below(900)}`,
        release: at.chapter.release
      },
      tags: { env: 'demo', team: at.hop.service === 'payments' ? 'money' : 'shop' }
    })
  }

  #line(unixSeconds: number, ns: number, body: Body): Body {
    return { timestamp: this.#time(unixSeconds, ns % NS_PER_SECOND), source: 'app', ...body }
  }

  #failure(failure: Failure, at: { traceId: string; unixSeconds: number; atNs: number; chapter: Chapter }): Body {
    return {
      service: 'payments',
      message: failure.message,
      type: failure.type,
      stack: `${failure.type}: ${failure.message}\n    at ${failure.at}\n    at handle (payments/server.ts:52)`,
      trace_id: at.traceId,
      timestamp: this.#time(at.unixSeconds, at.atNs % NS_PER_SECOND),
      host: 'node-5',
      tags: { release: at.chapter.release }
    }
  }

  #pageView(unixSeconds: number, chapter: Chapter): Body {
    const timestamp = this.#time(unixSeconds, this.#random.below(NS_PER_SECOND))
    return this.#rum.next({ timestamp, release: chapter.release, slowdown: Math.sqrt(chapter.slowdown) })
  }

  #count(service: string, hasFailed: boolean): void {
    this.#requests.set(service, (this.#requests.get(service) ?? 0) + 1)
    if (hasFailed) this.#failed.set(service, (this.#failed.get(service) ?? 0) + 1)
  }

  #sample(emission: { points: Body[]; apmMetrics: Body[] }, unixSeconds: number, chapter: Chapter): void {
    const random = this.#random
    const timestamp_ns = `${unixSeconds}000000000`
    for (const service of Object.keys(HOPS)) {
      const labels = { service, env: 'demo' }
      emission.points.push(
        { name: 'http.server.requests', type: 'counter', value: this.#requests.get(service) ?? 0, labels, timestamp_ns },
        { name: 'http.server.errors', type: 'counter', value: this.#failed.get(service) ?? 0, labels, timestamp_ns }
      )
      const slowdown = AFFECTED.has(service) ? chapter.slowdown : 1
      const tags = { release: chapter.release }
      emission.apmMetrics.push({ service, name: 'latency.p95_ms', value: Math.round(HOPS[service]!.ms * 1.45 * slowdown), tags })
    }
    for (const host of HOSTS) {
      const isBusy = host === 'node-5' && chapter.slowdown > 2
      const cpu = (isBusy ? 78 : 24) + 12 * random.next()
      emission.points.push(
        { name: 'system.cpu.usage_percent', type: 'gauge', value: Number(cpu.toFixed(2)), labels: { host }, timestamp_ns },
        { name: 'system.memory.used_bytes', type: 'gauge', value: 3e9 + random.below(4e8), labels: { host }, timestamp_ns },
        {
          name: 'system.disk.usage_percent',
          type: 'gauge',
          value: 41 + (unixSeconds % 86_400) / 8_640,
          labels: { host, device: 'sda1' },
          timestamp_ns
        }
      )
    }
  }
}
