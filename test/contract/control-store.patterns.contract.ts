import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { CatalogPattern } from '../../src/ports/pattern-catalog.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function pattern(id: string, changes: Partial<CatalogPattern> = {}): CatalogPattern {
  const template = { tokens: [`user ${id}`, ' ', '\u0001', 'ÄÖ 日本 "\u0002"'], kinds: [5] }
  return { id, ...template, firstSeenMs: NOW_MS, note: null, muted: false, ...changes }
}

/** Templates of logs and their merges. */
export function controlPatternsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  describe('the catalogue of patterns', () => {
    it('has nothing of a namespace without patterns', async () => {
      expect(await store.patterns.all(SHOP)).toEqual({ patterns: [], merges: [] })
    })

    it('gives templates and merges back, apart by namespace', async () => {
      await store.patterns.add(SHOP, [pattern('b'), pattern('a')], [{ id: 'a', into: 'b' }])
      await store.patterns.add(BANK, [pattern('a', { tokens: ['x'], kinds: [] })], [])
      expect(await store.patterns.all(SHOP)).toEqual({ patterns: [pattern('a'), pattern('b')], merges: [{ id: 'a', into: 'b' }] })
      expect(await store.patterns.all(BANK)).toEqual({ patterns: [pattern('a', { tokens: ['x'], kinds: [] })], merges: [] })
    })

    it('keeps what it has, with the earlier of both first times', async () => {
      await store.patterns.add(SHOP, [pattern('a'), pattern('b')], [{ id: 'a', into: 'b' }])
      await store.patterns.decide(SHOP, ['a'], { note: 'ours', muted: true })
      const again = [pattern('a', { firstSeenMs: NOW_MS - 5 }), pattern('b', { firstSeenMs: NOW_MS + 5 })]
      await store.patterns.add(SHOP, again, [
        { id: 'a', into: 'b' },
        { id: 'a', into: 'c' }
      ])
      const { patterns, merges } = await store.patterns.all(SHOP)
      expect(patterns).toEqual([pattern('a', { firstSeenMs: NOW_MS - 5, note: 'ours', muted: true }), pattern('b')])
      expect(merges.toSorted((a, b) => (a.into < b.into ? -1 : 1))).toEqual([
        { id: 'a', into: 'b' },
        { id: 'a', into: 'c' }
      ])
    })

    it('takes what many gateways add at once, more than one statement carries', async () => {
      const many = Array.from({ length: 1201 }, (_, i) => pattern(`p${String(i).padStart(4, '0')}`))
      const merges = many.slice(1).map(({ id }) => ({ id, into: 'p0000' }))
      await Promise.all([
        store.patterns.add(SHOP, many, merges),
        store.patterns.add(SHOP, many.toReversed(), merges.toReversed())
      ])
      const all = await store.patterns.all(SHOP)
      expect(all.patterns).toEqual(many)
      expect(all.merges.length).toBe(merges.length)
    })

    it('changes what is decided, and nothing else, in its namespace alone', async () => {
      await store.patterns.add(SHOP, [pattern('a')], [])
      expect(await store.patterns.decide(BANK, ['a'], { muted: true })).toBe(false)
      expect(await store.patterns.decide(SHOP, ['z'], { muted: true })).toBe(false)
      expect(await store.patterns.decide(SHOP, ['a'], { muted: true })).toBe(true)
      expect(await store.patterns.decide(SHOP, ['a'], { note: 'known issue' })).toBe(true)
      expect(await store.patterns.decide(SHOP, ['a'], {})).toBe(true)
      expect((await store.patterns.all(SHOP)).patterns).toEqual([pattern('a', { muted: true, note: 'known issue' })])
      expect(await store.patterns.decide(SHOP, ['a'], { note: null, muted: false })).toBe(true)
      expect((await store.patterns.all(SHOP)).patterns).toEqual([pattern('a')])
    })

    it('changes several at once, more than one statement carries, and passes over unknown ones', async () => {
      const many = Array.from({ length: 601 }, (_, i) => pattern(`p${String(i).padStart(4, '0')}`))
      await store.patterns.add(SHOP, many, [])
      const ids = [...many.slice(1).map(({ id }) => id), 'unknown']
      expect(await store.patterns.decide(SHOP, ids, { note: 'ours' })).toBe(true)
      const [first, ...others] = (await store.patterns.all(SHOP)).patterns
      expect(first!.note).toBeNull()
      expect(others.every(({ note }) => note === 'ours')).toBe(true)
    })

    it('forgets those of a deleted namespace, and no others', async () => {
      await store.namespaces.insert(namespace('shop'))
      await store.patterns.add(SHOP, [pattern('a')], [{ id: 'a', into: 'b' }])
      await store.patterns.add(BANK, [pattern('a')], [])
      await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
      expect(await store.patterns.all(SHOP)).toEqual({ patterns: [], merges: [] })
      expect((await store.patterns.all(BANK)).patterns.length).toBe(1)
    })
  })
}
