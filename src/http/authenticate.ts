import type { FastifyRequest } from 'fastify'
import type { KeyVerifier } from '../access/access.js'
import type { SessionPrincipal, Sessions, TokenGrant } from '../access/sessions.js'
import type { KeyPrincipal } from '../domain/principal.js'

/** Tells who asks. Throws the 401 and 403 of conventions section 3; handlers call it in their first line. */
export class Authenticator {
  constructor(_deps: { readonly sessions: Sessions; readonly keys: KeyVerifier }) {}

  /** An ingest key in `X-API-Key`. `scope_required` for a key of another kind. */
  apiKey(_req: FastifyRequest): Promise<KeyPrincipal> {
    throw new Error('unbuilt')
  }

  /** A session as bearer, or a query key as bearer or in `X-API-Key`. */
  reader(_req: FastifyRequest): Promise<SessionPrincipal | KeyPrincipal> {
    throw new Error('unbuilt')
  }

  /** A session as bearer; `scope_required` for a key. */
  session(_req: FastifyRequest): Promise<SessionPrincipal> {
    throw new Error('unbuilt')
  }

  /** A RUM key (its Origin checked) or ingest key in `X-API-Key` or `?key=`, or a session; roles are the authorizer's. */
  rumWriter(_req: FastifyRequest): Promise<SessionPrincipal | KeyPrincipal> {
    throw new Error('unbuilt')
  }

  /** Signs in by `email` and `password` of the body. */
  login(_req: FastifyRequest): Promise<TokenGrant> {
    throw new Error('unbuilt')
  }
}
