import { elasticsearch, type ElasticsearchRelease } from './elasticsearch.js'
import { influxdb } from './influxdb.js'
import { opensearch } from './opensearch.js'
import { postgres } from './postgres.js'
import type { ServerRecipe } from './server-plan.js'
import type { ServerName } from './variables.js'

/** Elasticsearch 8, without security. */
export const ES8: ElasticsearchRelease = { version: '8.19.16', java: 17, security: false }

export const RECIPES: Readonly<Record<ServerName, ServerRecipe>> = {
  postgres,
  es8: elasticsearch(ES8),
  es9: elasticsearch({ version: '9.2.4', java: 21, security: true }),
  opensearch,
  influx: influxdb
}
