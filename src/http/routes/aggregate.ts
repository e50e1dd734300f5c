import type { FastifyInstance } from 'fastify'
import type { Aggregations } from '../../query/aggregate/aggregation.js'
import { typedRoutes } from '../json-schema.js'
import { readQueryBodies } from '../read-bodies.js'
import { aggregateJson } from '../read-json/aggregate-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { addScope } from '../scope.js'
import { AGGREGATE } from './aggregate-schemas.js'

/** Dependencies of `aggregateRoute`. */
export interface AggregateDeps extends ReadAccess {
  readonly aggregations: Aggregations
}

/** `POST /api/v1/aggregate`. */
export function aggregateRoute(app: FastifyInstance, deps: AggregateDeps): void {
  addScope(app, 'aggregate', scope => {
    readQueryBodies(scope)
    typedRoutes(scope).post('/api/v1/aggregate', { schema: AGGREGATE }, async (req, reply) =>
      sendRead(req, reply, deps, async (namespace, signal) => {
        const { signal: records = 'logs', group_by, order_by, include_other, ...query } = req.body
        const requested = { ...query, groupBy: group_by, orderBy: order_by, includeOther: include_other }
        return aggregateJson(await deps.aggregations[records].aggregate(namespace, requested, signal))
      })
    )
  })
}
