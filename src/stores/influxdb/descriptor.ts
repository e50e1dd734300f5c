import { serverUrl } from '../../settings/server-urls.js'
import { secret, setting, type SettingValues } from '../../settings/setting.js'
import { integer, text } from '../../settings/value-types.js'
import type { Contradiction, EngineDescriptor } from '../shared/engine-descriptor.js'

const NAME = 'influxdb'

const SETTINGS = {
  influxdb_url: setting(serverUrl, null, 'InfluxDB 2 server'),
  influxdb_org: setting(text, null, 'organization that owns the buckets'),
  influxdb_token: secret('token that can create, read, write and delete buckets of the organization'),
  influxdb_buckets: setting(integer(0, 1_000), 20, 'limit of namespaces with their own bucket; further namespaces share one')
}

function contradictions(values: SettingValues<typeof SETTINGS>): readonly Contradiction[] {
  const { influxdbUrl: url, influxdbOrg: org, influxdbToken: token } = values
  return [
    [url !== null && org === null, 'influxdb_url is set, but influxdb_org is missing'],
    [url !== null && token === null, 'influxdb_url is set, but influxdb_token is missing'],
    [url === null && (org !== null || token !== null), 'influxdb_org or influxdb_token is set, but influxdb_url is missing']
  ]
}

/** InfluxDB 2: metrics. */
export const influxDb: EngineDescriptor<typeof SETTINGS> = {
  name: NAME,
  title: 'InfluxDB',
  signals: ['metrics'],
  backup: 'back it up with influx backup',
  settings: SETTINGS,
  address: 'influxdb_url',
  isConfigured: ({ influxdbUrl }) => influxdbUrl !== null,
  contradictions,
  configure: values => {
    const server = { url: values.influxdbUrl!, org: values.influxdbOrg!, token: values.influxdbToken! }
    return {
      open: async ({ control, directory, clock, jobs, installation, maxSeries, queryTimeoutMs }) => {
        const { openInfluxStores } = await import('./influx-stores.js')
        // Without notifications no other instance writes the shared catalogs.
        const alone = control.changes === null ? { catalogRefreshMs: null } : {}
        const stores = await openInfluxStores({
          ...server,
          catalog: control.series,
          places: control.places,
          clock,
          jobs,
          news: control.changes,
          maxSeries,
          retentionOf: ns => directory.byId(ns)?.retention.metrics ?? null,
          nameOf: ns => directory.byId(ns)?.name ?? ns,
          poolBucket: `alidade_pool_${installation}`,
          limits: { maxDedicated: values.influxdbBuckets, queryTimeoutMs, ...alone }
        })
        return { name: NAME, ...stores }
      },
      examine: async clock => {
        const { examineInflux } = await import('./examine-influx.js')
        return examineInflux(server, clock)
      }
    }
  }
}
