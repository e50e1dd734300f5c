import type { FastifyInstance } from 'fastify'
import { authenticateFirst } from '../authenticate-first.js'
import { auditRoutes } from './audit.js'
import { authRoutes } from './auth.js'
import type { IdentityDeps } from './identity-deps.js'
import { keyRoutes } from './keys.js'
import { logRuleRoutes } from './log-rules.js'
import { memberRoutes } from './members.js'
import { namespaceRoutes } from './namespaces.js'
import { addScope } from '../scope.js'

/** Registers auth, keys, namespaces, members, invitations, audit and usage under `/api/v1`, and the JWK set. */
export function identityRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  authRoutes(app, deps)
  auditRoutes(app, deps)
  addScope(app, 'identity', scope => {
    authenticateFirst(scope, req => deps.authenticator.session(req))
    namespaceRoutes(scope, deps)
    logRuleRoutes(scope, deps)
    memberRoutes(scope, deps)
    keyRoutes(scope, deps)
  })
}
