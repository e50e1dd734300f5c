import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../bench/generate/random.js'
import type { Random } from '../../bench/generate/random.js'
import { AckedLoad } from './acked-load.js'
import type { SentRequest } from './acked-load.js'
import { CrashSite } from './crash-site.js'
import { auditSegments, countSpanNames } from './orphans.js'
import type { SegmentAudit } from './orphans.js'
import { countMessages, countPoints, findViolations } from './recount.js'

/** How often to kill, and what decides the moments. */
export interface KillOptions {
  readonly dataDir: string
  readonly kills: number
  readonly seed: number
  readonly onRound?: (line: string) => void
}

/** What was found over all rounds. */
export interface KillReport {
  readonly httpKills: number
  readonly storeKills: number
  readonly acked: number
  /** Requests of spans among them. */
  readonly ackedSpans: number
  readonly unacked: number
  /** Unacknowledged requests that were repeated, under their key or by OTLP, until they were acknowledged. */
  readonly repeated: number
  readonly violations: readonly string[]
  readonly surprises: readonly string[]
  readonly audit: SegmentAudit
}

const MIN_LOAD_MS = 60
const LOAD_SPREAD_MS = 500

/** Kills the HTTP process or the store process at random moments under load, and recounts after each restart. */
export class KillRun {
  #options: KillOptions
  #random: Random
  #site: CrashSite | null = null
  #requests: SentRequest[] = []
  #violations: string[] = []
  #surprises: string[] = []
  #repeated = 0
  #kills = { http: 0, store: 0 }

  constructor(options: KillOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  async run(): Promise<KillReport> {
    this.#site = await CrashSite.open(this.#options.dataDir)
    try {
      for (let round = 0; round < this.#options.kills; round++) await this.#round(`round-${round}`)
      await this.#recountAll()
    } finally {
      await this.#site.service.stop()
    }
    await this.#recountSpans()
    return this.#report(await auditSegments(this.#options.dataDir))
  }

  async #round(round: string): Promise<void> {
    const site = this.#site!
    const load = new AckedLoad(this.#random, round)
    const victim = this.#random.next() < 0.5 ? 'http' : 'store'
    load.start(site.target, true)
    await sleep(MIN_LOAD_MS + this.#random.below(LOAD_SPREAD_MS))
    await this.#kill(victim)
    await load.stop()
    if (victim === 'http') await site.start()
    else await site.service.ready()
    const unacked = load.requests.filter(request => !request.isAcked)
    await load.repeatUnacked(site.target)
    this.#repeated += unacked.filter(request => request.isAcked).length
    const found = { messages: await countMessages(site.session, round), points: await countPoints(site.session, round) }
    // Spans are counted at the end: reading them through the API would count a span that was stored twice once.
    const violations = findViolations(
      load.requests.filter(({ kind }) => kind !== 'spans'),
      found
    )
    this.#violations.push(...violations)
    this.#surprises.push(...load.surprises)
    this.#requests.push(...load.requests)
    this.#options.onRound?.(
      `${round}: killed ${victim}, ${load.requests.length - unacked.length} acknowledged, ${unacked.length} not, ${violations.length} violations`
    )
  }

  async #kill(victim: 'http' | 'store'): Promise<void> {
    this.#kills[victim]++
    if (victim === 'http') return this.#site!.service.stop('SIGKILL')
    const pid = this.#site!.service.storePid
    if (pid === null) throw new Error('there is no store process to kill')
    process.kill(pid, 'SIGKILL')
  }

  /** Later rounds, seals and merges must not have taken or doubled what earlier ones stored. */
  async #recountAll(): Promise<void> {
    const logs = this.#requests.filter(({ kind }) => kind === 'logs' || kind === 'otlp-logs')
    const messages = await countMessages(this.#site!.session, null)
    this.#violations.push(...findViolations(logs, { messages, points: new Map() }).map(text => `at the end: ${text}`))
  }

  async #recountSpans(): Promise<void> {
    const spans = this.#requests.filter(request => request.kind === 'spans')
    const messages = await countSpanNames(this.#options.dataDir)
    this.#violations.push(...findViolations(spans, { messages, points: new Map() }).map(text => `spans: ${text}`))
  }

  #report(audit: SegmentAudit): KillReport {
    const acked = this.#requests.filter(request => request.isAcked).length
    return {
      httpKills: this.#kills.http,
      storeKills: this.#kills.store,
      acked,
      ackedSpans: this.#requests.filter(({ kind, isAcked }) => kind === 'spans' && isAcked).length,
      unacked: this.#requests.length - acked,
      repeated: this.#repeated,
      violations: this.#violations,
      surprises: this.#surprises,
      audit
    }
  }
}
