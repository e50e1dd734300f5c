import type { FastifyRequest } from 'fastify'
import { HeaderAPIKeyStrategy } from 'passport-headerapikey'
import { Strategy as BearerStrategy } from 'passport-http-bearer'
import { isApiKeySecret } from '../access/key-verifier.js'
import type { KeyVerifier } from '../access/key-verifier.js'
import { isOriginAllowed } from '../access/origins.js'
import type { SessionPrincipal, Sessions } from '../access/sessions.js'
import { GatewayError } from '../domain/errors.js'
import type { KeyKind, KeyPrincipal } from '../domain/principal.js'
import type { Done, Passport, PresentedRequest } from './strategies.js'
import { runStrategies, createPassport, settle } from './strategies.js'

const BEARER = 'bearer'
const API_KEY = 'headerapikey'
const KEY_HEADER = 'x-api-key'

/** Dependencies of `Authenticator`. */
export interface AuthenticatorDeps {
  readonly sessions: Pick<Sessions, 'verify'>
  readonly keys: Pick<KeyVerifier, 'verify' | 'remembered' | 'isStillGood' | 'prefixOf'>
}

type Caller = SessionPrincipal | KeyPrincipal
type Headers = PresentedRequest['headers']
/** The part of a request that names its caller. */
type Presented = Pick<FastifyRequest, 'headers' | 'ip'>

/** Authenticates the caller. Throws the 401 and 403 of "Errors" in docs/conventions.md; handlers call it in their first line. */
export class Authenticator {
  readonly #passport: Passport = createPassport()
  readonly #keys: AuthenticatorDeps['keys']
  /** The principal of a request's key: routes authenticate before the body arrives and again after it. */
  readonly #found = new WeakMap<Presented, KeyPrincipal>()

  constructor({ sessions, keys }: AuthenticatorDeps) {
    this.#keys = keys
    const verify = (credential: string, ip: string): Promise<Caller> =>
      isApiKeySecret(credential) ? keys.verify(credential, ip) : sessions.verify(credential)
    const verifyBearer = ({ ip }: PresentedRequest, token: string, done: Done<Caller>): void => settle(verify(token, ip), done)
    this.#passport.use(BEARER, new BearerStrategy({ passReqToCallback: true }, verifyBearer as never))
    const verifyKey = (key: string, done: Done<KeyPrincipal>, { ip }: PresentedRequest): void =>
      settle(keys.verify(key, ip), done)
    this.#passport.use(API_KEY, new HeaderAPIKeyStrategy({ header: KEY_HEADER, prefix: '' }, true, verifyKey as never))
  }

  /** The visible prefix of the key that a request was authenticated by; null without a key. */
  keyPrefixOf(req: FastifyRequest): string | null {
    const key = this.#found.get(req)
    return key === undefined ? null : this.#keys.prefixOf(key)
  }

  /** An ingest key in `X-API-Key`. `scope_required` for a key of another kind. */
  async apiKey(req: FastifyRequest): Promise<KeyPrincipal> {
    const key = await this.#authenticate([API_KEY], req)
    if (key?.kind !== 'key') throw new GatewayError('missing_credential', 'this needs an API key of kind ingest in X-API-Key')
    return requireKind(key, ['ingest'])
  }

  /** As `apiKey`, or the key as bearer token, which exporters of OpenTelemetry can be configured to send. */
  async ingestKey(req: FastifyRequest): Promise<KeyPrincipal> {
    return this.#ingestKey(req, 'an API key of kind ingest in X-API-Key or as bearer', req.headers)
  }

  /**
   * As `ingestKey`, or the key where senders of metrics can put it: `Authorization: Token` (clients of InfluxDB), or the
   * password of `Authorization: Basic` (Pushgateway clients), whatever the user is called.
   */
  async pushKey(req: FastifyRequest): Promise<KeyPrincipal> {
    const headers = asBearer(req.headers, /^(Token|Basic) +([^\s]+) *$/i)
    const needed = 'an API key of kind ingest in X-API-Key, as bearer, as Token, or as the password of Basic'
    return this.#ingestKey(req, needed, headers)
  }

