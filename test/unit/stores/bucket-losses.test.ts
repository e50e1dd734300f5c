import { expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { StorePlaces } from '../../../src/ports/series-catalog.js'
import { BucketLosses } from '../../../src/stores/influxdb/places/bucket-losses.js'
import { ManualTime } from '../../support/manual-time.js'
import { QUIET_MONITOR } from '../../support/quiet-jobs.js'

const NS = 'testnamespace01' as NamespaceId
const BUCKET = `ns_${NS}`

function openLosses({ isThere }: { readonly isThere: boolean }) {
  const rows = new Map<string, Map<NamespaceId, string>>()
  let isDown = false
  const of = (store: string): Map<NamespaceId, string> => {
    if (isDown) throw new Error('the control database is away')
    const found = rows.get(store) ?? new Map<NamespaceId, string>()
    rows.set(store, found)
    return found
  }
  const places: StorePlaces = {
    all: async store => of(store),
    of: async (store, ns) => of(store).get(ns) ?? null,
    setOnce: async (store, ns, place) => of(store).get(ns) ?? (of(store).set(ns, place), place),
    set: async (store, ns, place) => void of(store).set(ns, place),
    remove: async (store, ns) => void of(store).delete(ns)
  }
  const clock = new ManualTime(Date.now())
  const buckets = { exists: async () => isThere }
  const losses = new BucketLosses({ places, buckets, clock, refreshMs: 1_000, monitor: QUIET_MONITOR })
  const fail = (): void => {
    isDown = true
  }
  return { losses, places, clock, fail }
}

it('fails a read instead of returning nothing when a bucket exists and was not found', async () => {
  const { losses, places } = openLosses({ isThere: true })
  await places.setOnce('influxdb', NS, BUCKET)
  await losses.meet(NS, BUCKET)
  await losses.noteMade(NS)
  const refused = { code: 'store_unavailable', message: 'InfluxDB returned status 404' }
  await expect(losses.meet(NS, BUCKET)).rejects.toMatchObject(refused)
  expect(losses.lost.size).toBe(0)
})

it('goes on with the losses that are known while the control database is away', async () => {
  const { losses, places, clock, fail } = openLosses({ isThere: false })
  await places.setOnce('influxdb', NS, BUCKET)
  await losses.noteMade(NS)
  await expect(losses.meet(NS, BUCKET)).rejects.toMatchObject({ code: 'store_unavailable' })
  fail()
  clock.pass(1_000)
  await losses.refresh()
  expect(losses.of(NS, 'metrics', { startNs: 0n })).toHaveLength(1)
})

it('does not report that nothing was lost before the first response of the control database', async () => {
  const { losses, fail } = openLosses({ isThere: true })
  fail()
  await expect(losses.refresh()).rejects.toThrow('away')
})
