import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { NAME_HELD_MS } from '../../src/domain/namespace.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { apiKey, namespace, namespaceId, NOW_MS, user, userId } from './control-fixtures.js'

/** Namespaces. */
export function controlNamespacesContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.users.insert(user('ada'))
    await store.namespaces.insert(namespace('shop'))
    await store.namespaces.insert(namespace('bank', { createdAtMs: NOW_MS + 1 }))
  })
  afterEach(() => store.close())

  describe('namespaces', () => {
    it('gives them back as stored, oldest first', async () => {
      expect((await store.namespaces.all()).map(ns => ns.name)).toEqual(['shop', 'bank'])
      expect(await store.namespaces.byId(namespaceId('shop'))).toEqual({ ...namespace('shop'), nameHeldUntilMs: null })
      expect(await store.namespaces.byId(namespaceId('none'))).toBeNull()
    })

    it('keeps a retention of forever apart from a duration', async () => {
      const retention = { ...namespace('shop').retention, logs: null, metrics: 1 }
      await store.namespaces.setRetention(namespaceId('shop'), retention)
      expect((await store.namespaces.byId(namespaceId('shop')))?.retention).toEqual(retention)
      expect((await store.namespaces.byId(namespaceId('bank')))?.retention).toEqual(namespace('bank').retention)
    })

    it('keeps how a namespace is stored, of which the search may change', async () => {
      const storage = { placement: 'pooled', search: 'off' } as const
      await store.namespaces.insert(namespace('pooled', { storage }))
      expect((await store.namespaces.byId(namespaceId('pooled')))?.storage).toEqual(storage)
      await store.namespaces.setSearch(namespaceId('pooled'), 'approximate')
      expect((await store.namespaces.byId(namespaceId('pooled')))?.storage).toEqual({ ...storage, search: 'approximate' })
      expect((await store.namespaces.byId(namespaceId('shop')))?.storage).toEqual(namespace('shop').storage)
    })

    it('keeps the rules for records as they are, until they are removed or the namespace is deleted', async () => {
      const rules = `sealed:v1:${'\u{1f600}'.repeat(8_000)}`
      const rulesOf = async (id: string) => (await store.namespaces.byId(namespaceId(id)))?.logRules
      await store.namespaces.setLogRules(namespaceId('shop'), rules)
      expect([await rulesOf('shop'), await rulesOf('bank')]).toEqual([rules, undefined])
      expect((await store.namespaces.all()).map(({ logRules }) => logRules)).toContain(rules)
      await store.namespaces.setLogRules(namespaceId('shop'), null)
      expect(await rulesOf('shop')).toBeUndefined()
      await store.namespaces.setLogRules(namespaceId('bank'), rules)
      await store.namespaces.setState(namespaceId('bank'), 'deleted', NOW_MS)
      expect(await rulesOf('bank')).toBeUndefined()
    })

    it('refuses a taken name, also while its holder is being deleted', async () => {
      const again = namespace('shop', { id: namespaceId('again') })
      await expect(store.namespaces.insert(again)).rejects.toMatchObject({ code: 'name_taken' })
      await store.namespaces.setState(namespaceId('shop'), 'deleting', NOW_MS)
      await expect(store.namespaces.insert(again)).rejects.toMatchObject({ code: 'name_taken' })
    })

    it('holds the name of a deleted namespace for 90 days and then lets it go', async () => {
      await store.namespaces.setState(namespaceId('shop'), 'deleted', NOW_MS)
      const again = namespace('shop', { id: namespaceId('again') })
      const atTheEnd = { ...again, createdAtMs: NOW_MS + NAME_HELD_MS - 1 }
      await expect(store.namespaces.insert(atTheEnd)).rejects.toMatchObject({ code: 'name_reserved' })
      await store.namespaces.insert({ ...again, createdAtMs: NOW_MS + NAME_HELD_MS })
      expect((await store.namespaces.all()).filter(ns => ns.name === 'shop')).toHaveLength(2)
    })

    it('prolongs a hold and never shortens it', async () => {
      await store.namespaces.setState(namespaceId('shop'), 'deleted', NOW_MS)
      await store.namespaces.reserveName(namespaceId('shop'), NOW_MS + 2 * NAME_HELD_MS)
      await store.namespaces.reserveName(namespaceId('shop'), NOW_MS)
      expect((await store.namespaces.byId(namespaceId('shop')))?.nameHeldUntilMs).toBe(NOW_MS + 2 * NAME_HELD_MS)
      await store.namespaces.reserveName(namespaceId('bank'), NOW_MS)
      expect((await store.namespaces.byId(namespaceId('bank')))?.nameHeldUntilMs).toBeNull()
    })
  })
}

