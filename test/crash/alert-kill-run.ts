import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'
import { countDeliveries, historyFaults, recountDeliveries, unreported } from './alert-recount.js'
import { AlertSite } from './alert-site.js'
import { PERIOD_MS } from './timed-rule.js'

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
  /** The longest time from a fault until a gateway evaluated a rule. */
  readonly slowestMs: number
  readonly faults: readonly string[]
}

const SPREAD_MS = 10_000

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
    const site = await AlertSite.open({ ...this.#options, gateways: 2 }, { rules, target: `${receiver.url}/hook` })
    try {
      // A whole period without a fault comes first.
      await reported(site, receiver, Date.now() + PERIOD_MS)
      const before = countDeliveries([], receiver.received, { untilMs: 0 }).repeated.length
      for (const fault of this.#options.faults) await this.#round(site, fault)
      return await this.#report(site, receiver, before)
    } finally {
      await site.gateways.stop()
      await receiver.close()
    }
  }

  async #round(site: AlertSite, fault: AlertFault): Promise<void> {
    const leader = await site.evaluator()
    // Mostly the one that evaluates: the other one has nothing to lose.
    const at = this.#random.next() < 0.2 ? this.#random.below(2) : leader
    await sleep(this.#random.below(SPREAD_MS))
    const tookMs = await this.#harm(site, fault, at)
    this.#slowestMs = Math.max(this.#slowestMs, tookMs)
    this.#options.onEvent?.(
      `${fault} of ${at === leader ? 'the leader' : 'the other one'}: ${tookMs} ms, ${this.#slowestMs} ms at most`
    )
  }

  /** The time from the fault until a gateway evaluated a rule, milliseconds. */
  async #harm(site: AlertSite, fault: AlertFault, at: number): Promise<number> {
    const startedMs = performance.now()
    if (fault === 'cut') await site.database.cutConnections()
    else if (fault === 'pause') site.gateways.pause(at, true)
    else {
      await site.gateways.at(at).stop('SIGKILL')
      // Until it is ready, the other one may have taken over.
      if (this.#random.next() < 0.5) await site.gateways.spawn(at)
    }
    await site.evaluator()
    const tookMs = Math.round(performance.now() - startedMs)
    if (fault === 'pause') {
      await sleep(Math.max(0, this.#options.pauseMs - tookMs))
      site.gateways.pause(at, false)
    } else if (site.gateways.at(at).hasExited) await site.gateways.start(at)
    else await site.gateways.ready(at)
    return tookMs
  }

  async #report(site: AlertSite, receiver: WebhookReceiver, repeatedBefore: number): Promise<AlertKillReport> {
    const untilMs = Date.now()
    await reported(site, receiver, untilMs)
    const events = await site.events(0)
    const { faults, received, repeated } = await recountDeliveries(site, receiver, { at: 0, untilMs })
    return {
      events: events.length,
      deliveries: received,
      ...{ repeatedBefore, repeated: repeated.length, slowestMs: this.#slowestMs },
      faults: [...historyFaults(site.rules, events, untilMs), ...faults]
    }
  }
}

/** Resolves when the last change of each rule before this time, or a later one, is reported. */
function reported({ rules }: AlertSite, receiver: WebhookReceiver, atMs: number): Promise<void> {
  return receiver.until(hooks => unreported(hooks, rules, atMs).length === 0)
}
