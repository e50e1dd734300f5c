import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type MetricTally, metricRound } from '../differential/metric-rounds.js'
import type { DuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { openTestStores } from '../support/duckdb-fixture.js'
import { type InfluxSite, openInfluxSite } from '../support/influx-fixture.js'
import { describeOn } from '../support/servers.js'
import { openTempFolder } from '../support/temp-folder.js'

const ROUNDS = 11
const TIMEOUT_MS = 120_000
const BASE_NS = BigInt(Math.floor(Date.now() / 1000) - 3_600) * 1_000_000_000n

describeOn('influx', 'InfluxDB next to the embedded engine', access => {
  let folder: Awaited<ReturnType<typeof openTempFolder>>
  let embedded: DuckDbStores
  let site: InfluxSite
  beforeAll(async () => {
    folder = await openTempFolder()
    embedded = await openTestStores(folder.path)
    site = await openInfluxSite(access)
  })
  afterAll(async () => {
    await site.close()
    await embedded.close()
    await folder.remove()
  })

  it(
    'gives the same responses to the same random points, deletions and queries',
    async () => {
      const places = [await site.open(), await site.open({ limits: { maxDedicated: 0 } })]
      const tally: MetricTally = { queries: 0, appends: 0, deletions: 0, differences: [] }
      for (let seed = 1; seed <= ROUNDS; seed++) {
        await metricRound(seed, BASE_NS, [embedded.metrics, places[seed % 2]!.metrics], tally)
      }
      expect(tally.differences.slice(0, 3)).toEqual([])
      expect(tally.queries).toBeGreaterThanOrEqual(300)
      expect(tally.deletions).toBeGreaterThan(0)
    },
    TIMEOUT_MS
  )
})
