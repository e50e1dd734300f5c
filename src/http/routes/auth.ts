import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TokenGrant } from '../../access/sessions.js'
import type { RegisterInput } from '../../access/sign-in.js'
import { GatewayError } from '../../domain/errors.js'
import { cameThroughProxy } from '../came-through-proxy.js'
import { COOKIE_SESSION, type CookieSessions, SESSION_HEADER, type SessionCookie } from '../cookie-session.js'
import { tokensReply } from '../identity-replies.js'
import { body, EMAIL, NO_CONTENT, PASSWORD, SECRET, SESSION_ONLY, TOKENS } from '../identity-schemas.js'
import { PasswordLogin } from '../password-login.js'
import { type Schema, type Static, TEXT, typed, typedRoutes } from '../json-schema.js'
import type { IdentityDeps } from './identity-deps.js'

const CREDENTIALS = { email: EMAIL, password: PASSWORD, invitation_token: SECRET }
const AUTH = { tags: ['auth'] }
const COOKIE_HEADER = {
  type: 'string',
  description:
    'The value cookie keeps the refresh token in a cookie that scripts cannot read (HttpOnly, SameSite=Strict) instead of the body. Requires an Origin of this installation.'
}
const TOKEN_ROUTE = { ...AUTH, headers: { type: 'object', properties: { [SESSION_HEADER]: COOKIE_HEADER } } }
const REFRESH_TOKEN = { ...SECRET, description: 'Required, except in a cookie session, which must not send it.' }
const REFRESH_BODY = body([], { refresh_token: REFRESH_TOKEN })

const REGISTER = {
  ...TOKEN_ROUTE,
  operationId: 'register',
  body: body(['email', 'password'], { ...CREDENTIALS, name: { ...TEXT, maxLength: 128 } }),
  response: { 201: { ...TOKENS, description: 'Registered and signed in.' } }
}
const LOGIN = {
  ...TOKEN_ROUTE,
  operationId: 'login',
  body: body(['email', 'password'], { ...CREDENTIALS, name: { ...TEXT, maxLength: 128 } }),
  response: { 200: { ...TOKENS, description: 'Signed in.' } }
}
const REFRESH = {
  ...TOKEN_ROUTE,
  operationId: 'refreshSession',
  body: REFRESH_BODY,
  response: { 200: { ...TOKENS, description: 'New tokens.' } }
}
const LOGOUT = {
  ...TOKEN_ROUTE,
  operationId: 'logout',
  body: REFRESH_BODY,
  response: { 204: NO_CONTENT }
}
const SWITCH = {
  ...TOKEN_ROUTE,
  operationId: 'switchNamespace',
  security: SESSION_ONLY,
  body: body(['namespace_id'], { namespace_id: { ...TEXT, maxLength: 128 } }),
  response: { 200: { ...TOKENS, description: 'Tokens whose active namespace is the requested one.' } }
}
const PASSWORD_CHANGE = {
  ...AUTH,
  operationId: 'changePassword',
  security: SESSION_ONLY,
  body: body(['current_password', 'new_password'], { current_password: PASSWORD, new_password: PASSWORD }),
  response: { 204: NO_CONTENT }
}
const PASSWORD_FIELDS = { current: 'current_password', next: 'new_password' }
const JWKS = {
  ...AUTH,
  operationId: 'getJwks',
  response: {
    200: typed<object>({
      description: 'A JWK set (RFC 7517).',
      type: 'object',
      required: ['keys'],
      properties: {
        keys: { type: 'array', items: { type: 'object', required: ['kty', 'kid', 'alg'], additionalProperties: true } }
      }
    })
  }
}

type RequestWith<Body extends Schema> = FastifyRequest & { readonly body: Static<Body> }

function toRegistration(req: RequestWith<typeof REGISTER.body>): RegisterInput {
  const { email, password, name, invitation_token } = req.body
  return {
    email,
    password,
    address: req.ip,
    isThroughProxy: cameThroughProxy(req.raw),
    ...(name === undefined ? {} : { name }),
    ...(invitation_token === undefined ? {} : { invitationToken: invitation_token })
  }
}

