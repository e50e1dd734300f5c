import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { IngestId } from '../../src/domain/ids.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import type { UsageDelta } from '../../src/ports/usage-ledger.js'
import type { ControlStoreFactory } from './control-fixtures.js'
import { namespace, namespaceId, NOW_MS, reservation, user } from './control-fixtures.js'

/** Audit log, idempotency keys, usage and settings. */
export function controlLedgersContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  it('deletes the oldest audit entries, a bounded number at a time, and none that are younger', async () => {
    const dayMs = 86_400_000
    const newId = (atMs: number): string => createUlidSource(() => atMs, randomBytes)()
    for (const days of [1, 2, 3, 4]) {
      const entry = { atMs: days * dayMs, actor: null, action: 'key.created', target: null, detail: {} }
      await store.audit.insert({ ...entry, id: newId(days * dayMs), namespaceId: namespaceId('aged') })
    }
    const left = async (): Promise<readonly number[]> =>
      (await store.audit.of(namespaceId('aged'), 9)).map(({ atMs }) => atMs / dayMs)
    expect([await store.audit.deleteBefore(3 * dayMs, 1), await left()]).toEqual([1, [4, 3, 2]])
    expect([await store.audit.deleteBefore(3 * dayMs, 9), await left()]).toEqual([1, [4, 3]])
    expect(await store.audit.deleteBefore(3 * dayMs, 9)).toBe(0)
  })

  it('lists audit entries of one namespace newest first, page by page', async () => {
    const entry = { atMs: NOW_MS, actor: null, action: 'key.created', target: 'k', detail: { role: 'admin', n: 1 } }
    for (const id of ['01A', '01B', '01C']) await store.audit.insert({ ...entry, id, namespaceId: namespaceId('shop') })
    await store.audit.insert({ ...entry, id: '01D', namespaceId: null })
    await store.audit.insert({ ...entry, id: '01E', namespaceId: namespaceId('bank') })
    expect((await store.audit.of(namespaceId('shop'), 2)).map(e => e.id)).toEqual(['01C', '01B'])
    expect(await store.audit.of(namespaceId('shop'), 2, '01B')).toEqual([
      { ...entry, id: '01A', namespaceId: namespaceId('shop') }
    ])
  })

  describe('idempotency keys', () => {
    it('returns the stored reservation, with its reply once it is known', async () => {
      expect(await store.idempotency.reserve(reservation('s'))).toEqual(reservation('s'))
      const second = reservation('s', { bodyHash: 'other', createdAtMs: NOW_MS + 1 })
      expect(await store.idempotency.reserve(second)).toEqual(reservation('s'))
      await store.idempotency.complete(reservation('s'), '{"status":200}')
      expect(await store.idempotency.reserve(second)).toEqual(reservation('s', { reply: '{"status":200}' }))
    })

    it('frees a scope that is released or too old', async () => {
      await store.idempotency.reserve(reservation('s'))
      await store.idempotency.release(reservation('s'))
      const later = reservation('s', { bodyHash: 'other', createdAtMs: NOW_MS + 1 })
      expect(await store.idempotency.reserve(later)).toEqual(later)
      await store.idempotency.deleteBefore(NOW_MS + 1)
      expect(await store.idempotency.reserve(reservation('s'))).toEqual(later)
      await store.idempotency.deleteBefore(NOW_MS + 2)
      expect(await store.idempotency.reserve(reservation('s'))).toEqual(reservation('s'))
    })

    it('marks a refusal, which a response replaces and which replaces no response', async () => {
      const { idempotency } = store
      const mine = await idempotency.reserve(reservation('s'))
      await idempotency.refuse(mine)
      expect(await idempotency.reserve(reservation('s'))).toEqual({ ...mine, isRefused: true })
      await idempotency.complete(mine, '{"status":200}')
      await idempotency.refuse(mine)
      expect(await idempotency.reserve(reservation('s'))).toEqual({ ...mine, reply: '{"status":200}' })
    })

    it('changes nothing of a key that another request has taken over', async () => {
      const { idempotency } = store
      const other = { scope: 's', ingestId: '01JD3X5V000000000000000009' as IngestId }
      const mine = await idempotency.reserve(reservation('s'))
      await idempotency.complete(other, '{"status":200}')
      await idempotency.refuse(other)
      await idempotency.release(other)
      // With another body: a key that was released would be reserved for it.
      expect(await idempotency.reserve(reservation('s', { bodyHash: 'other' }))).toEqual(mine)
    })
  })

  it('sums usage per day and signal, beyond 32 bits', async () => {
    const delta: UsageDelta = {
      namespaceId: namespaceId('shop'),
      day: '2026-01-02',
      signal: 'logs',
      stored: 3_000_000_000,
      rejected: 1,
      deduplicated: 2,
      dropped: 3_000_000_000,
      bytes: 9_000_000_000_000
    }
    await store.usage.add([delta, delta, { ...delta, day: '2026-01-03' }, { ...delta, namespaceId: namespaceId('bank') }])
    await store.usage.add([{ ...delta, signal: 'rum' }])
    await store.usage.add([])
    const doubled = {
      ...delta,
      stored: 6_000_000_000,
      rejected: 2,
      deduplicated: 4,
      dropped: 6_000_000_000,
      bytes: 18_000_000_000_000
    }
    expect(await store.usage.of(namespaceId('shop'), '2026-01-02', '2026-01-02')).toEqual([doubled, { ...delta, signal: 'rum' }])
    expect(await store.usage.of(namespaceId('shop'), '2026-01-03', '2026-12-31')).toEqual([{ ...delta, day: '2026-01-03' }])
  })

  it('keeps the first value of a setting', async () => {
    expect(await store.settings.get('secret')).toBeNull()
    expect(await store.settings.setOnce('secret', 'a')).toBe('a')
    expect(await store.settings.setOnce('secret', 'b')).toBe('a')
    expect(await store.settings.get('secret')).toBe('a')
  })
}

/** What holds for the store as a whole. */
export function controlTransactionsContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  describe('transactions', () => {
    it('take nothing over when the work throws', async () => {
      const work = store.transaction(async ports => {
        await ports.users.insert(user('ada'))
        await ports.namespaces.insert(namespace('shop'))
        throw new Error('stop')
      })
      await expect(work).rejects.toThrow('stop')
      expect(await store.users.count()).toBe(0)
      expect(await store.namespaces.all()).toEqual([])
    })

    it('run one after the other, so that a check holds until the write', async () => {
      const insertIfFirst = (name: string): Promise<boolean> =>
        store.transaction(async ports => {
          if ((await ports.users.count()) > 0) return false
          await ports.users.insert(user(name))
          return true
        })
      const first = await Promise.all([insertIfFirst('ada'), insertIfFirst('bob'), insertIfFirst('cem')])
      expect(first.filter(Boolean)).toHaveLength(1)
    })

    it('hold what a port of several statements does', async () => {
      await store.transaction(async ports => {
        await ports.usage.add([])
        await ports.settings.setOnce('a', '1')
        await ports.namespaces.insert(namespace('shop'))
      })
      expect(await store.namespaces.all()).toHaveLength(1)
    })
  })

  it('reports its health and closes twice', async () => {
    expect(await store.health()).toMatchObject({ healthy: true, detail: '' })
    await store.close()
    await store.close()
    expect(await store.health()).toMatchObject({ healthy: false, latencyMs: null })
  })
}
