import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SloBacktests } from '../../alerting/slo/slo-backtests.js'
import type { SloImport } from '../../alerting/slo/slo-import.js'
import type { SloReports } from '../../alerting/slo/slo-report.js'
import type { SloService } from '../../alerting/slo/slo-service.js'
import type { UserPrincipal } from '../../domain/principal.js'
import { typedRoutes } from '../json-schema.js'
import { sloBacktestJson, sloJson, sloReportJson } from '../read-json/slo-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import {
  BACKTEST_SLO,
  CREATE_SLO,
  DELETE_SLO,
  GET_SLO,
  GET_SLO_REPORT,
  IMPORT_SLOS,
  LIST_SLO_VERSIONS,
  LIST_SLOS,
  UPDATE_SLO
} from './slos-schemas.js'

/** Dependencies of `slosRoutes`. */
export interface SlosDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly slos: SloService
  readonly sloReports: SloReports
  readonly sloImport: SloImport
  readonly sloBacktests: SloBacktests
}

/** Bytes of a body with a file, as JSON. */
const BODY_BYTES = 1024 * 1024

function writeRoutes(app: FastifyInstance, deps: SlosDeps): void {
  const routes = typedRoutes(app)
  const { slos, sloImport, authenticator } = deps
  routes.post('/api/v1/slos', { schema: CREATE_SLO }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => sloJson(await slos.create(principal, ns, slos.parse(req.body))))
  })
  routes.put('/api/v1/slos/:id', { schema: UPDATE_SLO }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      const { version, ...slo } = req.body
      return sloJson(await slos.update(principal, ns, { id: req.params.id, version }, slos.parse(slo)))
    })
  })
  routes.delete('/api/v1/slos/:id', { schema: DELETE_SLO }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async ns => {
      await slos.remove(principal, ns, req.params.id)
      return { deleted: req.params.id }
    })
  })
  routes.post('/api/v1/slos/import', { schema: IMPORT_SLOS, bodyLimit: BODY_BYTES }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return sendRead(req, reply, deps, async (ns, signal) => {
      const { file, dry_run: isDryRun = false } = req.body
      const { slos: changes, ignored } = await sloImport.import(principal, ns, { file, isDryRun }, signal)
      return { dry_run: isDryRun, slos: changes, ignored }
    })
  })
}

function readRoutes(app: FastifyInstance, deps: SlosDeps): void {
  const routes = typedRoutes(app)
  const { slos, sloReports, sloBacktests } = deps
  routes.get('/api/v1/slos', { schema: LIST_SLOS }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => ({ slos: (await slos.list(ns)).map(sloJson) }))
  )
  routes.get('/api/v1/slos/:id', { schema: GET_SLO }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => sloJson(await slos.get(ns, req.params.id)))
  )
  routes.get('/api/v1/slos/:id/versions', { schema: LIST_SLO_VERSIONS }, async (req, reply) =>
    sendRead(req, reply, deps, async ns => ({ versions: (await slos.versions(ns, req.params.id)).map(sloJson) }))
  )
  routes.get('/api/v1/slos/:id/report', { schema: GET_SLO_REPORT }, async (req, reply) =>
    sendRead(req, reply, deps, async (ns, signal) => {
      const slo = await slos.get(ns, req.params.id)
      return sloReportJson(slo, await sloReports.report(ns, slo, signal))
    })
  )
  routes.post('/api/v1/slos/backtest', { schema: BACKTEST_SLO }, async (req, reply) =>
    sendRead(req, reply, deps, async (ns, signal) => {
      const { slo, start, end } = req.body
      return sloBacktestJson(await sloBacktests.run(ns, { slo, start, end }, signal))
    })
  )
}

/** Registers the routes of service level objectives. */
export function slosRoutes(app: FastifyInstance, deps: SlosDeps): void {
  writeRoutes(app, deps)
  readRoutes(app, deps)
}