  /** A session as bearer, or a query key as bearer, in `X-API-Key`, or as the password of Basic (promtool). */
  async reader(req: Presented): Promise<Caller> {
    const headers = asBearer(req.headers, /^(Basic) +([^\s]+) *$/i)
    const caller = await this.#caller([BEARER, API_KEY], req, 'an access token as bearer, or an API key of kind query', headers)
    return caller.kind === 'user' ? caller : requireKind(caller, ['query'])
  }

  /** A session as bearer; `scope_required` for a key. */
  async session(req: FastifyRequest): Promise<SessionPrincipal> {
    const caller = await this.#caller([BEARER, API_KEY], req, 'an access token as bearer')
    if (caller.kind === 'user') return caller
    throw new GatewayError('scope_required', 'this needs a signed-in user, not an API key')
  }

  /** A RUM key (its Origin checked) or ingest key in `X-API-Key` or `?key=`, or a session; roles are the authorizer's. */
  async rumWriter(req: FastifyRequest): Promise<Caller> {
    const { key } = req.query as { key?: unknown }
    const presented = req.headers[KEY_HEADER] ?? (typeof key === 'string' ? key : undefined)
    const headers = { ...req.headers, [KEY_HEADER]: presented }
    const caller = await this.#caller([API_KEY, BEARER], req, 'an API key of kind rum in X-API-Key or ?key=', headers)
    if (caller.kind === 'user') return caller
    requireKind(caller, ['rum', 'ingest'])
    if (caller.keyKind === 'rum' && !isOriginAllowed(caller.allowedOrigins, req.headers.origin)) {
      throw new GatewayError('origin_not_allowed', 'the key is not authorized for this origin')
    }
    return caller
  }

  async #ingestKey(req: FastifyRequest, needed: string, headers: Headers): Promise<KeyPrincipal> {
    const caller = await this.#caller([API_KEY, BEARER], req, needed, headers)
    if (caller.kind === 'key') return requireKind(caller, ['ingest'])
    throw new GatewayError('scope_required', 'this needs an API key of kind ingest, not a session')
  }

  async #caller(strategies: readonly string[], req: Presented, needed: string, headers: Headers = req.headers): Promise<Caller> {
    const caller = await this.#authenticate(strategies, req, headers)
    if (caller) return caller
    if (/^bearer\s/i.test(String(headers['authorization'] ?? ''))) {
      throw new GatewayError('invalid_credential', 'the Authorization header must be Bearer and one token')
    }
    throw new GatewayError('missing_credential', `this needs ${needed}`)
  }

  async #authenticate(strategies: readonly string[], req: Presented, headers: Headers = req.headers): Promise<Caller | null> {
    const found = this.#found.get(req)
    if (found && this.#keys.isStillGood(found)) return found
    // Without the body: a bearer token in a body would be taken too.
    const caller =
      this.#remembered(strategies, headers) ?? (await runStrategies<Caller>(this.#passport, strategies, { headers, ip: req.ip }))
    if (caller?.kind === 'key') this.#found.set(req, caller)
    return caller
  }

  /** The key of the request when it was requested before: passport costs as much as parsing a log. */
  #remembered([first]: readonly string[], headers: Headers): KeyPrincipal | null {
    const key = headers[KEY_HEADER]
    return first === API_KEY && typeof key === 'string' ? this.#keys.remembered(key) : null
  }
}

function requireKind(key: KeyPrincipal, kinds: readonly KeyKind[]): KeyPrincipal {
  if (kinds.includes(key.keyKind)) return key
  throw new GatewayError(
    'scope_required',
    `this needs an API key of kind ${kinds.join(' or ')}; this one is of kind ${key.keyKind}`
  )
}

/**
 * The headers with the secret of `Token` or `Basic` as that of `Bearer`; unchanged with any other scheme, and with `X-API-Key`:
 * the other may then be meant for a proxy on the way.
 */
function asBearer(headers: Headers, schemes: RegExp): Headers {
  if (headers[KEY_HEADER] !== undefined) return headers
  const [, scheme = '', credentials = ''] = schemes.exec(String(headers['authorization'] ?? '')) ?? []
  if (scheme === '') return headers
  const secret = scheme.toLowerCase() === 'token' ? credentials : passwordOf(credentials)
  // What is not a credential of a header must not become one.
  return /^[\x21-\x7e]+$/.test(secret) ? { ...headers, authorization: `Bearer ${secret}` } : headers
}

/** The password of RFC 7617's `user:password` in base64. */
function passwordOf(credentials: string): string {
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
