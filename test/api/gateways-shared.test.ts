import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import type { Gateway, Headers } from '../support/gateways.js'
import { about, startGateway } from '../support/gateways.js'
import { describeOn } from '../support/servers.js'
import type { ServiceStores } from '../support/service-profile.js'
import { openManagedStores } from '../support/service-profile.js'
import { SocketClient } from '../support/socket-client.js'

const WRITERS = 6
const LOGS = '/api/v1/logs/batch?ack=searchable'

describeOn('postgres', 'two gateways on shared stores', () =>
  describeOn('influx', 'with metrics in InfluxDB', () =>
    describeOn('es8', 'and logs in Elasticsearch', () => {
      let stores: ServiceStores
      let a: Gateway
      let b: Gateway
      let operator: Headers
      beforeAll(async () => {
        stores = await openManagedStores()
        a = await startGateway(stores.env)
        b = await startGateway(stores.env)
        operator = await a.service.login()
      }, 60_000)
      afterAll(async () => {
        await Promise.all([a?.service.close(), b?.service.close()])
        await stores?.remove()
      }, 60_000)

      /** A team namespace that both know, with a key for it. */
      async function makeTeam(name: string): Promise<{ readonly id: string; readonly key: Headers; readonly reader: Headers }> {
        const made = await b.hears(about('namespace'), () => a.send('POST', '/api/v1/namespaces', operator, { name }))
        const id = String(made.json['id'])
        const key = await a.send('POST', '/api/v1/keys', operator, { name: 'k', kind: 'ingest', namespaces: [id] })
        return { id, key: { 'x-api-key': String(key.json['key']) }, reader: { ...operator, 'x-namespace-id': id } }
      }

      async function found(gateway: Gateway, reader: Headers): Promise<readonly string[]> {
        const response = await gateway.send('POST', '/api/v1/logs/query', reader, { limit: 100 })
        expect(response.status).toBe(200)
        return (response.json['logs'] as { readonly message: string }[]).map(({ message }) => message)
      }

      async function rows(sql: string): Promise<readonly unknown[]> {
        const client = new pg.Client({ connectionString: stores.env['ALIDADE_DATABASE_URL'] })
        await client.connect()
        const result = await client.query<Record<string, unknown>>(sql)
        await client.end()
        return result.rows
      }

      it('make one index when both write to a new namespace at once, and find what the other wrote', async () => {
        const { id, key, reader } = await makeTeam('shop')
        const writes = Array.from({ length: WRITERS }, (_, i) =>
          [a, b][i % 2]!.send('POST', LOGS, key, { logs: [{ message: `log ${i}` }] })
        )
        for (const response of await Promise.all(writes)) expect(response).toMatchObject({ status: 200, json: { accepted: 1 } })
        const all = Array.from({ length: WRITERS }, (_, i) => `log ${i}`)
        for (const gateway of [a, b]) expect([...(await found(gateway, reader))].sort()).toEqual(all)
        expect(await rows(`select number from store_indices where owner = '${id}' and kind = 'logs'`)).toEqual([{ number: 1 }])
      }, 60_000)

      it('deliver what the other takes to a live tail, which resumes there without a gap', async () => {
        const { id, key } = await makeTeam('tail')
        const write = async (gateway: Gateway, ...messages: readonly string[]): Promise<void> => {
          const logs = messages.map(message => ({ message }))
          expect((await gateway.send('POST', LOGS, key, { logs })).status).toBe(200)
        }
        const open = ({ service }: Gateway): Promise<SocketClient> =>
          SocketClient.open(service.url, { ...(operator as Record<string, string>), 'X-Namespace-Id': id })
        const onA = await open(a)
        await onA.follow()
        await write(b, 'one', 'two')
        const { records, cursor } = await onA.delivery()
        expect(records.map(({ message }) => message)).toEqual(['one', 'two'])
        await onA.close()
        await write(a, 'three')
        const onB = await open(b)
        await onB.follow({ after: cursor })
        await write(a, 'four')
        expect((await onB.records(2)).map(({ message }) => message)).toEqual(['three', 'four'])
        await onB.close()
      }, 60_000)

      it('leave nothing of a namespace that one of them deletes', async () => {
        const { id, key } = await makeTeam('bank')
        for (const gateway of [a, b]) {
          expect((await gateway.send('POST', LOGS, key, { logs: [{ message: 'hello' }] })).status).toBe(200)
          const point = { name: 'cpu', value: 1 }
          expect((await gateway.send('POST', '/api/v1/ingest', key, point)).status).toBe(200)
        }
        const path = `/api/v1/namespaces/${id}`
        await b.hears(about('namespace', { namespaceId: id }), () => a.send('DELETE', path, operator))
        for (const gateway of [a, b])
          expect((await gateway.send('POST', LOGS, key, { logs: [{ message: 'late' }] })).status).toBe(410)
        // Closing waits for the removal on each.
        await Promise.all([a.service.close(), b.service.close()])
        expect(await rows(`select state from namespaces where id = '${id}'`)).toEqual([{ state: 'deleted' }])
        expect(await rows(`select index_name from store_indices where owner = '${id}'`)).toEqual([])
        expect(await rows(`select key from series where namespace_id = '${id}'`)).toEqual([])
        expect(await rows(`select place from store_places where store = 'influxdb' and namespace_id = '${id}'`)).toEqual([])
      }, 60_000)
    })
  )
)
