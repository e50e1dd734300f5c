import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Session } from '../../bench/service/session.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'
import { readAll } from './read-all.js'
import type { Person, Recording } from './recording.js'
import { FORMATS_FOLDER, unpackFolder } from './unpack.js'

/** The first format whose folders every later version reads. */
const OLDEST = '3'

const names = readdirSync(FORMATS_FOLDER)

it('keeps a folder of the oldest format that is read', () => {
  expect(names).toContain(OLDEST)
})

describe.each(names)('a folder of format %s', name => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let service: RunningService
  let recording: Recording

  beforeAll(async () => {
    folder = await openTempFolder()
    recording = await unpackFolder(name, folder.path)
    service = await startService({ dataDir: folder.path })
  }, 60_000)
  afterAll(async () => {
    await service?.close()
    await folder.remove()
  })

  it('has the responses of when it was written', async () => {
    const responses = await readAll(Session.withKey(service.url, recording.queryKey), recording.responses)
    expect(responses.length).toBeGreaterThan(20)
    for (const [i, { path, response }] of recording.responses.entries())
      expect([path, responses[i]!.response]).toMatchObject([path, response])
  })

  interface Switched {
    readonly access_token: string
    readonly role: string
    readonly namespace: { readonly name: string }
  }

  async function signIn({ email, password }: Person): Promise<Switched> {
    const session = await Session.signIn(service.url, email, password)
    return session.call('POST', '/api/v1/auth/switch', { namespace_id: recording.namespaceId })
  }

  async function operator(): Promise<Session> {
    return Session.withKey(service.url, (await signIn(recording.people[0]!)).access_token)
  }

  it('lets people sign in with the roles that they had', async () => {
    for (const person of recording.people) {
      expect(await signIn(person)).toMatchObject({ role: person.role, namespace: { name: 'fixture' } })
    }
  })

  it('knows its keys and what was decided about groups of errors', async () => {
    const session = await operator()
    const { keys } = await session.call<{ keys: readonly { name: string }[] }>('GET', '/api/v1/keys')
    expect(keys.map(key => key.name)).toEqual(expect.arrayContaining([...recording.keys]))
    for (const [fingerprint, state] of Object.entries(recording.errorGroups)) {
      const path = `/api/v1/apm/errors/${fingerprint}?start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:00Z`
      expect(await session.call('GET', path)).toMatchObject({ group: { state } })
    }
  })

  it('takes new records', async () => {
    const session = await operator()
    const key = await session.makeKey('after the upgrade', 'ingest', [recording.namespaceId])
    await session.call('POST', '/api/v1/logs', { message: 'written after the upgrade' }, { 'x-api-key': key })
    const found = await session.call('POST', '/api/v1/logs/query', { query: '"after the upgrade"' })
    expect(found).toMatchObject({ logs: [{ message: 'written after the upgrade' }] })
  })
})
