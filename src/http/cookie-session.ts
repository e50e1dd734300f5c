import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFRESH_LIFETIME_MS } from '../access/sessions.js'
import { GatewayError } from '../domain/errors.js'
import { OwnOrigins, parseOrigin } from './own-origin.js'

/** The header by which a client requests a refresh token that scripts cannot read. Other origins cannot send it. */
export const SESSION_HEADER = 'x-alidade-session'
/** Its only value. */
export const COOKIE_SESSION = 'cookie'

/** The cookie of a client's refresh token. */
export interface SessionCookie {
  readonly name: string
  readonly isSecure: boolean
}

const NAME = 'alidade_refresh'
const SECURE_PREFIX = '__Secure-'
const AUTH_PATH = 'api/v1/auth'
const LIFETIME_S = REFRESH_LIFETIME_MS / 1000
/** Cookies of a `Cookie` header that are read; browsers keep 180 of a site. */
const MAX_COOKIES = 256

/**
 * Refresh tokens in cookies, for browsers. A cookie counts only together with `X-Alidade-Session: cookie` and an `Origin`
 * of this installation: the public URL, or the host that the request names.
 */
export class CookieSessions {
  readonly #origins: OwnOrigins
  readonly #path: string

  /** `basePath` is the path of the public URL, between slashes. */
  constructor(publicUrl: string | null, basePath: string) {
    this.#origins = new OwnOrigins(publicUrl)
    this.#path = `${basePath}${AUTH_PATH}`
  }

  /**
   * The cookie that a request selects, null for a client that keeps its refresh token itself. `invalid_field` for another
   * value of the header, `origin_not_allowed` for a page of another origin or a request without `Origin`.
   */
  requestedBy(request: FastifyRequest): SessionCookie | null {
    const requested = request.headers[SESSION_HEADER]
    if (requested === undefined) return null
    if (requested !== COOKIE_SESSION) throw new GatewayError('invalid_field', `X-Alidade-Session must be ${COOKIE_SESSION}`)
    const origin = parseOrigin(request.headers.origin)
    if (origin === null || !this.#origins.has(origin, request.host)) {
      const detail = 'cookie sessions are only for pages of this installation: Origin must be that of public_url or Host'
      throw new GatewayError('origin_not_allowed', detail)
    }
    const isSecure = origin.protocol === 'https:'
    return { name: isSecure ? SECURE_PREFIX + NAME : NAME, isSecure }
  }

  /** The token in the cookie, null without one. `invalid_credential` when several cookies have its name. */
  tokenOf(request: FastifyRequest, { name }: SessionCookie): string | null {
    const cookies = (request.headers.cookie ?? '').split(';', MAX_COOKIES).map(cookie => cookie.trim())
    const values = cookies.filter(cookie => cookie.startsWith(`${name}=`)).map(cookie => cookie.slice(name.length + 1))
    // A page of a sibling domain can add a cookie of the same name: which one is ours is not known.
    if (values.length > 1) throw new GatewayError('invalid_credential', `${values.length} cookies are named ${name} (1 expected)`)
    return values[0] || null
  }

  /** Has the browser keep the token. */
  keep(reply: FastifyReply, cookie: SessionCookie, refreshToken: string): void {
    this.#set(reply, cookie, refreshToken, LIFETIME_S)
  }

  /** Has the browser forget it. */
  forget(reply: FastifyReply, cookie: SessionCookie): void {
    this.#set(reply, cookie, '', 0)
  }

  #set(reply: FastifyReply, { name, isSecure }: SessionCookie, value: string, maxAgeS: number): void {
    const attributes = [
      `Path=${this.#path}`,
      `Max-Age=${maxAgeS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(isSecure ? ['Secure'] : [])
    ]
    void reply.header('set-cookie', [`${name}=${value}`, ...attributes].join('; '))
  }
}
