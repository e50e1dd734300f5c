import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { UserId } from '../../src/domain/ids.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { SavedView } from '../../src/ports/saved-views.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')
const ADA = 'ada' as UserId

function view(id: string, changes: Partial<SavedView> = {}): SavedView {
  const common = { namespaceId: SHOP, name: `view ${id}`, signal: 'logs', createdBy: ADA, updatedBy: ADA, updatedAtMs: NOW_MS }
  return { id, state: `{"q":"${id} ÄÖ 日本"}`, ...common, ...changes }
}

/** Saved views and preferences. */
export function controlViewsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  describe('saved views', () => {
    it('gives views back by id, apart by namespace', async () => {
      const all = [view('a'), view('a', { namespaceId: BANK, name: null }), view('b', { name: null })]
      for (const one of all) await store.savedViews.put(one)
      expect(await store.savedViews.byId(SHOP, 'a')).toEqual(all[0])
      expect(await store.savedViews.byId(BANK, 'a')).toEqual(all[1])
      expect(await store.savedViews.byId(BANK, 'b')).toBeNull()
      expect([await store.savedViews.count(SHOP), await store.savedViews.count(BANK)]).toEqual([2, 1])
    })

    it('lists those with a name, by name, up to the limit', async () => {
      for (const id of ['c', 'a', 'b']) await store.savedViews.put(view(id))
      await store.savedViews.put(view('d', { name: null }))
      await store.savedViews.put(view('e', { namespaceId: BANK }))
      expect((await store.savedViews.named(SHOP, { limit: 10 })).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      expect((await store.savedViews.named(SHOP, { limit: 2 })).map(({ id }) => id)).toEqual(['a', 'b'])
    })

    it('continues the list after a place, by name and then id, and lists one signal alone', async () => {
      for (const id of ['c', 'a', 'b']) await store.savedViews.put(view(id, { name: 'same' }))
      await store.savedViews.put(view('d', { name: 'last', signal: 'spans' }))
      await store.savedViews.put(view('e', { name: null }))
      await store.savedViews.put(view('f', { name: 'same', namespaceId: BANK }))
      const ids = async (request: object): Promise<readonly string[]> =>
        (await store.savedViews.named(SHOP, { limit: 10, ...request })).map(({ id }) => id)
      expect(await ids({})).toEqual(['d', 'a', 'b', 'c'])
      expect(await ids({ after: { name: 'last', id: 'd' }, limit: 2 })).toEqual(['a', 'b'])
      expect(await ids({ after: { name: 'same', id: 'a' } })).toEqual(['b', 'c'])
      // The place of a view that is gone.
      expect(await ids({ after: { name: 'same', id: 'aa' } })).toEqual(['b', 'c'])
      expect(await ids({ after: { name: 'same', id: 'c' } })).toEqual([])
      expect(await ids({ signal: 'spans' })).toEqual(['d'])
      expect(await ids({ signal: 'logs', after: { name: 'same', id: 'b' } })).toEqual(['c'])
    })

    it('replaces a view that is put again', async () => {
      await store.savedViews.put(view('a'))
      const last = view('a', { name: null, state: `{"q":"${'x'.repeat(16_000)}"}`, updatedAtMs: NOW_MS + 1 })
      await store.savedViews.put(last)
      expect(await store.savedViews.byId(SHOP, 'a')).toEqual(last)
      expect(await store.savedViews.count(SHOP)).toBe(1)
      await store.savedViews.put({ ...last, createdBy: 'bob' as UserId, updatedBy: 'bob' as UserId })
      expect(await store.savedViews.byId(SHOP, 'a')).toMatchObject({ createdBy: ADA, updatedBy: 'bob' })
    })

    it('removes a view once, and only in its namespace', async () => {
      await store.savedViews.put(view('a'))
      expect(await store.savedViews.remove(BANK, 'a')).toBe(false)
      expect(await store.savedViews.remove(SHOP, 'a')).toBe(true)
      expect(await store.savedViews.remove(SHOP, 'a')).toBe(false)
    })

    it('forgets those of a deleted namespace, and no others', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.savedViews.put(view('a'))
      await store.savedViews.put(view('a', { namespaceId: BANK }))
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect([await store.savedViews.count(SHOP), await store.savedViews.count(BANK)]).toEqual([0, 1])
    })
  })

  describe('preferences', () => {
    it('are those that a user set last, and no one else has them', async () => {
      expect(await store.preferences.of(ADA)).toBeNull()
      await store.preferences.set(ADA, '{"theme":"dark"}')
      await store.preferences.set(ADA, '{"theme":"light"}')
      expect(await store.preferences.of(ADA)).toBe('{"theme":"light"}')
      expect(await store.preferences.of('bob' as UserId)).toBeNull()
    })
  })
}
