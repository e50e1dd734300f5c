import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noView, type SavedViewService } from '../../access/saved-view-service.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { typedRoutes } from '../json-schema.js'
import { placeJson } from '../read-json/facts-json.js'
import { viewJson } from '../read-json/view-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { CREATE_VIEW, DELETE_VIEW, GET_VIEW, LIST_VIEWS, REPLACE_VIEW } from './views-schemas.js'

/** Dependencies of `viewsRoutes`. */
export interface ViewsDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly savedViews: SavedViewService
}

function readRoutes(app: FastifyInstance, deps: ViewsDeps): void {
  const routes = typedRoutes(app)
  const { savedViews } = deps
  routes.get('/api/v1/views', { schema: LIST_VIEWS }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => {
      const { signal, limit, cursor: after } = req.query
      const page = await savedViews.page(ns, { signal, limit, after })
      return { views: page.views.map(viewJson), page: placeJson(page) }
    })
  )
  routes.get('/api/v1/views/:id', { schema: GET_VIEW }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => {
      const view = await savedViews.get(ns, req.params.id)
      if (view === null) throw noView()
      return viewJson(view)
    })
  )
}

function writeRoutes(app: FastifyInstance, deps: ViewsDeps): void {
  const routes = typedRoutes(app)
  const { savedViews, authenticator } = deps
  routes.post('/api/v1/views', { schema: CREATE_VIEW }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      const { name, signal, state } = req.body
      return viewJson(await savedViews.save(principal, ns, { name: name ?? undefined, signal, state }))
    })
  })
  routes.put('/api/v1/views/:id', { schema: REPLACE_VIEW }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      const { name, signal, state } = req.body
      return viewJson(await savedViews.save(principal, ns, { id: req.params.id, name: name ?? undefined, signal, state }))
    })
  })
  routes.delete('/api/v1/views/:id', { schema: DELETE_VIEW }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      await savedViews.remove(principal, ns, req.params.id)
      return { deleted: req.params.id }
    })
  })
}

/** Registers the routes of saved views. */
export function viewsRoutes(app: FastifyInstance, deps: ViewsDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
}
