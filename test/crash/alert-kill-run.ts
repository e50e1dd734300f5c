import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'
import { countDeliveries, historyFaults, staleReports } from './alert-recount.js'
import { AlertSite, STEP_MS } from './alert-site.js'

/** What happens to a gateway: `kill -9`, a pause longer than its leases, or the loss of its connections to the database. */
export const ALERT_FAULTS = ['kill', 'pause', 'cut'] as const
type AlertFault = (typeof ALERT_FAULTS)[number]

/** How to treat two gateways. */
export interface AlertKillOptions {
  readonly folder: string
  readonly databaseUrl: string
  readonly rules: number
  /** In this order; the seed decides the moments, and which gateway it is. */
  readonly faults: readonly AlertFault[]
  readonly seed: number
  readonly pauseMs: number
  readonly onEvent?: (line: string) => void
}

/** What was found. */
export interface AlertKillReport {
  readonly events: number
  readonly deliveries: number
  /** Requests that arrived more than once: before the first fault, and in all. */
  readonly repeatedBefore: number
  readonly repeated: number
  /** The longest time from a fault until a gateway has the rules. */
  readonly slowestMs: number
  readonly faults: readonly string[]
}

/** Two periods of the rules without a fault come first. */
const CALM_MS = 45_000
const TAKEOVER_LIMIT_MS = 60_000
const POLL_MS = 100
const SPREAD_MS = 10_000
const SETTLE_TRIES = 60

/** Kills, pauses and cuts off two gateways on one PostgreSQL, and compares history and messages with what they have to be. */
export class AlertKillRun {
  readonly #options: AlertKillOptions
  readonly #random: Random
  #slowestMs = 0

  constructor(options: AlertKillOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  async run(): Promise<AlertKillReport> {
    const receiver = await openWebhookReceiver()
    const { rules } = this.#options
    const site = await AlertSite.open(this.#options, { rules, target: `${receiver.url}/hook` })
    try {
      await sleep(CALM_MS)
      const before = countDeliveries([], receiver.received).repeated
      for (const fault of this.#options.faults) await this.#round(site, fault)
      return await this.#report(site, receiver, before)
    } finally {
      await site.stop()
      await receiver.close()
    }
  }

  async #round(site: AlertSite, fault: AlertFault): Promise<void> {
    await sleep(this.#random.below(SPREAD_MS))
    const leader = await site.leader()
    // Mostly the one that evaluates: the other one has nothing to lose.
    const at = leader === null || this.#random.next() < 0.2 ? this.#random.below(2) : leader
    await this.#harm(site, fault, at)
    this.#options.onEvent?.(`${fault} of ${at === leader ? 'the leader' : 'the other one'}, ${this.#slowestMs} ms at most`)
  }

  async #harm(site: AlertSite, fault: AlertFault, at: number): Promise<void> {
    const startedMs = performance.now()
    if (fault === 'cut') await site.cutConnections()
    else if (fault === 'pause') site.pause(at, true)
    else {
      await site.gateways[at]!.stop('SIGKILL')
      if (this.#random.next() < 0.5) await site.start(at)
    }
    await this.#takeover(site, startedMs)
    if (fault === 'pause') {
      await sleep(Math.max(0, this.#options.pauseMs - (performance.now() - startedMs)))
      site.pause(at, false)
    } else if (site.gateways[at]!.hasExited) await site.start(at)
  }

  /** Waits until a gateway evaluates the rules. */
  async #takeover(site: AlertSite, startedMs: number): Promise<void> {
    while ((await site.leader()) === null) {
      if (performance.now() - startedMs > TAKEOVER_LIMIT_MS) throw new Error('no gateway evaluates the rules')
      await sleep(POLL_MS)
    }
    this.#slowestMs = Math.max(this.#slowestMs, Math.round(performance.now() - startedMs))
  }

  async #report(site: AlertSite, receiver: WebhookReceiver, repeatedBefore: number): Promise<AlertKillReport> {
    const untilMs = Date.now() - STEP_MS
    const stale = await staleRules(site, receiver)
    const events = await site.events(0)
    const { faults, received, repeated } = countDeliveries(await site.deliveries(0), receiver.received)
    return {
      events: events.length,
      deliveries: received,
      ...{ repeatedBefore, repeated, slowestMs: this.#slowestMs },
      faults: [...historyFaults(site.ruleIds, events, untilMs), ...faults, ...stale]
    }
  }
}

/** Rules whose present state is not reported in `SETTLE_TRIES` seconds. They go on to fire and resolve meanwhile. */
async function staleRules(site: AlertSite, { received }: WebhookReceiver): Promise<readonly string[]> {
  const left = new Set(site.ruleIds)
  let stale: readonly string[] = []
  for (let tries = 0; tries < SETTLE_TRIES; tries++) {
    await sleep(1_000)
    const events = await site.events(0)
    stale = staleReports(received, site.ruleIds, events)
    for (const ruleId of left) if (!stale.some(fault => fault.startsWith(ruleId))) left.delete(ruleId)
    if (left.size === 0 && (await site.deliveries(0)).every(({ state }) => state !== 'waiting')) return []
  }
  return stale
}
