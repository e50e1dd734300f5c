import type { EngineOf } from '../shared/engine.js'
import { type InfluxStores, openInfluxStores } from '../influxdb/influx-stores.js'
import type { InfluxServer } from '../shared/store-choice.js'
import type { EngineContext } from './engine-context.js'

const NAME = 'influxdb'

/** Opens the metric store of an InfluxDB; one that is away fails the calls, not the start. `readEntry` as in `InfluxOptions`. */
export async function openInfluxDb(
  server: InfluxServer,
  beside: EngineContext,
  readEntry?: string
): Promise<EngineOf<'metrics'> & Pick<InfluxStores, 'gaps'>> {
  const { control, directory, clock, jobs, installation, maxSeries, queryTimeoutMs } = beside
  const { dedicatedBuckets: maxDedicated, ...connection } = server
  // Without news from other instances there are none that write the shared catalogs.
  const alone = control.changes === null ? { catalogRefreshMs: null } : {}
  const stores = await openInfluxStores({
    ...connection,
    catalog: control.series,
    places: control.places,
    clock,
    jobs,
    news: control.changes,
    maxSeries,
    retentionOf: ns => directory.byId(ns)?.retention.metrics ?? null,
    nameOf: ns => directory.byId(ns)?.name ?? ns,
    poolBucket: `alidade_pool_${installation}`,
    limits: { maxDedicated, queryTimeoutMs, ...alone },
    ...(readEntry !== undefined && { readEntry })
  })
  return { name: NAME, ...stores }
}