/** API keys. */
export function controlKeysContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.users.insert(user('ada'))
    await store.namespaces.insert(namespace('shop'))
    await store.namespaces.insert(namespace('bank', { createdAtMs: NOW_MS + 1 }))
  })
  afterEach(() => store.close())

  describe('API keys', () => {
    const bound = apiKey('a', {
      kind: 'rum',
      namespaces: [namespaceId('shop'), namespaceId('bank')],
      allowedOrigins: ['https://shop.example', 'null'],
      expiresAtMs: NOW_MS + 5
    })
    beforeEach(() => store.apiKeys.insert(bound))

    it('gives a key back as stored, its namespaces in order', async () => {
      expect(await store.apiKeys.byId(bound.id)).toEqual(bound)
      expect(await store.apiKeys.byHash('hash-a')).toEqual(bound)
      expect(await store.apiKeys.byHash('hash-b')).toBeNull()
    })

    it('lists the keys of a namespace newest first, and those without any apart', async () => {
      const later = apiKey('b', { namespaces: [namespaceId('bank')], createdAtMs: NOW_MS + 1 })
      const unbound = apiKey('c')
      await store.apiKeys.insert(later)
      await store.apiKeys.insert(unbound)
      expect(await store.apiKeys.of(namespaceId('bank'))).toEqual([later, bound])
      expect(await store.apiKeys.of(namespaceId('shop'))).toEqual([bound])
      expect(await store.apiKeys.unbound()).toEqual([unbound])
    })

    it('finds a rotated key by both secrets, and by the newest two after another rotation', async () => {
      await store.apiKeys.rotate(bound.id, { hash: 'hash-2', prefix: 'p2' }, NOW_MS + 1)
      expect(await store.apiKeys.byHash('hash-a')).toMatchObject({ secretHash: 'hash-2', previousHash: 'hash-a', prefix: 'p2' })
      await store.apiKeys.rotate(bound.id, { hash: 'hash-3', prefix: 'p3' }, NOW_MS + 2)
      expect(await store.apiKeys.byHash('hash-a')).toBeNull()
      expect(await store.apiKeys.byHash('hash-2')).toMatchObject({ secretHash: 'hash-3', previousUntilMs: NOW_MS + 2 })
    })

    it('keeps the first time of a revocation and the last time of use', async () => {
      await store.apiKeys.revoke(bound.id, 5)
      await store.apiKeys.revoke(bound.id, 6)
      await store.apiKeys.touch(new Map([[bound.id, 9]]))
      await store.apiKeys.touch(new Map([[bound.id, 8]]))
      expect(await store.apiKeys.byId(bound.id)).toMatchObject({ revokedAtMs: 5, lastUsedAtMs: 9 })
    })

    it('stores neither key nor links when a namespace does not exist', async () => {
      await expect(
        store.apiKeys.insert(apiKey('d', { namespaces: [namespaceId('shop'), namespaceId('none')] }))
      ).rejects.toThrow()
      expect(await store.apiKeys.byHash('hash-d')).toBeNull()
      expect(await store.apiKeys.of(namespaceId('shop'))).toEqual([bound])
    })
  })
}

/** Invitations. */
export function controlInvitationsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.users.insert(user('ada'))
    await store.namespaces.insert(namespace('shop'))
    await store.namespaces.insert(namespace('bank', { createdAtMs: NOW_MS + 1 }))
  })
  afterEach(() => store.close())

  it('lets exactly one of two take an invitation', async () => {
    const invitation = {
      id: 'inv',
      namespaceId: namespaceId('shop'),
      role: 'viewer',
      tokenHash: 'th',
      invitedBy: userId('ada'),
      createdAtMs: NOW_MS,
      expiresAtMs: NOW_MS + 1
    } as const
    await store.invitations.insert(invitation)
    expect(await store.invitations.of(namespaceId('shop'))).toEqual([invitation])
    expect(await store.invitations.of(namespaceId('bank'))).toEqual([])
    expect(await store.invitations.byHash('th')).toEqual(invitation)
    const taken = await Promise.all([store.invitations.take('inv'), store.invitations.take('inv')])
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await store.invitations.byHash('th')).toBeNull()
  })
}
