import type { FastifyRequest } from 'fastify'
import type { Namespace } from '../domain/namespace.js'
import type { Principal } from '../domain/principal.js'
import type { QueryLimits } from '../query/query-limits.js'

/** What every read route needs: who asks, where to, and how much at once. */
export interface ReadAccess {
  readonly authenticator: { reader(req: FastifyRequest): Promise<Principal> }
  readonly authorizer: {
    readNamespace(principal: Principal, asked: { readonly name?: string; readonly id?: string }): Promise<Namespace>
  }
  readonly limits: QueryLimits
}
