import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../domain/principal.js'
import { BodyReceiver } from './body-receiver.js'

/** Authenticates the caller, or throws the 401 or 403 of "Errors" in docs/conventions.md. */
export type Authenticate = (req: FastifyRequest) => Promise<Principal>

/**
 * Refuses callers without a credential before a byte of their body is stored and before their request is validated, and counts
 * the bodies of the others as theirs. Handlers authenticate again: a credential may be revoked while the body arrives.
 */
export function authenticateFirst(scope: FastifyInstance, authenticate: Authenticate): void {
  const receiver = BodyReceiver.of(scope)
  scope.addHook('onRequest', async req => {
    receiver.identify(req, await authenticate(req))
  })
}
