import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS, refreshToken, user, userId } from './control-fixtures.js'

/** Users and signing keys. */
export function controlUsersContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.users.insert(user('ada', { name: 'Ada', isOperator: true, email: 'Ada@Example.com' }))
    await store.namespaces.insert(namespace('shop'))
  })
  afterEach(() => store.close())

  describe('users', () => {
    it('gives a user back as stored, by id and by address in any case', async () => {
      const ada = user('ada', { name: 'Ada', isOperator: true, email: 'Ada@Example.com' })
      expect(await store.users.byId(ada.id)).toEqual(ada)
      expect(await store.users.byEmail('aDA@example.COM')).toEqual(ada)
      expect(await store.users.byId(userId('absent'))).toBeNull()
    })

    it('refuses an address that is taken in another case and stays usable', async () => {
      await expect(store.users.insert(user('eve', { email: 'ADA@example.com' }))).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.users.count()).toBe(1)
    })

    it('finds many by their ids and none for none', async () => {
      await store.users.insert(user('bob'))
      expect((await store.users.byIds([userId('ada'), userId('bob'), userId('absent')])).map(u => u.id).sort()).toEqual([
        userId('ada'),
        userId('bob')
      ])
      expect(await store.users.byIds([])).toEqual([])
    })

    it('changes a password', async () => {
      await store.users.setPassword(userId('ada'), 'scrypt$new')
      expect((await store.users.byId(userId('ada')))?.passwordHash).toBe('scrypt$new')
    })
  })

  it('keeps signing keys and the time of their retirement', async () => {
    const key = { kid: 'k1', privateKey: '{"d":"x"}', publicJwk: { x: 'y' }, createdAtMs: NOW_MS, retiredAtMs: null }
    await store.signingKeys.insert(key)
    expect(await store.signingKeys.all()).toEqual([key])
    await store.signingKeys.retire('k1', NOW_MS + 1)
    await store.signingKeys.retire('k1', NOW_MS + 2)
    expect((await store.signingKeys.all())[0]?.retiredAtMs).toBe(NOW_MS + 1)
  })
}

/** Refresh tokens. */
export function controlSessionsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.users.insert(user('ada', { name: 'Ada', isOperator: true, email: 'Ada@Example.com' }))
    await store.namespaces.insert(namespace('shop'))
  })
  afterEach(() => store.close())

  describe('refresh tokens', () => {
    it('lets exactly one of two uses win', async () => {
      await store.refreshTokens.insert(refreshToken('a'))
      const wins = await Promise.all([store.refreshTokens.markUsed('tokena', 5), store.refreshTokens.markUsed('tokena', 6)])
      expect(wins.filter(Boolean)).toHaveLength(1)
      expect((await store.refreshTokens.byHash('secret-a'))?.usedAtMs).toBe(wins[0] ? 5 : 6)
    })

    it('ends a family and only that one', async () => {
      await store.refreshTokens.insert(refreshToken('a'))
      await store.refreshTokens.insert(refreshToken('b', { familyId: 'other' }))
      await store.refreshTokens.revokeFamily('family', NOW_MS)
      expect(await store.refreshTokens.isFamilyLive('family')).toBe(false)
      expect(await store.refreshTokens.isFamilyLive('other')).toBe(true)
      expect(await store.refreshTokens.isFamilyLive('unknown')).toBe(false)
      expect(await store.refreshTokens.markUsed('tokena', NOW_MS)).toBe(false)
    })

    it('ends all families of a user', async () => {
      await store.refreshTokens.insert(refreshToken('a'))
      await store.refreshTokens.insert(refreshToken('b', { familyId: 'other' }))
      await store.refreshTokens.revokeUser(userId('ada'), NOW_MS)
      expect(await store.refreshTokens.isFamilyLive('other')).toBe(false)
    })

    it('ends all families of a user but one', async () => {
      await store.refreshTokens.insert(refreshToken('a'))
      await store.refreshTokens.insert(refreshToken('b', { familyId: 'other' }))
      await store.users.insert(user('bob'))
      await store.refreshTokens.insert(refreshToken('c', { familyId: 'of bob', userId: userId('bob') }))
      await store.refreshTokens.revokeUser(userId('ada'), NOW_MS, 'other')
      const live = ['family', 'other', 'of bob'].map(family => store.refreshTokens.isFamilyLive(family))
      expect(await Promise.all(live)).toEqual([false, true, true])
    })

    it('forgets those that expired before a time', async () => {
      await store.refreshTokens.insert(refreshToken('old', { expiresAtMs: NOW_MS - 1 }))
      await store.refreshTokens.insert(refreshToken('new', { expiresAtMs: NOW_MS }))
      await store.refreshTokens.deleteExpired(NOW_MS)
      expect(await store.refreshTokens.byHash('secret-old')).toBeNull()
      expect(await store.refreshTokens.byHash('secret-new')).not.toBeNull()
    })
  })
}

/** Memberships. */
export function controlMembersContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
    await store.users.insert(user('ada', { name: 'Ada', isOperator: true, email: 'Ada@Example.com' }))
    await store.namespaces.insert(namespace('shop'))
  })
  afterEach(() => store.close())

  describe('members', () => {
    const ada = { namespaceId: namespaceId('shop'), userId: userId('ada'), role: 'admin', sinceMs: NOW_MS } as const
    const bob = { ...ada, userId: userId('bob'), role: 'member' } as const
    beforeEach(async () => {
      await store.users.insert(user('bob'))
      await store.members.add(ada)
      await store.members.add(bob)
    })

    it('lists members of a namespace and memberships of a user', async () => {
      expect(await store.members.of(ada.namespaceId)).toEqual([ada, bob])
      expect(await store.members.ofUser(bob.userId)).toEqual([bob])
      expect(await store.members.find(ada.namespaceId, userId('absent'))).toBeNull()
    })

    it('raises a role by adding again and never lowers one', async () => {
      await store.members.add({ ...bob, role: 'viewer' })
      expect((await store.members.find(bob.namespaceId, bob.userId))?.role).toBe('member')
      await store.members.add({ ...bob, role: 'admin' })
      expect((await store.members.find(bob.namespaceId, bob.userId))?.role).toBe('admin')
    })

    it('does not let the last admin go or step down', async () => {
      await expect(store.members.remove(ada.namespaceId, ada.userId)).rejects.toMatchObject({ code: 'conflict' })
      await expect(store.members.setRole(ada.namespaceId, ada.userId, 'viewer')).rejects.toMatchObject({ code: 'conflict' })
      expect((await store.members.find(ada.namespaceId, ada.userId))?.role).toBe('admin')
      await store.members.setRole(bob.namespaceId, bob.userId, 'admin')
      await store.members.remove(ada.namespaceId, ada.userId)
      expect(await store.members.of(ada.namespaceId)).toEqual([{ ...bob, role: 'admin' }])
    })

    it('keeps one admin when two leave at once', async () => {
      await store.members.setRole(bob.namespaceId, bob.userId, 'admin')
      const left = await Promise.allSettled([
        store.members.remove(ada.namespaceId, ada.userId),
        store.members.remove(bob.namespaceId, bob.userId)
      ])
      expect(left.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await store.members.of(ada.namespaceId)).toHaveLength(1)
    })
  })
}
