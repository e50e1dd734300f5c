import type { Namespace } from '../domain/namespace.js'
import type { UserPrincipal } from '../domain/principal.js'
import type { Role } from '../domain/role.js'
import type { UserView } from './views.js'

/** A signed-in user together with the session (the family of refresh tokens) that the token belongs to. */
export interface SessionPrincipal extends UserPrincipal {
  readonly sessionId: string
}

/** What register, login, refresh and switch answer. */
export interface TokenGrant {
  readonly accessToken: string
  readonly expiresInS: number
  readonly refreshToken: string
  readonly user: UserView
  readonly namespace: Namespace
  readonly role: Role
}

export interface LoginInput {
  readonly email: string
  readonly password: string
  readonly invitationToken?: string
  /** Address of the client, for the throttle. */
  readonly address: string
}

export interface RegisterInput extends LoginInput {
  readonly name?: string
}

/** Registers and signs in users, and knows who an access token speaks for. */
export class Sessions {
  /** Makes a user with a personal namespace. `conflict` when the address is taken, `role_required` when registration is closed. */
  register(_input: RegisterInput): Promise<TokenGrant> {
    throw new Error('unbuilt')
  }

  /** `invalid_credential` alike for an unknown address and a wrong password; `rate_limited` beyond 5 a minute per account and address. */
  login(_input: LoginInput): Promise<TokenGrant> {
    throw new Error('unbuilt')
  }

  /** Exchanges a refresh token, once; a second use ends the whole session. */
  refresh(_refreshToken: string): Promise<TokenGrant> {
    throw new Error('unbuilt')
  }

  /** Ends the session of this refresh token; an unknown token is no error. */
  logout(_refreshToken: string): Promise<void> {
    throw new Error('unbuilt')
  }

  /** A token for another namespace of the user. `namespace_not_allowed` unless a member. */
  switchTo(_principal: SessionPrincipal, _namespaceId: string): Promise<TokenGrant> {
    throw new Error('unbuilt')
  }

  /** Who an access token speaks for. `invalid_credential` or `expired_credential`. */
  verify(_accessToken: string): Promise<SessionPrincipal> {
    throw new Error('unbuilt')
  }

  /** The public keys of access tokens, as a JWK set. */
  jwks(): Promise<{ readonly keys: readonly Readonly<Record<string, unknown>>[] }> {
    throw new Error('unbuilt')
  }
}
