import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, describe, it } from '@jest/globals'
import { Client } from 'pg'
import type { Finding } from '../../src/stores/shared/finding.js'
import { startService } from '../support/running-service.js'
import type { ServerAccess } from '../servers/variables.js'
import { engineApi } from '../support/elasticsearch-fixture.js'
import { describeOn, SEARCH_SERVERS } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'

const ADMIN = fileURLToPath(new URL('../../dist/bin/admin.js', import.meta.url))
const UNUSED_ADDRESS = 'http://127.0.0.1:9'

let folder: Awaited<ReturnType<typeof openTempFolder>>
beforeEach(async () => {
  folder = await openTempFolder()
})
afterEach(() => folder.remove())

interface Examination {
  readonly code: number
  /** `store subject state`, in order. */
  readonly states: readonly string[]
  readonly findings: readonly Finding[]
  readonly text: string
}

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  dataDir = folder.path
): Promise<{ code: number; stdout: string }> {
  return new Promise(resolve => {
    const options = { env: { PATH: process.env['PATH'], ...env } }
    execFile(process.execPath, [ADMIN, 'doctor', ...args, '--data-dir', dataDir], options, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, stdout })
    )
  })
}

async function examine(env: Readonly<Record<string, string>> = {}): Promise<Examination> {
  const { code, stdout } = await run(['--json'], env)
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  const own = findings.filter(({ store }) => store !== 'data folder')
  return { code, findings: own, states: own.map(({ subject, state }) => `${subject} ${state}`), text: JSON.stringify(own) }
}

function searchSettings({ url, username, password }: ServerAccess): Readonly<Record<string, string>> {
  const settings = { ALIDADE_ELASTICSEARCH_URL: url }
  if (username === undefined || password === undefined) return settings
  return { ...settings, ALIDADE_ELASTICSEARCH_USERNAME: username, ALIDADE_ELASTICSEARCH_PASSWORD: password }
}

describe('the doctor of an embedded setup', () => {
  it('finds nothing wrong, with the service stopped and running, and leaves nothing behind', async () => {
    const service = await startService({ dataDir: folder.path })
    try {
      const { code, stdout } = await run([], {})
      expect([code, stdout]).toEqual([0, expect.stringContaining('all stores are healthy')])
    } finally {
      await service.close()
    }
    const before = await readdir(folder.path)
    const { code, stdout } = await run([], {})
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing is wrong.')])
    expect(await readdir(folder.path)).toEqual(before)
  })

  it('reports that a folder is new, and does not make it', async () => {
    const { code, stdout } = await run([], {}, join(folder.path, 'new'))
    expect([code, stdout]).toEqual([0, expect.stringContaining('did not exist')])
    expect(await readdir(folder.path)).toEqual([])
  })

  it('names a data folder that cannot be written', async () => {
    const { code, stdout } = await run(['--json'], {}, '/dev/null/data')
    expect([code, stdout]).toEqual([1, expect.stringContaining('/dev/null/data cannot be written')])
  })

  it('names data that no signal reads any more', async () => {
    await mkdir(join(folder.path, 'telemetry'))
    await writeFile(join(folder.path, 'telemetry', 'hot.duckdb'), '')
    const managed = {
      ALIDADE_ELASTICSEARCH_URL: UNUSED_ADDRESS,
      ALIDADE_INFLUXDB_URL: UNUSED_ADDRESS,
      ALIDADE_INFLUXDB_ORG: 'o',
      ALIDADE_INFLUXDB_TOKEN: 't'
    }
    const { stdout } = await run([], managed)
    expect(stdout).toContain('telemetry are not read, because no signal uses duckdb')
  })
})

