import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import type { Gateway, Headers } from '../support/gateways.js'
import { about, startGateway } from '../support/gateways.js'
import { describeOn } from '../support/servers.js'
import { RECIPES } from '../servers/recipes.js'
import { RunningServer } from '../servers/running-server.js'

const START_TIMEOUT_MS = 120_000

// Its own server, since it is killed; requested where the shared one is.
describeOn('postgres', 'a gateway whose database is killed', () => {
  let server: RunningServer
  let gateway: Gateway
  let key: Headers
  beforeAll(async () => {
    server = await RunningServer.start(RECIPES.postgres)
    gateway = await startGateway({ ALIDADE_DATABASE_URL: server.access.url })
    key = { 'x-api-key': gateway.service.first.ingestKey }
  }, START_TIMEOUT_MS)
  afterAll(async () => {
    await gateway?.service.close()
    await server?.stop()
  })

  async function login(): Promise<number> {
    const { email, password } = gateway.service.first
    return (await gateway.send('POST', '/api/v1/auth/login', {}, { email, password })).status
  }

  async function write(): Promise<number> {
    return (await gateway.send('POST', '/api/v1/logs', key, { message: 'hello' })).status
  }

  it('detects that its connection for notifications is silent', async () => {
    const client = new pg.Client({ connectionString: server.access.url })
    await client.connect()
    const listening = "select pid from pg_stat_activity where application_name = 'alidade news'"
    const { rows } = await client.query<{ readonly pid: number }>(listening)
    await client.end()
    expect(rows).toHaveLength(1)
    const { pid } = rows[0]!
    await gateway.hears(about('anything'), async () => process.kill(pid, 'SIGSTOP'))
    process.kill(pid, 'SIGCONT')
  })

  it(
    'returns 503 until the database is back, and then goes on by itself',
    async () => {
      expect([await login(), await write()]).toEqual([200, 200])
      const session = await gateway.service.login()
      const usage = `/api/v1/namespaces/${gateway.service.first.namespaceId}/usage`
      expect((await gateway.send('GET', usage, session)).status).toBe(200)
      const requests = Array.from({ length: 20 }, () => gateway.send('GET', usage, session))
      await server.kill()
      // Those in flight at the end got one response or the other.
      for (const response of await Promise.all(requests)) expect([200, 503]).toContain(response.status)
      const refused = await gateway.send('POST', '/api/v1/auth/login', {}, { email: 'a@b', password: 'none' })
      expect(refused).toMatchObject({ status: 503, json: { code: 'store_unavailable' } })
      expect(refused.headers.get('retry-after')).toBe('1')
      const health = await gateway.send('GET', '/api/v1/health/ready', {})
      expect(health.status).toBe(503)
      await gateway.hears(about('anything'), () => server.startAgain())
      expect([await login(), await write()]).toEqual([200, 200])
      expect((await gateway.send('GET', '/api/v1/health/ready', {})).status).toBe(200)
    },
    START_TIMEOUT_MS
  )
})
