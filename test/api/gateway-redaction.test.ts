import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { FaultyRelay } from '../support/faulty-relay.js'
import { about, type Gateway, type Headers, startGateway } from '../support/gateways.js'
import { foundIn, foundInFolder, rulesAgainst, secretsOf, sentenceOf } from '../support/planted-secrets.js'
import { describeOn } from '../support/servers.js'
import { openManagedStores, type ServiceStores } from '../support/service-profile.js'

const RULED = secretsOf('7351')
const OPEN = secretsOf('4820')

describeOn('postgres', 'secrets on two gateways', () =>
  describeOn('influx', 'with metrics in InfluxDB', () =>
    describeOn('es8', 'and logs in Elasticsearch', () => {
      let stores: ServiceStores
      let relay: FaultyRelay
      let a: Gateway
      let b: Gateway
      let operator: Headers
      const ids = new Map<string, string>()
      const keys = new Map<string, Headers>()

      beforeAll(async () => {
        stores = await openManagedStores()
        relay = await FaultyRelay.open(stores.env['ALIDADE_ELASTICSEARCH_URL']!)
        a = await startGateway({ ...stores.env, ALIDADE_SECRETS_KEY: 'a key of thirty-two characters....' })
        b = await startGateway({
          ...stores.env,
          ...{ ALIDADE_SECRETS_KEY: 'a key of thirty-two characters....', ALIDADE_ELASTICSEARCH_URL: relay.url }
        })
        operator = await a.service.login()
        for (const name of ['ruled', 'open']) {
          const made = await b.hears(about('namespace'), () => a.send('POST', '/api/v1/namespaces', operator, { name }))
          ids.set(name, String(made.json['id']))
          const key = await a.send('POST', '/api/v1/keys', operator, { name, kind: 'ingest', namespaces: [ids.get(name)] })
          keys.set(name, { 'x-api-key': String(key.json['key']) })
        }
      }, 60_000)
      afterAll(async () => {
        await Promise.all([a?.service.close(), b?.service.close()])
        await relay?.close()
        await stores?.remove()
      }, 60_000)

      async function write(gateway: Gateway, query = ''): Promise<void> {
        for (const [name, secrets] of [
          ['ruled', RULED],
          ['open', OPEN]
        ] as const) {
          const json = { logs: [{ message: sentenceOf(secrets), log_fields: { note: sentenceOf(secrets) } }] }
          const result = await gateway.send('POST', `/api/v1/logs/batch${query}`, keys.get(name)!, json)
          expect(result).toMatchObject({ status: 200, json: { accepted: 1 } })
        }
      }

      /** All documents of all indices, as the server has them. */
      async function documents(): Promise<string> {
        const {
          ALIDADE_ELASTICSEARCH_URL: url,
          ALIDADE_ELASTICSEARCH_USERNAME: user,
          ALIDADE_ELASTICSEARCH_PASSWORD: password
        } = stores.env
        const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
        return (await fetch(`${url}/_all/_search?size=1000&expand_wildcards=all`, { headers })).text()
      }

      it('are redacted by the other gateway as soon as it has followed the change', async () => {
        const rules = rulesAgainst([RULED])
        const path = `/api/v1/namespaces/${ids.get('ruled')!}/log-rules`
        await b.hears(about('namespace', { namespaceId: ids.get('ruled')! }), () => a.send('PUT', path, operator, rules))
        await write(b, '?ack=searchable')
        const found = await documents()
        expect(foundIn(found, RULED)).toEqual([])
        expect(foundIn(found, OPEN)).toContain(OPEN.card)
      })

      it('are not in the spool while the store is down', async () => {
        await relay.become({ kind: 'refuse' })
        await write(b)
        const secrets = [...Object.values(RULED), OPEN.card]
        expect(await foundInFolder(b.service.dataDir, secrets)).toEqual([OPEN.card])
      })
    })
  )
)
