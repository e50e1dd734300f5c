import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Changes } from '../support/changes.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { FaultyRelay } from '../support/faulty-relay.js'
import { type RunningService, startService } from '../support/running-service.js'
import { describeOn } from '../support/servers.js'
import { openManagedStores, type ServiceStores } from '../support/service-profile.js'
import { must, textOf } from '../support/tenants.js'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const START_LIMIT_MS = 120_000
const TIMEOUT_MS = 60_000
/** Rules that fire on what is written, in the order of the list. */
const FIRING = ['Promql', 'Logs', 'Traces', 'Spans', 'Groups']
const WINDOW = { window: '5m' }

/** What happened to the alerts of a rule: `from > to`, and the reason of the rule's own alerts. */
type History = readonly string[]
type Histories = Readonly<Record<string, History>>

describeOn('postgres', 'alerts over managed stores', () =>
  describeOn('influx', 'with metrics in InfluxDB', () =>
    describeOn('es8', 'and logs and spans in Elasticsearch', () => {
      const clock = new ClockAhead()
      const relays: FaultyRelay[] = []
      const ids: Record<string, string> = {}
      const news = new Changes()
      let stores: ServiceStores
      let service: RunningService
      let operator: string

      beforeAll(async () => {
        stores = await openManagedStores()
        const env: Record<string, string> = { ...stores.env }
        for (const name of ['ALIDADE_ELASTICSEARCH_URL', 'ALIDADE_INFLUXDB_URL']) {
          const relay = await FaultyRelay.open(env[name]!)
          relays.push(relay)
          env[name] = relay.url
        }
        const flags = ['--rate-queries', '1000000']
        service = await startService({ env, flags, app: { clock, onAlertEvents: news.notify } })
        operator = (await service.login()).authorization.replace('Bearer ', '')
        await writeAll()
        // Logs and spans are read as of 15 s before an evaluation: the first one has them.
        clock.aheadMs += 30 * SECOND_MS
        await store()
      }, START_LIMIT_MS)
      afterAll(async () => {
        for (const relay of relays) await relay.become({ kind: 'pass' })
        await service?.close()
        for (const relay of relays) await relay.close()
        await stores?.remove()
      }, TIMEOUT_MS)

      async function store(): Promise<void> {
        const { api } = service
        const group = { name: 'fast', interval: '10s' }
        const groupId = textOf(await must(api, 'POST /api/v1/alerts/groups', operator, group), 'id')
        const rules = [
          { alert: 'Promql', expr: 'checkout_errors', op: 'gt', threshold: 3 },
          { alert: 'Logs', condition: { logs: { query: 'level:error', group_by: ['host'], ...WINDOW } }, op: 'gt', threshold: 3 },
          {
            alert: 'Traces',
            condition: { traces: { service: 'checkout', agg: 'error_rate', ...WINDOW } },
            op: 'gt',
            threshold: 0.5
          },
          {
            alert: 'Spans',
            condition: { spans: { group_by: ['service', 'name'], agg: 'avg', field: 'duration', ...WINDOW } },
            ...{ op: 'gt', threshold: 1_000_000 }
          },
          {
            alert: 'Groups',
            condition: { logs: { query: 'level:error', group_by: ['host', 'service'], ...WINDOW } },
            ...{ op: 'gt', threshold: 3 }
          },
          { alert: 'Absence', condition: { absence: { of: 'host', name: 'web-1', for: '5m' } } }
        ]
        for (const rule of rules)
          ids[rule.alert] = textOf(await must(api, 'POST /api/v1/alerts/rules', operator, { ...rule, group_id: groupId }), 'id')
      }

      async function write(path: string, json: object): Promise<void> {
        const headers = { 'x-api-key': service.first.ingestKey }
        const response = await service.ingest(`${path}?ack=searchable`, { method: 'POST', headers, json })
        expect([response.status, response.text]).toEqual([200, expect.any(String)])
      }

      async function writeAll(): Promise<void> {
        const nowMs = clock.nowMs()
        const log = { message: 'payment failed', level: 'error', service: 'checkout', host: 'web-1' }
        const logs = Array.from({ length: 5 }, (_, at) => ({ ...log, timestamp: new Date(nowMs - at).toISOString() }))
        await write('/api/v1/logs/batch', { logs })
        const labels = { host: 'web-1' }
        await write('/api/v1/ingest/batch', { metrics: [{ name: 'checkout_errors', value: 5, labels }] })
        const span = {
          ...{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '0000000000000001', name: 'pay', kind: 2 },
          ...{ startTimeUnixNano: `${nowMs - 50}000000`, endTimeUnixNano: `${nowMs}000000`, status: { code: 2 } }
        }
        const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] }
        await write('/api/v1/otlp/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] })
      }

      async function historyOf(rule: string): Promise<History> {
        const query = new URLSearchParams({ rule_id: ids[rule]!, start: 'now-1d', end: 'now+1d', limit: '500' })
        const { json } = await must(service.api, `GET /api/v1/alerts/events?${query.toString()}`, operator)
        const events = json['events'] as readonly { from: string; to: string; labels: Readonly<Record<string, string>> }[]
        return events.toReversed().map(({ from, to, labels }) => [from, '>', to, labels['alert_reason'] ?? ''].join(' ').trim())
      }

      /** Puts the clock forward, and resolves with what each of these rules did after `before`, once each did something. */
      async function pass(ms: number, before: Histories, rules = Object.keys(ids)): Promise<Histories> {
        clock.aheadMs += ms
        const after: Record<string, History> = {}
        for (const rule of rules) {
          after[rule] = await news.find(async () => {
            const added = (await historyOf(rule)).slice(before[rule]!.length)
            return added.length > 0 ? added : null
          })
        }
        return after
      }

      async function histories(): Promise<Histories> {
        return Object.fromEntries(await Promise.all(Object.keys(ids).map(async rule => [rule, await historyOf(rule)] as const)))
      }

      it(
        'fire on PromQL, logs and spans',
        async () => {
          const before = await histories()
          const fired = ['inactive > firing']
          expect(await pass(20 * SECOND_MS, before, FIRING)).toEqual({
            ...{ Promql: fired, Logs: fired, Traces: fired, Spans: fired, Groups: fired }
          })
          expect(await historyOf('Absence')).toEqual([])
        },
        TIMEOUT_MS
      )

      it(
        'have an error while their store does not respond, and nothing resolves',
        async () => {
          const before = await histories()
          for (const relay of relays) await relay.become({ kind: 'refuse' })
          const failed = ['inactive > error error']
          expect(await pass(40 * SECOND_MS, before)).toEqual({
            ...{ Promql: failed, Logs: failed, Traces: failed, Spans: failed, Groups: failed, Absence: failed }
          })
          const { json } = await must(service.api, 'GET /api/v1/alerts/rules?state=firing', operator)
          const rules = json['rules'] as readonly {
            alert: string
            last_error: string | null
            instances: readonly { state: string }[]
          }[]
          expect(rules.map(({ alert, instances }) => [alert, instances.map(({ state }) => state).toSorted()])).toEqual(
            FIRING.map(alert => [alert, ['error', 'firing']])
          )
          for (const { last_error: error } of rules) expect(error).not.toBeNull()
        },
        TIMEOUT_MS
      )

      it(
        'go on when it responds again, and those that fired still do',
        async () => {
          const before = await histories()
          for (const relay of relays) await relay.become({ kind: 'pass' })
          const recovered = ['error > resolved error']
          expect(await pass(20 * SECOND_MS, before)).toEqual({
            ...{ Promql: recovered, Logs: recovered, Traces: recovered, Spans: recovered, Groups: recovered, Absence: recovered }
          })
        },
        TIMEOUT_MS
      )

      it(
        'resolve, or report that nothing is sent any more',
        async () => {
          const before = await histories()
          expect(await pass(8 * MINUTE_MS, before)).toEqual({
            ...{ Promql: ['firing > nodata'], Logs: ['firing > resolved'], Traces: ['firing > nodata'] },
            ...{ Spans: ['firing > nodata'], Groups: ['firing > resolved'] },
            Absence: ['inactive > firing']
          })
        },
        TIMEOUT_MS
      )
    })
  )
)
