import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MeasureService } from '../../alerting/measures/measure-service.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { typedRoutes } from '../json-schema.js'
import { measureJson } from '../read-json/measure-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { BACKFILL_MEASURE, CREATE_MEASURE, DELETE_MEASURE, LIST_MEASURES } from './measures-schemas.js'

/** Dependencies of `measuresRoutes`. */
export interface MeasuresDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly measures: MeasureService
}

/** Registers the routes of saved measures. */
export function measuresRoutes(app: FastifyInstance, deps: MeasuresDeps): void {
  const routes = typedRoutes(app)
  const { measures, authenticator } = deps
  routes.get('/api/v1/measures', { schema: LIST_MEASURES }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => ({ measures: (await measures.list(ns)).map(measureJson) }))
  )
  routes.post('/api/v1/measures', { schema: CREATE_MEASURE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      const { group_by: groupBy, ...measure } = req.body
      return measureJson(await measures.create(principal, ns, { ...measure, groupBy }))
    })
  })
  routes.delete('/api/v1/measures/:name', { schema: DELETE_MEASURE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      await measures.remove(principal, ns, req.params.name)
      return { deleted: req.params.name }
    })
  })
  routes.post('/api/v1/measures/:name/backfill', { schema: BACKFILL_MEASURE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => measureJson(await measures.backfill(principal, ns, req.params.name, req.body)))
  })
}
