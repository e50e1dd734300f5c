import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type RunningService, startService } from '../support/running-service.js'
import { describeOn } from '../support/servers.js'

const TIMEOUT_MS = 60_000
const WRITERS = 4
/** Requests that each writer has acknowledged after the database is back. */
const ENOUGH = 5

describeOn('postgres', 'a service whose PostgreSQL goes away', () => {
  let server: RunningServer
  let service: RunningService

  beforeAll(async () => {
    server = await RunningServer.start(RECIPES.postgres)
    service = await startService({ env: { ALIDADE_DATABASE_URL: server.access.url } })
  }, TIMEOUT_MS)
  afterAll(async () => {
    await service?.close()
    await server?.stop()
  }, TIMEOUT_MS)

  function send(message: string): Promise<CheckedResponse> {
    const headers = { 'x-api-key': service.first.ingestKey }
    return service.ingest('/api/v1/logs?ack=searchable', { method: 'POST', json: { message }, headers })
  }

  it(
    'refuses what needs it, reports it in health, loses nothing, and recovers by itself under load',
    async () => {
      expect((await send('before')).status).toBe(200)
      const refusals: CheckedResponse[] = []
      let acknowledged = 1
      let isBack = false
      let noteRefused = (): void => undefined
      const refused = new Promise<void>(resolve => (noteRefused = resolve))
      const write = async (writer: number): Promise<void> => {
        for (let after = 0, number = 0; after < ENOUGH; number++) {
          const response = await send(`load ${writer} ${number}`)
          if (response.status === 200) {
            acknowledged++
            if (isBack) after++
          } else {
            refusals.push(response)
            noteRefused()
          }
        }
      }
      const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
      await server.kill()
      await refused
      const health = await service.api('/api/v1/health/ready')
      const stores = health.json['stores'] as readonly {
        readonly name: string
        readonly healthy: boolean
        readonly detail: string
      }[]
      expect([health.status, health.json['status']]).toEqual([503, 'unready'])
      expect(stores.find(({ name }) => name === 'control')).toMatchObject({
        healthy: false,
        detail: expect.stringMatching(/^the control database cannot be used/)
      })
      await server.startAgain()
      isBack = true
      await writers
      for (const { status, json } of refusals) expect([status, json['code']]).toEqual([503, 'store_unavailable'])
      const { host, port } = new URL(server.access.url)
      for (const { text } of [...refusals, health]) for (const secret of [host, `:${port}`]) expect(text).not.toContain(secret)
      const reader = await service.login()
      const found = await service.api('/api/v1/logs/query', { method: 'POST', headers: reader, json: { total: true, limit: 1 } })
      expect((found.json['total'] as { readonly value: number }).value).toBe(acknowledged)
    },
    TIMEOUT_MS
  )
})
