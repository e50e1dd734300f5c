import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { NewApiKey } from '../../src/access/api-key-service.js'
import type { SessionPrincipal } from '../../src/access/sessions.js'
import { sha256Hex } from '../../src/access/secrets.js'
import type { OpenedAccess } from '../support/open-access.js'
import { openTestAccess, PASSWORD, registered } from '../support/open-access.js'

const HOUR_MS = 3_600_000
const INGEST: NewApiKey = { name: 'agent', kind: 'ingest' }

let opened: OpenedAccess
let ada: SessionPrincipal
beforeEach(async () => {
  opened = await openTestAccess()
  ada = (await registered(opened, 'ada')).principal
})
afterEach(() => opened.close())

async function operator(): Promise<SessionPrincipal> {
  const { email, password } = opened.first
  const grant = await opened.access.signIn.login({ email, password: password!, address: '::1' })
  return opened.access.sessions.verify(grant.accessToken)
}

describe('making a key', () => {
  it('shows the secret once and stores only its hash', async () => {
    const { key, secret } = await opened.access.apiKeys.create(ada, INGEST)
    expect(secret).toMatch(/^ali_ingest_[\w-]{43}$/)
    expect(secret.startsWith(key.prefix)).toBe(true)
    expect(key).toMatchObject({ state: 'active', namespaces: [ada.activeNamespace], createdBy: ada.userId, lastUsedAtMs: null })
    const stored = await opened.store.apiKeys.byId(key.id)
    expect(JSON.stringify(stored)).not.toContain(secret.slice(key.prefix.length))
    expect(JSON.stringify(await opened.access.apiKeys.list(ada, ada.activeNamespace))).not.toContain(secret)
    expect(await opened.access.keys.verify(secret, '::1')).toEqual({
      kind: 'key',
      keyId: key.id,
      keyKind: 'ingest',
      namespaces: [ada.activeNamespace],
      allowedOrigins: []
    })
  })

  it('is for an admin of each of its namespaces', async () => {
    const { apiKeys, namespaces } = opened.access
    const bob = (await registered(opened, 'bob')).principal
    const team = await namespaces.create(ada, { name: 'team' })
    const theirs = { ...INGEST, namespaces: [bob.activeNamespace, team.id] }
    await expect(apiKeys.create(bob, theirs)).rejects.toMatchObject({ code: 'namespace_not_allowed' })
    await expect(apiKeys.create(bob, { ...INGEST, namespaces: ['nosuchnamespace'] })).rejects.toMatchObject({
      code: 'namespace_not_allowed'
    })
    const { key } = await apiKeys.create(ada, { ...INGEST, namespaces: [team.id, ada.activeNamespace, team.id, 'team'] })
    expect(key.namespaces).toEqual([team.id, ada.activeNamespace])
  })

  it('without namespaces is for operators and kind ingest', async () => {
    const { apiKeys, keys, authorizer } = opened.access
    await expect(apiKeys.create(ada, { ...INGEST, namespaces: [] })).rejects.toMatchObject({ code: 'role_required' })
    const op = await operator()
    await expect(apiKeys.create(op, { name: 'q', kind: 'query', namespaces: [] })).rejects.toMatchObject({ field: 'namespaces' })
    const { key, secret } = await apiKeys.create(op, { ...INGEST, namespaces: [] })
    expect((await apiKeys.listUnbound(op)).map(({ id }) => id)).toEqual([key.id])
    await expect(apiKeys.listUnbound(ada)).rejects.toMatchObject({ code: 'role_required' })
    await expect(apiKeys.revoke(ada, key.id)).rejects.toMatchObject({ code: 'not_found' })
    const principal = await keys.verify(secret, '::1')
    expect(await authorizer.writeNamespace(principal, {})).toMatchObject({ name: 'default' })
    const { id } = await opened.access.namespaces.create(op, { name: 'other' })
    await expect(authorizer.writeNamespace(principal, { id })).rejects.toMatchObject({ code: 'namespace_not_allowed' })
  })
})