describeOn('postgres', 'the doctor of PostgreSQL', ({ url }) => {
  const role = `doctor_${randomBytes(6).toString('hex')}`
  const client = new Client({ connectionString: url })
  beforeAll(async () => {
    await client.connect()
    await client.query(`CREATE ROLE ${role} LOGIN`)
  })
  afterAll(async () => {
    await client.query(`DROP ROLE ${role}`)
    await client.end()
  })

  it('finds a server that can be used well', async () => {
    const { code, states } = await examine({ ALIDADE_DATABASE_URL: url })
    expect(code).toBe(0)
    expect(states).toEqual(['connection good', 'version good', 'tables good', 'rights good', 'clock good'])
  })

  it('names a right that is missing and how to get it', async () => {
    const own = new URL(url)
    own.username = role
    const { code, states, text } = await examine({ ALIDADE_DATABASE_URL: String(own) })
    expect(code).toBe(1)
    expect(states).toContain('rights bad')
    expect(text).toContain('the user cannot create tables: permission denied for schema public')
    expect(text).toContain('GRANT USAGE, CREATE ON SCHEMA public')
  })

  it('names a database that is not there and a server that is unavailable', async () => {
    const missing = await examine({ ALIDADE_DATABASE_URL: new URL('/alidade_nowhere', url).href })
    expect([missing.code, missing.text]).toEqual([1, expect.stringContaining('CREATE DATABASE')])
    const gone = await examine({ ALIDADE_DATABASE_URL: 'postgres://u:geheim@127.0.0.1:9/alidade' })
    expect([gone.code, gone.text]).toEqual([1, expect.stringContaining('start the server')])
    expect(gone.text).not.toContain('geheim')
  })
})

const CLUSTER_SUBJECTS = ['version', 'clock', 'shards', 'cluster', 'disk', 'template', 'rights']

for (const server of SEARCH_SERVERS) {
  describeOn(server, `the doctor of a cluster (${server})`, access => {
    it('finds one that can be used well, and leaves nothing behind', async () => {
      const { code, findings } = await examine(searchSettings(access))
      expect([code, findings.map(({ subject }) => subject)]).toEqual([0, CLUSTER_SUBJECTS])
      const indices = JSON.stringify(await engineApi(access, 'GET', '/logs-alidade.*/_settings?expand_wildcards=all'))
      expect(indices).not.toContain('.app-doctor')
    })
  })
}

describeOn('es9', 'the doctor of a cluster with users', access => {
  it('names credentials that are wrong, and a cluster that is unavailable', async () => {
    const settings = searchSettings(access)
    const wrong = await examine({ ...settings, ALIDADE_ELASTICSEARCH_PASSWORD: 'geheim' })
    expect([wrong.code, wrong.text]).toEqual([1, expect.stringContaining('does not accept them')])
    expect(wrong.text).not.toContain('geheim')
    const gone = await examine({ ...settings, ALIDADE_ELASTICSEARCH_URL: UNUSED_ADDRESS })
    expect([gone.code, gone.text]).toEqual([1, expect.stringContaining('start the cluster')])
  })
})

describeOn('influx', 'the doctor of InfluxDB', ({ url, token = '', org = '' }) => {
  const settings = { ALIDADE_INFLUXDB_URL: url, ALIDADE_INFLUXDB_ORG: org, ALIDADE_INFLUXDB_TOKEN: token }

  async function call(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {})
    })
    return response.status === 204 ? {} : ((await response.json()) as Readonly<Record<string, unknown>>)
  }

  it('finds a server that can be used well', async () => {
    const { code, states } = await examine(settings)
    expect([code, states]).toEqual([0, ['version good', 'clock good', 'token good', 'rights good']])
  })

  it('names a right that the token lacks', async () => {
    const { orgs } = (await call('GET', `orgs?org=${org}`)) as { orgs: readonly { id: string }[] }
    const orgID = orgs[0]!.id
    const resources = [
      { type: 'orgs', id: orgID },
      { type: 'buckets', orgID }
    ]
    const permissions = resources.map(resource => ({ action: 'read', resource }))
    const made = await call('POST', 'authorizations', { orgID, permissions })
    try {
      const { code, text } = await examine({ ...settings, ALIDADE_INFLUXDB_TOKEN: String(made['token']) })
      expect([code, text]).toEqual([1, expect.stringContaining('the token cannot create buckets')])
      expect(text).toContain('--all-access')
    } finally {
      await call('DELETE', `authorizations/${String(made['id'])}`)
    }
  })

  it.each([
    ['an invalid token', { ALIDADE_INFLUXDB_TOKEN: 'nonsense' }, 'rejects the token'],
    ['an unknown organization', { ALIDADE_INFLUXDB_ORG: 'nowhere' }, 'no access to the organization nowhere'],
    ['a server that is unavailable', { ALIDADE_INFLUXDB_URL: UNUSED_ADDRESS }, 'start the server']
  ])('names %s', async (_what, changed, words) => {
    const { code, text } = await examine({ ...settings, ...changed })
    expect([code, text]).toEqual([1, expect.stringContaining(words)])
  })
})
