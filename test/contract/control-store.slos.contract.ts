import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { KEPT_SLO_VERSIONS, type Slo } from '../../src/domain/alerts/slo.js'
import type { ControlStore } from '../../src/ports/control-store.js'
import { type ControlStoreFactory, namespace, namespaceId, NOW_MS, userId } from './control-fixtures.js'

const SHOP = namespaceId('shop')
const BANK = namespaceId('bank')

function slo(id: string, changes: Partial<Slo> = {}): Slo {
  return {
    ...{ name: `slo ${id}`, service: 'checkout ÄÖ 日本', description: null, objective: 99.9, windowMs: 28 * 86_400_000 },
    indicator: { kind: 'ratio', good: null, bad: 'errors_total{job="a"}', total: 'requests_total' },
    ...{ alerts: ['page'], minEvents: 10, labels: [{ name: '__proto__', value: 'x' }], pageLabels: [], ticketLabels: [] },
    ...{ annotations: [], runbookUrl: null, enabled: true },
    ...{ id, namespaceId: SHOP, groupId: `group ${id}`, version: 1, revision: 1, revisionSinceMs: NOW_MS },
    ...{ updatedBy: userId('ada'), updatedAtMs: NOW_MS },
    ...changes
  }
}

/** Service level objectives. */
export function controlSlosContract(open: ControlStoreFactory): void {
  let store: ControlStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const put = async (...slos: readonly Slo[]): Promise<void> => {
    for (const one of slos) expect(await store.slos.put(one)).toBe(true)
  }

  it('gives SLOs back by name, apart by namespace, up to the limit', async () => {
    const [first, second] = [
      slo('b', { name: 'a' }),
      slo('a', { name: 'b', indicator: { kind: 'availability', operation: null } })
    ]
    await put(second, first, slo('b', { namespaceId: BANK, name: 'a' }))
    expect(await store.slos.list(SHOP, 10)).toEqual([first, second])
    expect(await store.slos.list(SHOP, 1)).toEqual([first])
    expect(await store.slos.find(SHOP, 'a')).toEqual(second)
    expect(await store.slos.find(BANK, 'a')).toBeNull()
    expect((await store.slos.list(BANK, 10)).map(({ namespaceId: ns }) => ns)).toEqual([BANK])
  })

  it('finds the SLO that a group belongs to', async () => {
    await put(slo('a'), slo('b', { namespaceId: BANK, groupId: 'other' }))
    expect(await store.slos.ofGroup(SHOP, 'group a')).toEqual(slo('a'))
    expect([await store.slos.ofGroup(SHOP, 'other'), await store.slos.ofGroup(BANK, 'group a')]).toEqual([null, null])
  })

  it('replaces the version before alone, and keeps both', async () => {
    const second = slo('a', { version: 2, objective: 99, name: 'renamed', revision: 2, revisionSinceMs: NOW_MS + 1 })
    await put(slo('a'), second)
    expect(await store.slos.put(second)).toBe(false)
    expect(await store.slos.put(slo('a'))).toBe(false)
    expect(await store.slos.put(slo('a', { version: 4 }))).toBe(false)
    expect(await store.slos.find(SHOP, 'a')).toEqual(second)
    expect(await store.slos.versions(SHOP, 'a', 10)).toEqual([second, slo('a')])
    expect(await store.slos.versions(SHOP, 'a', 1)).toEqual([second])
    expect(await store.slos.versions(BANK, 'a', 10)).toEqual([])
  })

  it('keeps the latest versions alone', async () => {
    for (let version = 1; version <= KEPT_SLO_VERSIONS + 2; version++) await put(slo('a', { version }))
    const versions = await store.slos.versions(SHOP, 'a', 1_000)
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: KEPT_SLO_VERSIONS }, (_, at) => KEPT_SLO_VERSIONS + 2 - at)
    )
  })

  it('refuses the name of another SLO of the namespace, and leaves the stored one', async () => {
    await put(slo('a'), slo('b'))
    await expect(store.slos.put(slo('c', { name: 'slo a' }))).rejects.toMatchObject({ code: 'conflict' })
    await expect(store.slos.put(slo('b', { name: 'slo a', version: 2 }))).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.slos.find(SHOP, 'b')).toEqual(slo('b'))
    expect(await store.slos.versions(SHOP, 'b', 10)).toEqual([slo('b')])
  })

  it('removes an SLO with its versions', async () => {
    await put(slo('a'), slo('b'), slo('a', { namespaceId: BANK }))
    expect([await store.slos.remove(SHOP, 'a'), await store.slos.remove(SHOP, 'a')]).toEqual([true, false])
    expect(await store.slos.list(SHOP, 10)).toEqual([slo('b')])
    expect(await store.slos.versions(SHOP, 'a', 10)).toEqual([])
    expect(await store.slos.versions(BANK, 'a', 10)).toHaveLength(1)
    await put(slo('a'))
  })

  it('ends with the namespace', async () => {
    await store.namespaces.insert(namespace('shop'))
    await put(slo('a'), slo('a', { namespaceId: BANK }))
    await store.namespaces.setState(SHOP, 'deleted', NOW_MS)
    expect(await store.slos.list(SHOP, 10)).toEqual([])
    expect(await store.slos.versions(SHOP, 'a', 10)).toEqual([])
    expect(await store.slos.list(BANK, 10)).toHaveLength(1)
  })
}