/** The refresh token of a request: of its cookie or of its body, never of both; null without the cookie. */
function refreshTokenOf(
  req: RequestWith<typeof REFRESH_BODY>,
  cookies: CookieSessions,
  cookie: SessionCookie | null
): string | null {
  const { refresh_token: sent } = req.body
  const field = 'refresh_token'
  if (cookie === null) {
    if (sent === undefined) throw new GatewayError('missing_field', `${field} is required`, { field })
    return sent
  }
  if (sent !== undefined) throw new GatewayError('invalid_field', `a ${COOKIE_SESSION} session must not send ${field}`, { field })
  return cookies.tokenOf(req, cookie)
}

/** A cookie session may leave out the body of refresh and logout. */
async function allowNoBody(req: FastifyRequest): Promise<void> {
  if (req.body === undefined && req.headers[SESSION_HEADER] !== undefined) req.body = {}
}

/** Registers register, login, refresh, logout, switch, change of the password and the JWK set. */
export function authRoutes(app: FastifyInstance, { access, authenticator, cookies }: IdentityDeps): void {
  const routes = typedRoutes(app)
  const passwordLogin = new PasswordLogin(access.signIn)
  const sendTokens = (reply: FastifyReply, grant: TokenGrant, cookie: SessionCookie | null): FastifyReply => {
    if (cookie !== null) cookies.keep(reply, cookie, grant.refreshToken)
    return reply.header('cache-control', 'no-store').send(tokensReply(grant, cookie === null))
  }
  routes.post('/api/v1/auth/register', { schema: REGISTER }, async (req, reply) => {
    const cookie = cookies.requestedBy(req)
    const grant = await access.signIn.register(toRegistration(req))
    return sendTokens(reply.code(201), grant, cookie)
  })
  routes.post('/api/v1/auth/login', { schema: LOGIN }, async (req, reply) => {
    const cookie = cookies.requestedBy(req)
    return sendTokens(reply, await passwordLogin.grant(req), cookie)
  })
  routes.post('/api/v1/auth/refresh', { schema: REFRESH, preValidation: allowNoBody }, async (req, reply) => {
    const cookie = cookies.requestedBy(req)
    const token = refreshTokenOf(req, cookies, cookie)
    if (token === null) throw new GatewayError('missing_credential', 'the request has no cookie of a session; sign in')
    return sendTokens(reply, await access.sessions.refresh(token, req.ip, { mayRepeat: cookie !== null }), cookie)
  })
  routes.post('/api/v1/auth/logout', { schema: LOGOUT, preValidation: allowNoBody }, async (req, reply) => {
    const cookie = cookies.requestedBy(req)
    const token = refreshTokenOf(req, cookies, cookie)
    if (token !== null) await access.sessions.logout(token, req.ip)
    if (cookie !== null) cookies.forget(reply, cookie)
    return reply.code(204).send()
  })
  routes.post('/api/v1/auth/switch', { schema: SWITCH }, async (req, reply) => {
    const cookie = cookies.requestedBy(req)
    const principal = await authenticator.session(req)
    const grant = await access.sessions.switchTo(principal, req.body.namespace_id)
    return sendTokens(reply, grant, cookie)
  })
  routes.post('/api/v1/auth/password', { schema: PASSWORD_CHANGE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { current_password: currentPassword, new_password: newPassword } = req.body
    await access.passwordChange.change(principal, { currentPassword, newPassword, address: req.ip }, PASSWORD_FIELDS)
    return reply.code(204).send()
  })
  const jwks = async (): Promise<object> => access.sessions.jwks()
  routes.get('/api/v1/.well-known/jwks.json', { schema: JWKS }, jwks)
  routes.get('/.well-known/jwks.json', { schema: { ...JWKS, hide: true } }, jwks)
}
