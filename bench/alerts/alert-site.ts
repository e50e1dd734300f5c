import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogSource } from '../generate/logs.js'
import type { ServiceProcess } from '../service/service-process.js'
import { type MadeNamespace, Session } from '../service/session.js'

const NAMESPACES = 20
const SERIES_OF_ONE = 50
const LOGS_OF_ONE = 50
/** Services whose spans rules measure, and spans of each in a second. */
const SERVICES_OF_ONE = 5
const SPANS_OF_SERVICE = 2
/** Of each namespace: 600 PromQL, 300 counts of logs and 100 rates of spans in all. */
const RULES_OF_ONE = { promql: 30, logs: 15, traces: 5 } as const
const LANES = 8

/** Quantiles of a histogram of `/metrics` between two readings: upper bounds of buckets, seconds. */
export type Buckets = ReadonlyMap<number, number>

/** The bucket that has this share of the observations after `before`. */
export function bucketOf(before: Buckets, after: Buckets, share: number): number {
  const counts = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const)
  const all = Math.max(...counts.map(([, count]) => count))
  return counts.find(([, count]) => count >= all * share)?.[0] ?? Number.POSITIVE_INFINITY
}

/** A service with 20 namespaces, their rules, and load. */
export class AlertSite {
  readonly session: Session
  readonly namespaces: readonly MadeNamespace[]
  readonly service: ServiceProcess
  readonly #ingestKey: string
  readonly #logs: LogSource

  private constructor(
    service: ServiceProcess,
    session: Session,
    made: { namespaces: readonly MadeNamespace[]; key: string; seed: number }
  ) {
    this.service = service
    this.session = session
    this.namespaces = made.namespaces
    this.#ingestKey = made.key
    this.#logs = new LogSource(made.seed)
  }

  static async open(service: ServiceProcess, seed: number): Promise<AlertSite> {
    const session = await Session.operator(service)
    const namespaces: MadeNamespace[] = []
    for (let n = 0; n < NAMESPACES; n++) namespaces.push(await session.makeNamespace(`alerts-${n}`))
    const ids = namespaces.map(({ name }) => name)
    const key = await session.makeKey('load', 'ingest', ids)
    return new AlertSite(service, session, { namespaces, key, seed })
  }

  /** A call for one of the namespaces. */
  call<T>(namespace: MadeNamespace, method: string, path: string, body?: unknown): Promise<T> {
    return this.session.call<T>(method, path, body, { 'x-namespace-id': namespace.id })
  }

