import { elasticsearch } from './elasticsearch.js'
import { influxdb } from './influxdb.js'
import { opensearch } from './opensearch.js'
import { postgres } from './postgres.js'
import type { ServerRecipe } from './server-plan.js'
import type { ServerName } from './variables.js'

export const RECIPES: Readonly<Record<ServerName, ServerRecipe>> = {
  postgres,
  es8: elasticsearch({ version: '8.19.16', java: 17, security: false }),
  es9: elasticsearch({ version: '9.2.4', java: 21, security: true }),
  opensearch,
  influx: influxdb
}
