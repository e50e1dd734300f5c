import type { Stores } from '../../src/ports/stores.js'
import type { InfluxLimits } from '../../src/stores/influxdb/limits.js'
import { cardinalityContract } from '../contract/metric-store.cardinality.contract.js'
import { metricStoreContract } from '../contract/metric-store.contract.js'
import { histogramsContract } from '../contract/metric-store.histograms.contract.js'
import { overflowContract } from '../contract/metric-store.overflow.contract.js'
import { windowsContract } from '../contract/metric-store.windows.contract.js'
import type { OpenStores } from '../contract/store-under-test.js'
import { type InfluxChoices, openInfluxSite } from '../support/influx-fixture.js'
import { describeOn } from '../support/servers.js'
import type { ServerAccess } from '../servers/variables.js'

/** The suite looks at nothing but metrics. */
function openOn(access: ServerAccess, limits: Partial<InfluxLimits>, choices: InfluxChoices = {}): OpenStores {
  return async () => {
    const site = await openInfluxSite(access)
    const { metrics } = await site.open({ ...choices, limits })
    return { stores: { metrics } as Stores, close: () => site.close() }
  }
}

describeOn('influx', 'InfluxDB', access => {
  metricStoreContract('a bucket per namespace', openOn(access, {}))
  histogramsContract('a bucket per namespace', openOn(access, {}))
  metricStoreContract('all namespaces in a pool', openOn(access, { maxDedicated: 0 }))
  histogramsContract('all namespaces in a pool', openOn(access, { maxDedicated: 0 }))
  windowsContract('a bucket per namespace', openOn(access, {}), 300)
  windowsContract('all namespaces in a pool', openOn(access, { maxDedicated: 0 }), 50)
  cardinalityContract('a bucket per namespace', openOn(access, {}))
  overflowContract('a bucket per namespace', maxSeries => openOn(access, {}, { maxSeries }))
  metricStoreContract('catalogs that others write to', openOn(access, { maxDedicated: 2, catalogRefreshMs: 0 }))
  histogramsContract('catalogs that others write to', openOn(access, { maxDedicated: 2, catalogRefreshMs: 0 }))
  metricStoreContract('small requests', openOn(access, { requestPoints: 400, requestBytes: 8_192 }))
  histogramsContract('small requests', openOn(access, { requestPoints: 400, requestBytes: 8_192 }))
})
