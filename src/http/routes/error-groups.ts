import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorGroupService } from '../../access/error-group-service.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import type { ErrorGroupResult } from '../../query/error-result.js'
import type { ErrorReport } from '../../query/error-report.js'
import { errorGroupResultJson, errorGroupJson } from '../read-json/event-json.js'
import { factsJson } from '../read-json/facts-json.js'
import { typedRoutes } from '../json-schema.js'
import { sendRead, type ReadAccess } from '../reader.js'
import { ERROR_GROUP, ERROR_GROUP_STATE } from './error-groups-schemas.js'

/** Dependencies of `errorGroupsRoutes`. */
export interface ErrorGroupsDeps extends ReadAccess {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly errorReport: ErrorReport
  readonly errorGroups: ErrorGroupService
}

function notFound(): GatewayError {
  return new GatewayError('not_found', 'no error group has this fingerprint in the window')
}

async function groupOf(
  deps: ErrorGroupsDeps,
  namespace: Namespace,
  requested: {
    readonly fingerprint: string
    readonly start?: unknown
    readonly end?: unknown
    readonly buckets?: number | undefined
  },
  signal: AbortSignal
): Promise<ErrorGroupResult> {
  const { fingerprint, ...query } = requested
  const response = await deps.errorReport.group(namespace, fingerprint, query, signal)
  if (!response) throw notFound()
  return response
}

/** One group of errors, and what people decide about it. */
export function errorGroupsRoutes(app: FastifyInstance, deps: ErrorGroupsDeps): void {
  const routes = typedRoutes(app)
  routes.get('/api/v1/apm/errors/:fingerprint', { schema: ERROR_GROUP }, async (req, reply) =>
    sendRead(req, reply, deps, async (namespace, signal) => {
      const response = await groupOf(deps, namespace, { ...req.query, ...req.params }, signal)
      return { ...errorGroupResultJson(response, namespace.name), ...factsJson(response) }
    })
  )
  routes.put('/api/v1/apm/errors/:fingerprint/state', { schema: ERROR_GROUP_STATE }, async (req, reply) => {
    const principal = await deps.authenticator.session(req)
    return sendRead(req, reply, deps, async (namespace, signal) => {
      const { fingerprint } = req.params
      await deps.errorGroups.decide(principal, namespace, fingerprint, req.body.state, async () =>
        groupOf(deps, namespace, { fingerprint }, signal)
      )
      return { group: errorGroupJson((await groupOf(deps, namespace, { fingerprint }, signal)).group) }
    })
  })
}
