import { ALERT_FAIL_POINTS, type AlertFailPoint } from '../../src/alerting/fail-points.js'
import { type Random, seededRandom } from '../../bench/generate/random.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'
import { historyFaults, recountDeliveries, sampleFaults, unreported } from './alert-recount.js'
import { AlertSite, recordedName } from './alert-site.js'

/** Enough that one of them changes its state every half second. */
const RULES = 40
/** Enough that one of them writes a sample every second. */
const RECORDED = 10
/** How often a point is passed before it kills, at most. */
const MAX_SKIPPED = 2
const REACH_LIMIT_MS = 40_000

/** Where to run. */
export interface AlertPointOptions {
  readonly folder: string
  /** Null: the embedded control store. */
  readonly databaseUrl: string | null
  readonly seed: number
}

/** What was found. */
export interface AlertPointReport {
  readonly events: number
  readonly deliveries: number
  /** Messages that a kill at a point made arrive twice. */
  readonly repeatedAfter: ReadonlyMap<AlertFailPoint, number>
  /** Messages that arrived again though their outcome was stored. */
  readonly wronglyRepeated: readonly string[]
  readonly faults: readonly string[]
}

/** Kills a gateway with kill -9 at each fail point of an evaluation and of a delivery, one after the other. */
export class AlertPointRun {
  readonly #options: AlertPointOptions
  readonly #random: Random
  /** Deliveries whose outcome was not stored when a gateway ended. */
  readonly #mayRepeat = new Set<string>()
  /** Requests that had arrived at the kill of each point. */
  readonly #arrived = new Map<AlertFailPoint, number>()

  constructor(options: AlertPointOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  async run(): Promise<AlertPointReport> {
    const receiver = await openWebhookReceiver()
    const content = { rules: RULES, recorded: RECORDED, target: `${receiver.url}/hook` }
    const site = await AlertSite.open({ ...this.#options, gateways: 1 }, content)
    try {
      await site.gateways.stop()
      await this.#noteWaiting(site)
      for (const point of ALERT_FAIL_POINTS) await this.#kill(site, receiver, point)
      const untilMs = Date.now()
      await site.gateways.start(0)
      await receiver.until(hooks => unreported(hooks, site.rules, untilMs).length === 0)
      return await this.#report(site, receiver, untilMs)
    } finally {
      await site.gateways.stop()
      await receiver.close()
    }
  }

  async #kill(site: AlertSite, receiver: WebhookReceiver, point: AlertFailPoint): Promise<void> {
    const skip = this.#random.below(MAX_SKIPPED + 1)
    await site.gateways.spawnAndDie(0, { point, signal: 'SIGKILL', skip }, REACH_LIMIT_MS)
    this.#arrived.set(point, receiver.received.length)
    await this.#noteWaiting(site)
    await site.database.expireLeases()
  }

  async #noteWaiting({ database }: AlertSite): Promise<void> {
    for (const id of await database.waiting()) this.#mayRepeat.add(id)
  }

  async #report(site: AlertSite, receiver: WebhookReceiver, untilMs: number): Promise<AlertPointReport> {
    const events = await site.events(0)
    const { faults, received, repeated } = await recountDeliveries(site, receiver, { at: 0, untilMs })
    const samples: string[] = []
    for (let n = 0; n < RECORDED; n++) samples.push(...sampleFaults(recordedName(n), await site.recorded(0, n), untilMs))
    return {
      events: events.length,
      deliveries: received,
      repeatedAfter: this.#repeatedAfter(receiver),
      wronglyRepeated: repeated.filter(id => !this.#mayRepeat.has(id)),
      faults: [...historyFaults(site.rules, events, untilMs), ...faults, ...samples, ...doubles(await site.activeAlerts(0))]
    }
  }

  #repeatedAfter({ received }: WebhookReceiver): ReadonlyMap<AlertFailPoint, number> {
    const ids = received.map(({ headers }) => headers['webhook-id']!)
    const ends = [...this.#arrived.values(), ids.length]
    return new Map(
      [...this.#arrived].map(([point, arrived], at) => {
        const before = new Set(ids.slice(0, arrived))
        return [point, ids.slice(arrived, ends[at + 1]).filter(id => before.has(id)).length]
      })
    )
  }
}

/** Alerts that are there more than once. */
function doubles(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at).map(name => `${name}: two instances`)
}
