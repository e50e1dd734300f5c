import type { Config } from '../config/config.js'
import type { StoreChoice } from '../stores/shared/store-choice.js'

function elasticsearch(config: Config): StoreChoice['elasticsearch'] {
  if (config.elasticsearchUrl === null && config.elasticsearchCloudId === null) return null
  return {
    urls: config.elasticsearchUrl,
    cloudId: config.elasticsearchCloudId,
    username: config.elasticsearchUsername,
    password: config.elasticsearchPassword,
    apiKey: config.elasticsearchApiKey,
    ca: config.elasticsearchCa
  }
}

function influxdb(config: Config): StoreChoice['influxdb'] {
  const { influxdbUrl: url, influxdbOrg: org, influxdbToken: token, influxdbBuckets: dedicatedBuckets } = config
  return url === null || org === null || token === null ? null : { url, org, token, dedicatedBuckets }
}

/** Where each kind of data lies, as the settings have it. */
export function storeChoice(config: Config): StoreChoice {
  return {
    logs: config.logsStore,
    events: config.eventsStore,
    metrics: config.metricsStore,
    traces: config.tracesStore,
    elasticsearch: elasticsearch(config),
    elasticsearchReplicas: config.elasticsearchReplicas ?? 'auto',
    influxdb: influxdb(config),
    databaseUrl: config.databaseUrl,
    spoolBytes: config.spoolSize
  }
}
