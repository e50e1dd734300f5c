import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import Database from 'libsql'
import { engineApi } from '../support/elasticsearch-fixture.js'
import type { RunningService } from '../support/running-service.js'
import { startService } from '../support/running-service.js'
import { describeOn } from '../support/servers.js'
import { openManagedStores } from '../support/service-profile.js'
import { openTempFolder } from '../support/temp-folder.js'

type Env = Readonly<Record<string, string>>
const MAX_RETRY_MS = 60_000
const FOUND = { logs: ['mixed'], metrics: [7], errors: ['broken'] }

async function sendAll(service: RunningService): Promise<void> {
  const headers = { 'x-api-key': service.first.ingestKey }
  const send = async (path: string, json: object): Promise<void> => {
    const response = await service.ingest(`/api/v1/${path}?ack=searchable`, { method: 'POST', json, headers })
    expect([path, response.status, response.json['accepted']]).toEqual([path, 200, 1])
  }
  await send('logs', { message: 'mixed' })
  await send('ingest', { name: 'mixed.metric', value: 7 })
  await send('apm/errors', { service: 'shop', message: 'broken' })
}

async function findAll(service: RunningService): Promise<object> {
  const headers = await service.login(service.first.email, service.first.password!)
  const post = (path: string, json: object) => service.api(`/api/v1/${path}`, { method: 'POST', json, headers })
  const logs = (await post('logs/query', {})).json['logs'] as { message: string }[]
  const metrics = await post('query', { metric: 'mixed.metric', agg: 'last', start: 'now-10m', end: 'now', step: '10m' })
  const series = metrics.json['series'] as { points: [number, number][] }[]
  const errors = await service.api('/api/v1/apm/errors', { headers })
  const groups = errors.json['groups'] as { message: string }[]
  return {
    logs: logs.map(({ message }) => message),
    metrics: series.flatMap(({ points }) => points.map(([, value]) => value)),
    errors: groups.map(({ message }) => message)
  }
}

async function storeNames(service: RunningService): Promise<readonly string[]> {
  const { json } = await service.api('/health/ready')
  return (json['stores'] as { name: string }[]).map(({ name }) => name)
}

/** Names in the embedded control database of a service that has been closed. */
function namesIn(dataDir: string, sql: string): readonly string[] {
  const database = new Database(join(dataDir, 'control', 'control.db'))
  const rows = database.prepare(sql).all() as { name: string }[]
  database.close()
  return rows.map(({ name }) => name)
}

async function running(
  env: Env,
  work: (service: RunningService) => Promise<void>,
  clean: (dataDir: string) => Promise<void>
): Promise<void> {
  const folder = await openTempFolder()
  const dataDir = join(folder.path, 'data')
  try {
    const service = await startService({ dataDir, env })
    try {
      await work(service)
    } finally {
      await service.close()
    }
  } finally {
    await clean(dataDir)
    await folder.remove()
  }
}

describeOn('es8', 'a service that keeps one kind of data in Elasticsearch', access => {
  it.each([
    ['logs', { ALIDADE_EVENTS_STORE: 'duckdb' }],
    ['page timings and errors', { ALIDADE_LOGS_STORE: 'duckdb' }]
  ])(
    'finds everything when that is %s',
    (_what, others) =>
      running(
        { ALIDADE_ELASTICSEARCH_URL: access.url, ...others },
        async service => {
          await sendAll(service)
          expect(await findAll(service)).toEqual(FOUND)
          expect(await storeNames(service)).toEqual(['duckdb', 'elasticsearch', 'spool', 'control'])
        },
        async dataDir => {
          const names = namesIn(dataDir, 'SELECT index_name AS name FROM store_indices').join(',')
          if (names !== '') await engineApi(access, 'DELETE', `/${names}?ignore_unavailable=true`)
        }
      ),
    MAX_RETRY_MS
  )
})

describeOn('influx', 'a service that keeps metrics in InfluxDB', ({ url, token = '', org = '' }) => {
  it(
    'finds everything',
    () =>
      running(
        { ALIDADE_INFLUXDB_URL: url, ALIDADE_INFLUXDB_TOKEN: token, ALIDADE_INFLUXDB_ORG: org },
        async service => {
          await sendAll(service)
          expect(await findAll(service)).toEqual(FOUND)
          expect(await storeNames(service)).toEqual(['duckdb', 'influxdb', 'spool', 'control'])
        },
        async dataDir => {
          const headers = { authorization: `Token ${token}` }
          for (const name of namesIn(dataDir, 'SELECT DISTINCT place AS name FROM store_places')) {
            const found = await fetch(`${url}/api/v2/buckets?name=${name}&org=${org}`, { headers })
            const { buckets = [] } = (await found.json()) as { buckets?: { id: string }[] }
            for (const { id } of buckets) await fetch(`${url}/api/v2/buckets/${id}`, { method: 'DELETE', headers })
          }
        }
      ),
    MAX_RETRY_MS
  )
})

function everythingManaged(): void {
  it(
    'finds everything, starts no embedded engine, and holds only its spool and the output of the first start',
    async () => {
      const stores = await openManagedStores()
      await running(
        stores.env,
        async service => {
          await sendAll(service)
          expect(await findAll(service)).toEqual(FOUND)
          expect(await storeNames(service)).toEqual(['elasticsearch', 'influxdb', 'spool', 'control'])
          expect((await readdir(service.dataDir)).toSorted()).toEqual([
            'admin.json',
            'first-run.txt',
            'gateway-id',
            'lock',
            'spool'
          ])
        },
        () => stores.remove()
      )
    },
    MAX_RETRY_MS
  )
}

describeOn('postgres', 'a service that keeps everything in managed stores', () => {
  describeOn('es8', 'next to Elasticsearch', () => {
    describeOn('influx', 'and InfluxDB', everythingManaged)
  })
})
