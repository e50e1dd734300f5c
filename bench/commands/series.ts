import { loadavg } from 'node:os'
import type { NamespaceId } from '../../src/domain/ids.js'
import type { BenchOptions } from '../options.js'
import { formatNumber, type Report } from '../report.js'
import { loadSeries, SCRAPE_S, type Shape } from '../series/points.js'
import { measureSeriesQueries } from '../series/queries.js'
import { openStore } from '../series/stores.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

const NS = 'benchseries0' as NamespaceId
const MB = 1e6

async function measureIn(folder: string, options: BenchOptions): Promise<Report> {
  const { series, rows: points, repeats } = options
  const shape: Shape = {
    series,
    scrapes: Math.max(2, Math.round(points / series)),
    endS: Math.floor(Date.now() / 1_000 / SCRAPE_S) * SCRAPE_S
  }
  const store = await openStore(options.store, folder, 2 * series)
  try {
    const { metrics } = store
    const rate = await loadSeries(metrics, NS, shape)
    await store.rest()
    const rows = await measureSeriesQueries({ metrics, ns: NS, endS: shape.endS }, repeats)
    const notes = [
      `loaded ${formatNumber(rate)} points/s through the store's port`,
      `${await store.size(series * shape.scrapes)}, this process with its threads ${formatNumber(process.memoryUsage.rss() / MB)} MB`,
      `load of the machine: ${loadavg().map(formatNumber).join(' ')}`
    ]
    const title = `Series: ${series.toLocaleString('en-US')} x ${shape.scrapes} points at ${SCRAPE_S} s, at the ports (${options.store})`
    return { title, rows, notes }
  } finally {
    await store.close()
  }
}

/** Label values and PromQL over many series. */
export function measureSeries(options: BenchOptions): Promise<Report> {
  if (options.dataDir !== null) return measureIn(options.dataDir, options)
  return withTemporaryFolder('alidade-bench', folder => measureIn(folder, options))
}
