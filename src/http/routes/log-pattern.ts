import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PatternService } from '../../access/pattern-service.js'
import { GatewayError } from '../../domain/errors.js'
import type { Namespace } from '../../domain/namespace.js'
import type { UserPrincipal } from '../../domain/principal.js'
import type { OnePattern } from '../../query/patterns/pattern-list.js'
import { typedRoutes } from '../json-schema.js'
import { factsJson } from '../read-json/facts-json.js'
import { patternJson, variablesJson } from '../read-json/pattern-json.js'
import { type ReadAccess, sendRead } from '../reader.js'
import { checkDetails, factsOf, type LogPatternsDeps, type RequestedDetails } from './log-patterns.js'
import { ONE_PATTERN, UPDATE_PATTERN } from './log-patterns-schemas.js'

/** Dependencies of `logPatternRoutes`. */
export interface LogPatternDeps extends LogPatternsDeps {
  readonly authenticator: ReadAccess['authenticator'] & { session(req: FastifyRequest): Promise<UserPrincipal> }
  readonly patterns: PatternService
}

/** One pattern of logs, and what people decide about it. */
export function logPatternRoutes(app: FastifyInstance, deps: LogPatternDeps): void {
  oneRoute(app, deps)
  updateRoute(app, deps)
}

/** The response about one pattern. */
async function oneReply(one: OnePattern | null, namespace: Namespace, { buckets, variables: values }: RequestedDetails) {
  if (one === null) throw new GatewayError('not_found', 'no pattern of this namespace has this id', { field: 'id' })
  const [detail, variables] = await Promise.all([one.detail({ buckets }), values === undefined ? null : one.variables(values)])
  return {
    pattern: { ...patternJson(one.pattern, detail, namespace.name), ...(variables && variablesJson(variables)) },
    ...factsJson(factsOf(one.facts, variables ? [detail, variables] : [detail]))
  }
}

/** `GET /api/v1/logs/patterns/{pattern_id}`. */
function oneRoute(app: FastifyInstance, { patternList, ...access }: LogPatternDeps): void {
  typedRoutes(app).get('/api/v1/logs/patterns/:pattern_id', { schema: ONE_PATTERN }, async (req, reply) =>
    sendRead(req, reply, access, async (namespace, signal) => {
      checkDetails(req.query)
      return oneReply(await patternList.get(namespace, req.params.pattern_id, signal), namespace, req.query)
    })
  )
}

/** `PATCH /api/v1/logs/patterns/{pattern_id}`. */
function updateRoute(app: FastifyInstance, { patternList, patterns, ...access }: LogPatternDeps): void {
  typedRoutes(app).patch('/api/v1/logs/patterns/:pattern_id', { schema: UPDATE_PATTERN }, async (req, reply) => {
    const principal = await access.authenticator.session(req)
    return sendRead(req, reply, access, async (namespace, signal) => {
      const { pattern_id: id } = req.params
      await patterns.decide(principal, namespace, id, req.body)
      patternList.forget(namespace)
      return oneReply(await patternList.get(namespace, id, signal), namespace, {})
    })
  })
}
