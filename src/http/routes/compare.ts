import type { FastifyInstance } from 'fastify'
import type { Comparisons } from '../../query/compare/comparison.js'
import { typedRoutes } from '../json-schema.js'
import { readQueryBodies } from '../read-bodies.js'
import { comparisonJson } from '../read-json/comparison-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { addScope } from '../scope.js'
import { COMPARE } from './compare-schemas.js'

/** Dependencies of `compareRoute`. */
export interface CompareDeps extends ReadAccess {
  readonly comparisons: Comparisons
}

/** `POST /api/v1/compare`. */
export function compareRoute(app: FastifyInstance, deps: CompareDeps): void {
  addScope(app, 'compare', scope => {
    readQueryBodies(scope)
    typedRoutes(scope).post('/api/v1/compare', { schema: COMPARE }, async (req, reply) =>
      sendRead(req, reply, deps, async (namespace, signal) => {
        const { signal: records = 'logs', base, other, limit } = req.body
        return comparisonJson(await deps.comparisons[records].compare(namespace, { base, other, limit }, signal))
      })
    )
  })
}
