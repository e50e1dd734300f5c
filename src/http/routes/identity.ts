import type { FastifyInstance } from 'fastify'
import type { Access } from '../../access/access.js'
import type { Authenticator } from '../authenticate.js'

export interface IdentityDeps {
  readonly access: Access
  readonly authenticator: Authenticator
}

/** Registers auth, keys, namespaces, members, invitations, audit and usage under `/api/v1`, and the JWK set. */
export function identityRoutes(_app: FastifyInstance, _deps: IdentityDeps): void {
  throw new Error('unbuilt')
}
