import { join } from 'node:path'
import { Session } from '../../bench/service/session.js'
import { CONTROL_FOLDER } from '../../src/stores/assemble/backup.js'
import { CONTROL_FILE } from '../../src/stores/assemble/open-control.js'
import { type AlertDatabase, openAlertDatabase } from './alert-database.js'
import { gatewayFolder, PointedGateways } from './pointed-gateways.js'
import { PERIOD_MS, STEP_MS, TimedRule } from './timed-rule.js'

/** An event as `GET /api/v1/alerts/events` has it. */
export interface SeenEvent {
  readonly ruleId: string
  readonly to: string
  readonly atMs: number
}

/** A delivery as `GET /api/v1/channels/{id}/deliveries` has it. */
export interface SeenDelivery {
  readonly id: string
  readonly state: string
  readonly createdAtMs: number
}

/** Where gateways keep what they have. */
export interface AlertSiteOptions {
  readonly folder: string
  /** Null: the embedded control store, for one gateway. */
  readonly databaseUrl: string | null
  readonly gateways: number
}

/** What is stored before anything happens. */
export interface AlertSiteContent {
  readonly rules: number
  /** Recording rules, which write the time of each step. */
  readonly recorded?: number
  /** URL of the webhook. */
  readonly target: string
}

const PAGE = 200

/** Name of the metric of a recording rule, from 0. */
export function recordedName(n: number): string {
  return `recorded_${n}`
}

/** Gateways on one control database, with rules that fire and resolve by the time, and a webhook. */
export class AlertSite {
  readonly gateways: PointedGateways
  /** Rule n is named `R<n>`. */
  readonly rules: TimedRule[] = []
  readonly database: AlertDatabase
  #queryKey = ''
  #channelId = ''

  private constructor({ folder, databaseUrl }: AlertSiteOptions, gateways: PointedGateways) {
    this.gateways = gateways
    this.database = openAlertDatabase(databaseUrl ?? join(gatewayFolder(folder, 0), CONTROL_FOLDER, CONTROL_FILE))
  }

  /** Starts the gateways and stores the rules. */
  static async open(options: AlertSiteOptions, content: AlertSiteContent): Promise<AlertSite> {
    const { folder, databaseUrl, gateways } = options
    const env = { ALIDADE_WEBHOOK_ALLOW: '127.0.0.1', ...(databaseUrl !== null && { ALIDADE_DATABASE_URL: databaseUrl }) }
    const site = new AlertSite(options, await PointedGateways.open(gateways, { folder, env }))
    try {
      await site.#store(content)
      return site
    } catch (error) {
      await site.gateways.stop()
      throw error
    }
  }

  /** The gateway that evaluates a rule next. */
  evaluator(): Promise<number> {
    return this.gateways.nextAt('evaluation.read')
  }

  /** All events, oldest first, as a gateway reports them. */
  async events(at: number): Promise<readonly SeenEvent[]> {
    const events: SeenEvent[] = []
    for (let cursor = ''; ;) {
      const page = await this.#reader(at).call<{
        events: { rule_id: string; to: string; at: string }[]
        page: { next_cursor: string | null }
      }>('GET', `/api/v1/alerts/events?limit=${PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      events.push(...page.events.map(({ rule_id: ruleId, to, at: time }) => ({ ruleId, to, atMs: Date.parse(time) })))
      if (page.page.next_cursor === null) return events.toReversed()
      cursor = encodeURIComponent(page.page.next_cursor)
    }
  }

  /** All deliveries of the webhook, as a gateway reports them. */
  async deliveries(at: number): Promise<readonly SeenDelivery[]> {
    const deliveries: SeenDelivery[] = []
    for (let after = ''; ;) {
      const page = await this.#reader(at).call<{
        deliveries: { id: string; state: string; created_at: string }[]
        next: string | null
      }>('GET', `/api/v1/channels/${this.#channelId}/deliveries?limit=${PAGE}${after}`)
      deliveries.push(...page.deliveries.map(({ id, state, created_at: made }) => ({ id, state, createdAtMs: Date.parse(made) })))
      if (page.next === null) return deliveries
      after = `&after=${page.next}`
    }
  }

  /** Names of the alerts that are pending or firing, with a repetition for each instance. */
  async activeAlerts(at: number): Promise<readonly string[]> {
    const { data } = await this.#reader(at).call<{ data: { alerts: { labels: { alertname: string } }[] } }>(
      'GET',
      '/api/v1/prometheus/api/v1/alerts'
    )
    return data.alerts.map(({ labels }) => labels.alertname)
  }

  /** Samples of a recording rule of the last hour: milliseconds of each, and its value. */
  async recorded(at: number, n: number): Promise<readonly (readonly [atMs: number, value: number])[]> {
    const query = encodeURIComponent(`${recordedName(n)}[1h]`)
    const { data } = await this.#reader(at).call<{ data: { result: { values: [number, string][] }[] } }>(
      'GET',
      `/api/v1/prometheus/api/v1/query?query=${query}`
    )
    return data.result.flatMap(({ values }) => values.map(([s, value]) => [Math.round(s * 1_000), Number(value)] as const))
  }

  #reader(at: number): Session {
    return Session.withKey(this.gateways.at(at).url, this.#queryKey)
  }

  async #store({ rules, recorded = 0, target }: AlertSiteContent): Promise<void> {
    const session = await Session.operator(this.gateways.at(0))
    const { key } = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'recount', kind: 'query' })
    this.#queryKey = key
    const webhook = { name: 'receiver', kind: 'webhook', target }
    const { channel } = await session.call<{ channel: { id: string } }>('POST', '/api/v1/channels', webhook)
    this.#channelId = channel.id
    const route = { channels: ['receiver'], group_wait: '0s', group_interval: '10s', repeat_interval: '1d' }
    await session.call('PUT', '/api/v1/routing', { version: 0, document: { route } })
    const group = { name: 'quick', interval: `${STEP_MS / 1_000}s` }
    const { id: groupId } = await session.call<{ id: string }>('POST', '/api/v1/alerts/groups', group)
    const store = (rule: object): Promise<{ id: string; updated_at: string }> =>
      session.call('POST', '/api/v1/alerts/rules', { ...rule, group_id: groupId })
    const period = PERIOD_MS / 1_000
    for (let n = 0; n < rules; n++) {
      const { id, updated_at: since } = await store({ alert: `R${n}`, expr: `vector(time()) % ${period} < ${period / 2}` })
      this.rules.push(new TimedRule(id, `R${n}`, Date.parse(since)))
    }
    for (let n = 0; n < recorded; n++) await store({ record: recordedName(n), expr: 'vector(time())' })
  }
}
