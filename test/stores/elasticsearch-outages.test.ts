import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { engineApi } from '../support/elasticsearch-fixture.js'
import { type RunningService, startService } from '../support/running-service.js'
import { describeOn } from '../support/servers.js'

const TIMEOUT_MS = 120_000
const LARGE = 'x'.repeat(3_000)

interface LogsResult {
  readonly total: { readonly value: number }
  readonly complete: boolean
  readonly warnings: readonly string[]
}

interface Health {
  readonly name: string
  readonly healthy: boolean
  readonly detail: string
}

describeOn('es8', 'a service before an Elasticsearch that fails', () => {
  let server: RunningServer
  let service: RunningService
  let reader: Record<string, string>
  const responses: CheckedResponse[] = []

  beforeAll(async () => {
    server = await RunningServer.start(RECIPES.es8)
    const env = { ALIDADE_ELASTICSEARCH_URL: server.access.url, ALIDADE_SPOOL_SIZE: '2KiB' }
    service = await startService({ env })
    reader = await service.login()
  }, TIMEOUT_MS)
  afterAll(async () => {
    server?.resume()
    await service?.close()
    await server?.stop()
  }, TIMEOUT_MS)

  async function keep(responding: Promise<CheckedResponse>): Promise<CheckedResponse> {
    const response = await responding
    responses.push(response)
    return response
  }

  function send(message: string, headers: Record<string, string> = {}, query = ''): Promise<CheckedResponse> {
    const key = { 'x-api-key': service.first.ingestKey }
    return keep(service.ingest(`/api/v1/logs${query}`, { method: 'POST', json: { message }, headers: { ...key, ...headers } }))
  }

  function find(query: string): Promise<CheckedResponse> {
    const json = { query, limit: 10, total: true }
    return keep(service.api('/api/v1/logs/query', { method: 'POST', headers: reader, json }))
  }

  async function found(query: string): Promise<LogsResult> {
    const response = await find(query)
    expect([response.status, response.text]).toEqual([200, expect.any(String)])
    return response.json as unknown as LogsResult
  }

  async function health(): Promise<Health> {
    const response = await service.api('/api/v1/health/ready')
    responses.push(response)
    return (response.json['stores'] as readonly Health[]).find(({ name }) => name === 'elasticsearch')!
  }

  /** Requests health until it is as expected: each response is an event of the watch. */
  async function healthy(isRequested: (health: Health) => boolean): Promise<Health> {
    for (;;) {
      const now = await health()
      if (isRequested(now)) return now
    }
  }

  async function indexOfLogs(): Promise<string> {
    const found = (await engineApi(server.access, 'GET', '/_cluster/health?level=indices')) as { indices: object }
    return Object.keys(found.indices).find(name => name.startsWith('logs-alidade.app-'))!
  }

  it(
    'keeps an Idempotency-Key whatever a retry meets, and fails queries with the reason while the server hangs',
    async () => {
      expect((await send('before', {}, '?ack=searchable')).status).toBe(200)
      server.pause()
      const codes: unknown[] = []
      const keyed = (): Promise<CheckedResponse> => send(`keyed ${LARGE}`, { 'idempotency-key': 'one' })
      codes.push((await keyed()).json['code'])
      const unwell = await healthy(({ healthy: isHealthy }) => !isHealthy)
      expect(unwell.detail).toBe('the search store is unavailable')
      const refused = await find('before')
      expect([refused.status, refused.json]).toEqual([
        503,
        expect.objectContaining({ code: 'store_unavailable', detail: 'the search store is unavailable' })
      ])
      while (codes.at(-1) !== 'overloaded') codes.push((await keyed()).json['code'])
      expect(codes[0]).toBe('store_unavailable')
      server.resume()
      let last = await keyed()
      while (last.status === 503) last = await keyed()
      expect(last.status).toBe(200)
      expect((await send('after', {}, '?ack=searchable')).status).toBe(200)
      expect((await found('keyed')).total.value).toBe(1)
    },
    TIMEOUT_MS
  )

  it(
    'reports that records wait while an index takes no writes, and stores them afterwards',
    async () => {
      const index = await indexOfLogs()
      await engineApi(server.access, 'PUT', `/${index}/_settings`, { 'index.blocks.write': true })
      expect((await send('blocked')).json).toMatchObject({ accepted: 1, spooled: 1 })
      const partial = await found('blocked')
      expect(partial).toMatchObject({ total: { value: 0 }, complete: false })
      expect(partial.warnings).toContainEqual(expect.stringMatching(/^1 log is spooled on this gateway/))
      expect((await healthy(({ detail }) => detail.includes('read-only'))).healthy).toBe(true)
      await engineApi(server.access, 'PUT', `/${index}/_settings`, { 'index.blocks.write': null })
      let searchable = await send('opened', {}, '?ack=searchable')
      while (searchable.status === 503) searchable = await send('opened', {}, '?ack=searchable')
      expect(await found('blocked')).toMatchObject({ total: { value: 1 }, complete: true })
    },
    TIMEOUT_MS
  )

  it(
    'reports that a disk is nearly full, and stores what waited afterwards',
    async () => {
      const index = await indexOfLogs()
      await engineApi(server.access, 'PUT', `/${index}/_settings`, { 'index.blocks.read_only_allow_delete': true })
      expect((await send('flooded')).json).toMatchObject({ accepted: 1, spooled: 1 })
      expect(await found('flooded')).toMatchObject({ total: { value: 0 }, complete: false })
      await healthy(({ detail }) => detail.includes('a disk is nearly full'))
      await engineApi(server.access, 'PUT', `/${index}/_settings`, { 'index.blocks.read_only_allow_delete': null })
      let searchable = await send('drained', {}, '?ack=searchable')
      while (searchable.status === 503) searchable = await send('drained', {}, '?ack=searchable')
      expect(await found('flooded')).toMatchObject({ total: { value: 1 }, complete: true })
    },
    TIMEOUT_MS
  )

  it(
    'reports that an index was deleted by hand, before it is made again and after',
    async () => {
      await engineApi(server.access, 'DELETE', `/${await indexOfLogs()}`)
      const first = await find('before')
      expect([first.status, first.json]).toEqual([503, expect.objectContaining({ code: 'store_unavailable' })])
      const warning = expect.stringMatching(/^logs that were stored before .* may be missing: an index of the store was deleted$/)
      expect(await found('before')).toMatchObject({ complete: false, warnings: expect.arrayContaining([warning]) })
      await healthy(({ detail }) => detail.includes('deleted outside of the service'))
      expect((await send('again', {}, '?ack=searchable')).status).toBe(200)
      expect(await found('again')).toMatchObject({
        total: { value: 1 },
        complete: false,
        warnings: expect.arrayContaining([warning])
      })
    },
    TIMEOUT_MS
  )

  it('reported to no client where the store is, or what its indices are called', () => {
    const { host, port } = new URL(server.access.url)
    expect(responses.length).toBeGreaterThan(15)
    for (const { text } of responses) {
      for (const secret of [host, `:${port}`, 'alidade.app', 'ECONNREFUSED', 'node_modules']) expect(text).not.toContain(secret)
    }
  })
})
