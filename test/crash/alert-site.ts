import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'

/** Interval of the rules, the shortest that there is. */
export const STEP_MS = 10_000
/** A rule is present for half of this time, then absent. */
const PERIOD_S = 40

/** Whether the condition of the rules is met at a time: it depends on the time alone, so that their history is known. */
export function isPresentAt(atMs: number): boolean {
  return (atMs / 1_000) % PERIOD_S < PERIOD_S / 2
}

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
}

const SECRETS_KEY = 'a secrets key of more than 32 characters'
const PAGE = 200

/** Two gateways on one PostgreSQL, with rules that fire and resolve by the time, and a webhook. */
export class AlertSite {
  readonly gateways: ServiceProcess[] = []
  readonly ruleIds: string[] = []
  readonly #options: { readonly folder: string; readonly databaseUrl: string }
  readonly #ports: number[] = []
  readonly #paused = new Set<number>()
  #queryKey = ''
  #channelId = ''

  private constructor(options: { readonly folder: string; readonly databaseUrl: string }) {
    this.#options = options
  }

  /** Starts both gateways and stores `rules` rules whose notifications go to `target`. */
  static async open(
    options: { readonly folder: string; readonly databaseUrl: string },
    { rules, target }: { readonly rules: number; readonly target: string }
  ): Promise<AlertSite> {
    const site = new AlertSite(options)
    try {
      for (const at of [0, 1]) {
        site.#ports.push(await freePort())
        await site.start(at)
      }
      await site.#store(rules, target)
      return site
    } catch (error) {
      await site.stop()
      throw error
    }
  }

  /** Starts a gateway again, on its folder and port. */
  async start(at: number): Promise<void> {
    const env = {
      ALIDADE_DATABASE_URL: this.#options.databaseUrl,
      ALIDADE_SECRETS_KEY: SECRETS_KEY,
      ALIDADE_WEBHOOK_ALLOW: '127.0.0.1'
    }
    const dataDir = join(this.#options.folder, `gateway-${at}`)
    this.gateways[at] = await ServiceProcess.start({ dataDir, port: this.#ports[at]!, args: ['--log-level', 'warn'], env })
  }

  /** The gateway that evaluates the rules; null while none does. */
  async leader(): Promise<number | null> {
    for (const [at, gateway] of this.gateways.entries()) {
      if (this.#paused.has(at) || gateway.hasExited) continue
      const text = await fetch(`${gateway.url}/metrics`, { signal: AbortSignal.timeout(1_000) }).then(
        reply => reply.text(),
        () => ''
      )
      if (/^alidade_alert_rules [1-9]/m.test(text)) return at
    }
    return null
  }

  /** Stops a gateway in the middle of what it does, or lets it go on. */
  pause(at: number, isPaused: boolean): void {
    if (isPaused) this.#paused.add(at)
    else this.#paused.delete(at)
    process.kill(this.gateways[at]!.pid, isPaused ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Ends all connections of both gateways to the database. */
  async cutConnections(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#options.databaseUrl })
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'alidade%'`
    )
    await client.end()
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
      const page = await this.#reader(at).call<{ deliveries: SeenDelivery[]; next: string | null }>(
        'GET',
        `/api/v1/channels/${this.#channelId}/deliveries?limit=${PAGE}${after}`
      )
      deliveries.push(...page.deliveries)
      if (page.next === null) return deliveries
      after = `&after=${page.next}`
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map(gateway => gateway.stop()))
  }

  #reader(at: number): Session {
    return Session.withKey(this.gateways[at]!.url, this.#queryKey)
  }

  async #store(rules: number, target: string): Promise<void> {
    const session = await Session.operator(this.gateways[0]!)
    const { key } = await session.call<{ key: string }>('POST', '/api/v1/keys', { name: 'recount', kind: 'query' })
    this.#queryKey = key
    const webhook = { name: 'receiver', kind: 'webhook', target }
    const { channel } = await session.call<{ channel: { id: string } }>('POST', '/api/v1/channels', webhook)
    this.#channelId = channel.id
    const route = { channels: ['receiver'], group_wait: '0s', group_interval: '10s', repeat_interval: '1d' }
    await session.call('PUT', '/api/v1/routing', { version: 0, document: { route } })
    const group = { name: 'quick', interval: `${STEP_MS / 1_000}s` }
    const { id } = await session.call<{ id: string }>('POST', '/api/v1/alerts/groups', group)
    for (let n = 0; n < rules; n++) {
      const rule = { alert: `R${n}`, expr: `vector(time()) % ${PERIOD_S} < ${PERIOD_S / 2}`, group_id: id }
      this.ruleIds.push((await session.call<{ id: string }>('POST', '/api/v1/alerts/rules', rule)).id)
    }
  }
}
