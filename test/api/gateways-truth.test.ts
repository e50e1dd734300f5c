import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { FaultyRelay } from '../support/faulty-relay.js'
import { firstResult } from '../support/first-result.js'
import type { Gateway, Headers } from '../support/gateways.js'
import { startGateway } from '../support/gateways.js'
import { instantQuery } from '../support/prometheus-api.js'
import { describeOn } from '../support/servers.js'
import type { ServiceStores } from '../support/service-profile.js'
import { openManagedStores } from '../support/service-profile.js'

const TIMEOUT_MS = 60_000
/** After so long every gateway knows what one of them acknowledged, or that it waits. */
const KNOWN_EVERYWHERE_MS = 2_000
const OLD_SERIES = 20
/** `firstResult` requests as fast as a gateway responds. */
const UNLIMITED = { ALIDADE_RATE_QUERIES: '1000000' }

interface Complete {
  readonly complete: boolean
  readonly warnings: readonly string[]
}

describeOn('postgres', 'two gateways on shared stores report the same state', () =>
  describeOn('influx', 'with metrics in InfluxDB', () =>
    describeOn('es8', 'and logs in Elasticsearch', () => {
      const relays: Record<string, FaultyRelay> = {}
      let stores: ServiceStores
      let a: Gateway
      let b: Gateway
      let operator: Headers
      let key: Headers

      beforeAll(async () => {
        stores = await openManagedStores()
        const env: Record<string, string> = { ...stores.env, ...UNLIMITED }
        for (const name of ['ALIDADE_ELASTICSEARCH_URL', 'ALIDADE_INFLUXDB_URL']) {
          relays[name] = await FaultyRelay.open(env[name]!)
          env[name] = relays[name].url
        }
        a = await startGateway(env)
        b = await startGateway({ ...stores.env, ...UNLIMITED })
        operator = await a.service.login()
        key = { 'x-api-key': a.service.first.ingestKey }
      }, TIMEOUT_MS)
      afterAll(async () => {
        for (const relay of Object.values(relays)) await relay.become({ kind: 'pass' })
        await Promise.all([a?.service.close(), b?.service.close()])
        for (const relay of Object.values(relays)) await relay.close()
        await stores?.remove()
      }, TIMEOUT_MS)

      async function write(path: string, json: object, spooled = 0): Promise<void> {
        const response = await a.send('POST', path, key, json)
        expect([response.status, response.json['spooled'] ?? 0]).toEqual([200, spooled])
      }

      async function request(gateway: Gateway, path: string, json: object): Promise<Complete> {
        const response = await gateway.send('POST', path, operator, json)
        expect([response.status, response.text]).toEqual([200, expect.any(String)])
        return response.json as unknown as Complete
      }

      const logs = (gateway: Gateway): Promise<Complete> => request(gateway, '/api/v1/logs/query', { limit: 10 })
      const points = (gateway: Gateway): Promise<Complete> =>
        request(gateway, '/api/v1/query', { metric: 'truth.begun', start: 'now-10m', end: 'now', step: '10m' })

      it(
        'find a series by PromQL on the other gateway within 2 s of its acknowledgement',
        async () => {
          const metrics = Array.from({ length: OLD_SERIES }, (_, i) => ({
            name: 'truth.begun',
            value: 1,
            labels: { old: `${i}` }
          }))
          await write('/api/v1/ingest/batch?ack=searchable', { metrics })
          const found = (): ReturnType<typeof instantQuery> => instantQuery(b.service, operator, 'count by (begun) ({begun!=""})')
          // The other gateway has the series of the namespace in memory.
          const ofOld = (): ReturnType<typeof instantQuery> => instantQuery(b.service, operator, 'count({old!=""})')
          await firstResult(KNOWN_EVERYWHERE_MS, ofOld, ([series]) => series?.value[1] === String(OLD_SERIES))
          expect(await found()).toEqual([])
          for (const begun of ['first', 'second', 'third']) {
            await write('/api/v1/ingest?ack=searchable', { name: 'truth.begun', value: 1, labels: { begun } })
            await firstResult(KNOWN_EVERYWHERE_MS, found, series => series.some(({ metric }) => metric['begun'] === begun))
          }
        },
        TIMEOUT_MS
      )

      it.each([
        {
          ...{ signal: 'logs', store: 'ALIDADE_ELASTICSEARCH_URL', path: '/api/v1/logs', record: { message: 'waits' } },
          ...{ result: logs, waiting: '2 logs are spooled' }
        },
        {
          ...{
            signal: 'metrics',
            store: 'ALIDADE_INFLUXDB_URL',
            path: '/api/v1/ingest',
            record: { name: 'truth.begun', value: 1 }
          },
          ...{ result: points, waiting: '2 metric points are spooled' }
        }
      ])(
        'report on the other gateway how many $signal wait in the spool of the one, and that they are complete once none do',
        async ({ store, path, record, result: response, waiting }) => {
          await write(`${path}?ack=searchable`, record)
          // A response that finds nothing has a warning of its own.
          await firstResult(
            TIMEOUT_MS / 2,
            () => response(b),
            ({ warnings }) => warnings.length === 0
          )
          const relay = relays[store]!
          await relay.become({ kind: 'refuse' })
          await write(path, record, 1)
          await write(path, record, 1)
          const elsewhere = `${waiting} on other gateways and may be missing in the response`
          const reported = await firstResult(
            KNOWN_EVERYWHERE_MS,
            () => response(b),
            ({ warnings }) => warnings.includes(elsewhere)
          )
          expect(reported).toMatchObject({ complete: false, warnings: [elsewhere] })
          await relay.become({ kind: 'pass' })
          const whole = await firstResult(
            TIMEOUT_MS / 2,
            () => response(b),
            ({ complete }) => complete
          )
          expect(whole.warnings).toEqual([])
        },
        TIMEOUT_MS
      )
    })
  )
)
