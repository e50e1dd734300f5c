import type { Clock } from '../ports/clock.js'
import type { ControlStore } from '../ports/control-store.js'
import type { NamespaceDirectory } from '../ports/namespace-directory.js'
import type { EngineOf } from './engine.js'
import { openInfluxStores } from './influxdb/influx-stores.js'
import type { InfluxServer } from './store-choice.js'

const NAME = 'influxdb'

/** What an engine that others may share is opened beside. */
export interface Surroundings {
  readonly control: ControlStore
  readonly directory: NamespaceDirectory
  readonly clock: Clock
  /** `[a-z0-9]+`, different for every control database: installations may share an engine. */
  readonly installation: string
}

/** Opens the metric store of an InfluxDB; one that is away fails the calls, not the start. */
export async function openInfluxDb(
  server: InfluxServer,
  { control, directory, clock, installation }: Surroundings,
  maxSeries: number
): Promise<EngineOf<'metrics'>> {
  const stores = await openInfluxStores({
    ...server,
    catalog: control.series,
    places: control.places,
    clock,
    maxSeries,
    retentionOf: ns => directory.byId(ns)?.retention.metrics ?? null,
    poolBucket: `alidade_pool_${installation}`,
    // Without news from other instances there are none that write the shared catalogs.
    ...(control.changes === null ? { limits: { catalogRefreshMs: null } } : {})
  })
  return { name: NAME, ...stores }
}