  /** Stores all rules; resolves with how many there are. */
  async storeRules(): Promise<number> {
    const rules = this.namespaces.flatMap(namespace => rulesOfOne().map(rule => ({ namespace, rule })))
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (let at = lane; at < rules.length; at += LANES) {
          const { namespace, rule } = rules[at]!
          await this.call(namespace, 'POST', '/api/v1/alerts/rules', rule)
        }
      })
    )
    return rules.length
  }

  /** Sends 1,000 logs and 200 spans a second, and 1,000 points each minute, for so long. */
  async load(seconds: number): Promise<void> {
    const beginMs = performance.now()
    for (let second = 0; second < seconds; second++) {
      await Promise.all(this.namespaces.map(namespace => this.#sendSecond(namespace, second)))
      await sleep(Math.max(0, beginMs + (second + 1) * 1_000 - performance.now()))
    }
  }

  async #sendSecond({ name }: MadeNamespace, second: number): Promise<void> {
    const nowMs = Date.now()
    const at = [Math.floor(nowMs / 1_000), (nowMs % 1_000) * 1_000_000] as const
    const logs = Array.from({ length: LOGS_OF_ONE }, () => this.#logs.next(...at))
    await this.#post('/api/v1/logs/batch', `{"namespace":"${name}","logs":[${logs.join(',')}]}`)
    const resourceSpans = Array.from({ length: SERVICES_OF_ONE }, (_, n) => spansOf(n, nowMs))
    await this.#post(`/api/v1/otlp/v1/traces?namespace=${name}`, JSON.stringify({ resourceSpans }))
    if (second % 60 !== 0) return
    const metrics = Array.from({ length: SERIES_OF_ONE }, (_, n) => point(n, BigInt(nowMs) * 1_000_000n))
    await this.#post('/api/v1/ingest/batch', `{"namespace":"${name}","metrics":[${metrics.join(',')}]}`)
  }

  /** Sends a body of ingest. */
  async #post(path: string, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json', 'x-api-key': this.#ingestKey }
    const reply = await fetch(this.service.url + path, { method: 'POST', headers, body })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${(await reply.text()).slice(0, 300)}`)
    await reply.arrayBuffer()
  }

  /** Sends a week of points at one minute of 100 series into the first namespace. */
  async fillWeek(): Promise<void> {
    const minutes = 7 * 24 * 60
    const beginMs = Date.now() - minutes * 60_000
    const perBody = 10
    for (let minute = 0; minute < minutes; minute += perBody) {
      const metrics = Array.from({ length: perBody }, (_, i) => BigInt(beginMs + (minute + i) * 60_000) * 1_000_000n).flatMap(
        atNs => Array.from({ length: 100 }, (_, n) => point(n, atNs, 'week_load'))
      )
      await this.#post('/api/v1/ingest/batch', `{"namespace":"${this.namespaces[0]!.name}","metrics":[${metrics.join(',')}]}`)
    }
  }

  /** The lateness of evaluations so far. */
  async lateness(): Promise<Buckets> {
    const text = await (await fetch(`${this.service.url}/metrics`)).text()
    const lines = [...text.matchAll(/^alidade_alert_evaluation_late_seconds_bucket\{le="([^"]+)"[^}]*\} (\d+)/gm)]
    return new Map(lines.map(([, bound, count]) => [bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), Number(count)]))
  }

  /** Evaluated steps so far. */
  async steps(): Promise<number> {
    const text = await (await fetch(`${this.service.url}/metrics`)).text()
    return Number(/^alidade_alert_evaluation_steps_total (\d+)/m.exec(text)?.[1] ?? 0)
  }
}

function point(n: number, atNs: bigint, name = 'host_load'): string {
  const value = 50 + 40 * Math.sin(Number(atNs / 1_000_000_000n) / 7_000 + n)
  return `{"name":"${name}","type":"gauge","labels":{"host":"host-${n}","zone":"z${n % 5}"},"value":${value},"timestamp_ns":${atNs}}`
}

/** Spans of one service that ended now, each of a trace of its own. */
function spansOf(service: number, nowMs: number): object {
  const spans = Array.from({ length: SPANS_OF_SERVICE }, () => ({
    ...{ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex'), name: 'GET /orders', kind: 2 },
    ...{ startTimeUnixNano: `${nowMs - 20}000000`, endTimeUnixNano: `${nowMs}000000` }
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: `service-${service}` } }] }
  return { resource, scopeSpans: [{ spans }] }
}

function rulesOfOne(): readonly object[] {
  const promql = (n: number): object => ({
    alert: `Load${n}`,
    expr:
      n % 2 === 0 ? `avg by (zone) (host_load) > ${85 + n / 10}` : `host_load{zone="z${n % 5}"} / ignoring(zone) host_load > 1`,
    for: '2m'
  })
  const logs = (n: number): object => ({
    alert: `Errors${n}`,
    condition: { logs: { query: 'level:error', group_by: ['service'], agg: 'count', window: '1m' } },
    ...{ op: 'gt', threshold: 1_000 + n }
  })
  const traces = (n: number): object => ({
    alert: `Slow${n}`,
    condition: { traces: { service: `service-${n}`, agg: 'rate', window: '1m' } },
    ...{ op: 'gt', threshold: 100 }
  })
  const many = (count: number, rule: (n: number) => object): readonly object[] => Array.from({ length: count }, (_, n) => rule(n))
  return [...many(RULES_OF_ONE.promql, promql), ...many(RULES_OF_ONE.logs, logs), ...many(RULES_OF_ONE.traces, traces)]
}
