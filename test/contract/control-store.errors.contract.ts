import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { UserId } from '../../src/domain/ids.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { DecidedErrorGroup } from '../../src/ports/error-groups.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function decided(fingerprint: string, changes: Partial<DecidedErrorGroup> = {}): DecidedErrorGroup {
  return { namespaceId: SHOP, fingerprint, state: 'resolved', atMs: NOW_MS, by: 'u1' as UserId, ...changes }
}

/** Decisions about groups of errors. */
export function controlErrorGroupsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  describe('error groups', () => {
    it('gives decisions back, apart by namespace and fingerprint', async () => {
      const all = [decided('a'), decided('b', { state: 'ignored' }), decided('a', { namespaceId: BANK, state: 'open' })]
      for (const one of all) await store.errorGroups.set(one)
      const found = await store.errorGroups.of(SHOP, ['a', 'b', 'c'])
      expect(found.toSorted((x, y) => (x.fingerprint < y.fingerprint ? -1 : 1))).toEqual([all[0], all[1]])
      expect(await store.errorGroups.of(BANK, ['a', 'b'])).toEqual([all[2]])
      expect(await store.errorGroups.of(SHOP, [])).toEqual([])
    })

    it('keeps the last decision alone, with its time and its maker', async () => {
      await store.errorGroups.set(decided('a'))
      const last = decided('a', { state: 'ignored', atMs: NOW_MS + 1, by: 'u2' as UserId })
      await store.errorGroups.set(last)
      expect(await store.errorGroups.of(SHOP, ['a'])).toEqual([last])
    })

    it('takes a thousand fingerprints at once', async () => {
      await store.errorGroups.set(decided('f999'))
      const many = Array.from({ length: 1_000 }, (_, i) => `f${i}`)
      expect(await store.errorGroups.of(SHOP, many)).toEqual([decided('f999')])
    })

    it('undoes a decision with its transaction', async () => {
      const failing = store.transaction(async ports => {
        await ports.errorGroups.set(decided('a'))
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await store.errorGroups.of(SHOP, ['a'])).toEqual([])
    })

    it('forgets those of a deleted namespace, and no others', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.errorGroups.set(decided('a'))
      await store.errorGroups.set(decided('a', { namespaceId: BANK }))
      await store.namespaces.setState(SHOP, 'deleting', NOW_MS)
      expect(await store.errorGroups.of(SHOP, ['a'])).toHaveLength(1)
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect(await store.errorGroups.of(SHOP, ['a'])).toEqual([])
      expect(await store.errorGroups.of(BANK, ['a'])).toHaveLength(1)
    })
  })
}