describe('the input of a key', () => {
  it.each<[string, Partial<NewApiKey>, string]>([
    ['an empty name', { name: ' ' }, 'name'],
    ['an expiry in the past', { expiresAtMs: 1 }, 'expires_at'],
    ['origins for an ingest key', { allowedOrigins: ['https://a.example'] }, 'allowed_origins'],
    ['a RUM key without origins', { kind: 'rum' }, 'allowed_origins'],
    ['an origin with a path', { kind: 'rum', allowedOrigins: ['https://a.example/x'] }, 'allowed_origins'],
    ['an invalid origin', { kind: 'rum', allowedOrigins: ['*'] }, 'allowed_origins']
  ])('refuses %s', async (_what, change, field) => {
    await expect(opened.access.apiKeys.create(ada, { ...INGEST, ...change })).rejects.toMatchObject({ field })
  })

  it('takes origins of browsers and apps, and null', async () => {
    const allowedOrigins = ['https://Shop.example', 'http://localhost:3000/', 'capacitor://localhost', 'null']
    const { key } = await opened.access.apiKeys.create(ada, { name: 'web', kind: 'rum', allowedOrigins })
    expect(key.allowedOrigins).toEqual(['https://shop.example', 'http://localhost:3000', 'capacitor://localhost', 'null'])
  })
})

describe('a key of browsers', () => {
  const WEB: NewApiKey = { name: 'web', kind: 'rum', allowedOrigins: ['https://shop.example'] }

  it('is for exactly one namespace, by whatever names it is given', async () => {
    const { apiKeys, namespaces } = opened.access
    const team = await namespaces.create(ada, { name: 'team' })
    const several = apiKeys.create(ada, { ...WEB, namespaces: [team.id, ada.activeNamespace] })
    await expect(several).rejects.toMatchObject({ code: 'invalid_field', field: 'namespaces' })
    const { key } = await apiKeys.create(ada, { ...WEB, namespaces: [team.id, 'team'] })
    expect(key.namespaces).toEqual([team.id])
  })

  it('that was made for several keeps the first alone', async () => {
    const { apiKeys, namespaces, keys } = opened.access
    const team = await namespaces.create(ada, { name: 'team' })
    const { key, secret } = await apiKeys.create(ada, { ...WEB, namespaces: [team.id] })
    const stored = (await opened.store.apiKeys.byId(key.id))!
    const secretHash = sha256Hex(`${secret.slice(0, -1)}_`)
    const older = { ...stored, id: 'older-key' as typeof stored.id, secretHash, namespaces: [team.id, ada.activeNamespace] }
    await opened.store.apiKeys.insert(older)
    expect(await keys.verify(`${secret.slice(0, -1)}_`, '::1')).toMatchObject({ namespaces: [team.id] })
  })
})

