import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { MetricPoint } from '../../src/domain/metric-point.js'
import type { Batch } from '../../src/ports/append.js'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { newIngestId } from '../contract/store-under-test.js'
import { influxdb } from '../servers/influxdb.js'
import { RunningServer } from '../servers/running-server.js'
import { influxNamespace, type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { describeOn } from '../support/servers.js'

const TIMEOUT_MS = 120_000
const BASE_NS = BigInt(Math.floor(Date.now() / 1000) - 3_600) * 1_000_000_000n
const WRITERS = 4
const BATCHES = 25
const POINTS = 200
/** The server is killed when so many batches are acknowledged. */
const KILL_AT = 30
const { signal: NEVER } = new AbortController()

/** Each point of its own time, so that none hides another. */
function batchOf(writer: number, number: number): Batch<MetricPoint> {
  const items = Array.from({ length: POINTS }, (_, index) => {
    const at = number * POINTS + index
    const labels = [{ name: 'writer', value: String(writer) }]
    return { index, name: 'cpu', type: 'gauge' as const, labels, timestampNs: BASE_NS + BigInt(at), value: writer * 1e6 + at }
  })
  return { ingestId: newIngestId(), items }
}

async function stored(metrics: MetricStore, ns: NamespaceId): Promise<ReadonlySet<number>> {
  const range = { startNs: BASE_NS, endNs: BASE_NS + 1_000_000n }
  const found = await metrics.select(ns, { matchers: [], range, maxSeries: 100, maxSamples: 1_000_000 }, NEVER)
  return new Set(found.flatMap(({ values }) => [...values]))
}

function valuesOf(batches: readonly Batch<MetricPoint>[]): readonly number[] {
  return batches.flatMap(({ items }) => items.map(({ value }) => value))
}

describeOn('influx', 'InfluxDB of its own', () => {
  let server: RunningServer
  let site: InfluxSite
  beforeAll(async () => {
    server = await RunningServer.start(influxdb)
    site = await openInfluxSite(server.access)
  }, TIMEOUT_MS)
  afterAll(async () => {
    await site.close()
    await server.stop()
  }, TIMEOUT_MS)

  it(
    'loses nothing acknowledged when it is killed in the midst of writes, and takes what failed once more',
    async () => {
      const ns = influxNamespace()
      const { metrics } = await site.open()
      const acknowledged: Batch<MetricPoint>[] = []
      const failed: Batch<MetricPoint>[] = []
      const codes = new Set<string>()
      const killing: Promise<void>[] = []
      const write = async (writer: number): Promise<void> => {
        for (let number = 0; number < BATCHES; number++) {
          const batch = batchOf(writer, number)
          try {
            await metrics.append(ns, batch)
            acknowledged.push(batch)
          } catch (error) {
            failed.push(batch)
            codes.add((error as GatewayError).code)
          }
          if (acknowledged.length >= KILL_AT && killing.length === 0) killing.push(server.kill())
        }
      }
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
      await Promise.all(killing)
      expect(failed.length).toBeGreaterThan(0)
      expect([...codes]).toEqual(['store_unavailable'])
      await expect(stored(metrics, ns)).rejects.toMatchObject({ code: 'store_unavailable' })

      await server.startAgain()
      const found = await stored(metrics, ns)
      expect(valuesOf(acknowledged).filter(value => !found.has(value))).toEqual([])
      for (const batch of failed) expect(await metrics.append(ns, batch)).toMatchObject({ accepted: POINTS, failures: [] })
      const fresh = await site.open()
      const all = await stored(fresh.metrics, ns)
      expect(all.size).toBe(WRITERS * BATCHES * POINTS)
      expect(valuesOf([...acknowledged, ...failed]).filter(value => !all.has(value))).toEqual([])
    },
    TIMEOUT_MS
  )

  it(
    'carries a deletion of a namespace on that an outage interrupted',
    async () => {
      const ns = influxNamespace()
      const { metrics } = await site.open()
      await metrics.append(ns, batchOf(0, 0))
      await server.kill()
      await expect(metrics.dropNamespace(ns)).rejects.toMatchObject({ code: 'store_unavailable' })
      await expect(metrics.append(ns, batchOf(0, 1))).rejects.toMatchObject({ code: 'namespace_deleted' })
      await server.startAgain()
      const fresh = await site.open()
      await expect(fresh.metrics.append(ns, batchOf(0, 1))).rejects.toMatchObject({ code: 'namespace_deleted' })
      await fresh.metrics.dropNamespace(ns)
      expect(await site.control.places.of('influxdb', ns)).toBeNull()
      expect(await stored(fresh.metrics, ns)).toEqual(new Set())
    },
    TIMEOUT_MS
  )
})
