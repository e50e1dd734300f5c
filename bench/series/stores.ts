import { join } from 'node:path'
import type { MetricStore } from '../../src/ports/metric-store.js'
import { openSqliteControlStore } from '../../src/stores/control/open-sqlite.js'
import { openDuckDbStores } from '../../src/stores/duckdb/duckdb-stores.js'
import { openInfluxStores } from '../../src/stores/influxdb/influx-stores.js'
import { influxdb } from '../../test/servers/influxdb.js'
import { RunningServer } from '../../test/servers/running-server.js'
import { diskUse, waitUntilMerged } from '../commands/disk-use.js'
import type { BenchOptions } from '../options.js'
import { formatNumber } from '../report.js'
import { pssMb, waitUntilCalm } from '../service/proc.js'
import { clock } from './queries.js'
import { quietJobs, SILENT_LOGGER } from '../../test/support/quiet-jobs.js'

const MB = 1e6

/** A metric store of its own for a measurement. */
export interface OpenStore {
  readonly metrics: MetricStore
  /** Resolves once the loaded data has reached its final form. */
  rest(): Promise<void>
  /** Room on the disk and in the memory of the engine, in a sentence. */
  size(points: number): Promise<string>
  close(): Promise<void>
}

async function openEmbedded(folder: string, maxSeries: number): Promise<OpenStore> {
  const dataDir = join(folder, 'telemetry')
  const stores = await openDuckDbStores({
    logger: SILENT_LOGGER,
    jobs: quietJobs(),
    dataDir,
    clock,
    limits: { maxSeries }
  })
  return {
    metrics: stores.metrics,
    rest: async () => {
      await stores.client.call('sealAll', [])
      await waitUntilMerged(dataDir)
    },
    size: async points => {
      const { segments, segmentBytes } = diskUse(dataDir)
      const { resident_bytes: resident = Number.NaN } = await stores.gauges()
      return `${formatNumber(segmentBytes / points)} bytes a point in ${segments} segments; store process ${formatNumber(resident / MB)} MB`
    },
    close: () => stores.close()
  }
}

async function openInflux(folder: string, maxSeries: number): Promise<OpenStore> {
  const server = await RunningServer.start(influxdb)
  const control = await openSqliteControlStore({ file: join(folder, 'control.db') })
  const { url, org, token } = server.access
  const stores = await openInfluxStores({
    jobs: quietJobs(),
    ...{ url, org: org!, token: token!, clock, maxSeries, retentionOf: () => null },
    ...{ catalog: control.series, places: control.places, limits: { catalogRefreshMs: null } }
  })
  return {
    metrics: stores.metrics,
    rest: async () => void (await waitUntilCalm(server.pid)),
    size: () => Promise.resolve(`InfluxDB ${formatNumber(pssMb(server.pid))} MB`),
    close: async () => {
      await stores.close()
      await control.close()
      await server.stop()
    }
  }
}

/** Opens the store that `--store` names; an InfluxDB is started for it. */
export function openStore(store: BenchOptions['store'], folder: string, maxSeries: number): Promise<OpenStore> {
  return store === 'embedded' ? openEmbedded(folder, maxSeries) : openInflux(folder, maxSeries)
}