describe('the life of a key', () => {
  it('ends with its revocation at once, also when it was in use', async () => {
    const { apiKeys, keys } = opened.access
    const { key, secret } = await apiKeys.create(ada, INGEST)
    await keys.verify(secret, '::1')
    expect(await apiKeys.revoke(ada, key.id)).toMatchObject({ state: 'revoked' })
    await expect(keys.verify(secret, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    expect(await apiKeys.revoke(ada, key.id)).toMatchObject({ state: 'revoked' })
    await expect(apiKeys.rotate(ada, key.id, 0)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('goes on under both secrets during the grace of a rotation', async () => {
    const { apiKeys, keys } = opened.access
    const { key, secret } = await apiKeys.create(ada, INGEST)
    await keys.verify(secret, '::1')
    const rotated = await apiKeys.rotate(ada, key.id, HOUR_MS)
    expect(rotated.key).toMatchObject({ id: key.id, state: 'rotating', previousUntilMs: opened.clock.nowMs() + HOUR_MS })
    expect(await keys.verify(secret, '::1')).toEqual(await keys.verify(rotated.secret, '::1'))
    opened.clock.pass(HOUR_MS)
    await expect(keys.verify(secret, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    expect(await keys.verify(rotated.secret, '::1')).toBeDefined()
    expect(await apiKeys.list(ada, ada.activeNamespace)).toMatchObject([{ state: 'active', previousUntilMs: null }])
  })

  it('drops the old secret at once without grace, and the oldest at a second rotation', async () => {
    const { apiKeys, keys } = opened.access
    const { key, secret } = await apiKeys.create(ada, INGEST)
    const second = await apiKeys.rotate(ada, key.id, HOUR_MS)
    await keys.verify(secret, '::1')
    const third = await apiKeys.rotate(ada, key.id, 0)
    for (const old of [secret, second.secret])
      await expect(keys.verify(old, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    expect(await keys.verify(third.secret, '::1')).toBeDefined()
    await expect(apiKeys.rotate(ada, key.id, 31 * 24 * HOUR_MS)).rejects.toMatchObject({ field: 'grace' })
  })

  it('ends at its expiry', async () => {
    const { apiKeys, keys } = opened.access
    const { secret } = await apiKeys.create(ada, { ...INGEST, expiresAtMs: opened.clock.nowMs() + HOUR_MS })
    opened.clock.pass(HOUR_MS - 1)
    await keys.verify(secret, '::1')
    opened.clock.pass(1)
    await expect(keys.verify(secret, '::1')).rejects.toMatchObject({ code: 'expired_credential' })
    expect(await apiKeys.list(ada, ada.activeNamespace)).toMatchObject([{ state: 'expired' }])
  })

  it('notes its last use later when the store is down, which keeps no one from closing', async () => {
    const { key, secret } = await opened.access.apiKeys.create(ada, INGEST)
    const { apiKeys } = opened.store
    const touch = jest.spyOn(apiKeys, 'touch')
    touch.mockRejectedValueOnce(new Error('down')).mockRejectedValueOnce(new Error('down'))
    await opened.access.keys.verify(secret, '::1')
    await expect(opened.access.housekeeping()).rejects.toThrow('down')
    await opened.access.close()
    expect(opened.faults).toHaveLength(1)
    await opened.access.housekeeping()
    expect((await apiKeys.byId(key.id))?.lastUsedAtMs).toBe(opened.clock.nowMs())
  })

  it('notes its last use when house is kept', async () => {
    const { apiKeys, keys } = opened.access
    const { secret } = await apiKeys.create(ada, INGEST)
    await keys.verify(secret, '::1')
    expect((await apiKeys.list(ada, ada.activeNamespace))[0]!.lastUsedAtMs).toBeNull()
    await opened.access.housekeeping()
    expect((await apiKeys.list(ada, ada.activeNamespace))[0]!.lastUsedAtMs).toBe(opened.clock.nowMs())
  })
})

describe('managing a key', () => {
  it('is refused to members, and to strangers as if it did not exist', async () => {
    const { apiKeys, namespaces, invitations } = opened.access
    const team = await namespaces.create(ada, { name: 'team' })
    const { key } = await apiKeys.create(ada, { ...INGEST, namespaces: [team.id] })
    const { token } = await invitations.create(ada, team.id, 'member')
    const bob = (await registered(opened, 'bob', token)).principal
    const eve = (await registered(opened, 'eve')).principal
    for (const act of [apiKeys.revoke(bob, key.id), apiKeys.rotate(bob, key.id, 0), apiKeys.list(bob, team.id)]) {
      await expect(act).rejects.toMatchObject({ code: 'role_required' })
    }
    await expect(apiKeys.revoke(eve, key.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(apiKeys.revoke(eve, 'nosuchkey')).rejects.toMatchObject({ code: 'not_found' })
    await expect(apiKeys.list(eve, team.id)).rejects.toMatchObject({ code: 'namespace_not_allowed' })
  })

  it('of two namespaces: an admin of one may end it, not learn its new secret nor the other namespace', async () => {
    const { apiKeys, namespaces, invitations } = opened.access
    const team = await namespaces.create(ada, { name: 'team' })
    const { key } = await apiKeys.create(ada, { ...INGEST, namespaces: [team.id, ada.activeNamespace] })
    const { token } = await invitations.create(ada, team.id, 'admin')
    const bob = (await registered(opened, 'bob', token)).principal
    expect((await apiKeys.list(bob, team.id))[0]!.namespaces).toEqual([team.id])
    await expect(apiKeys.rotate(bob, key.id, 0)).rejects.toMatchObject({ code: 'namespace_not_allowed' })
    expect(await apiKeys.revoke(bob, key.id)).toMatchObject({ state: 'revoked', namespaces: [team.id] })
  })

  it('is written down in each namespace, without any secret', async () => {
    const { apiKeys, audit } = opened.access
    const { key, secret } = await apiKeys.create(ada, INGEST)
    const rotated = await apiKeys.rotate(ada, key.id, 0)
    await apiKeys.revoke(ada, key.id)
    const { entries } = await audit.list(ada, ada.activeNamespace, { limit: 100 })
    const ours = entries.filter(entry => entry.target === key.id)
    expect(ours.map(entry => entry.action)).toEqual(['key.revoked', 'key.rotated', 'key.created'])
    expect(ours[0]).toMatchObject({ actor: ada.userId, atMs: opened.clock.nowMs() })
    const text = JSON.stringify(entries)
    for (const hidden of [secret, rotated.secret, PASSWORD]) expect(text).not.toContain(hidden)
  })
})

describe('unknown keys', () => {
  it('are refused, whatever they look like', async () => {
    for (const text of ['', 'ali_', `ali_ingest_${'a'.repeat(43)}`, `ali_ingest_${'a'.repeat(5000)}`, 'ali_ingest_ü']) {
      await expect(opened.access.keys.verify(text, '::1')).rejects.toMatchObject({ code: 'invalid_credential' })
    }
  })
})
