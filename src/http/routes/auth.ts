import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegisterInput } from '../../access/sign-in.js'
import { cameThroughProxy } from '../came-through-proxy.js'
import { tokensReply } from '../identity-replies.js'
import { answer, body, EMAIL, NO_CONTENT, PASSWORD, SECRET, SESSION_ONLY, TOKENS } from '../identity-schemas.js'
import { PasswordLogin } from '../password-login.js'
import type { IdentityDeps } from './identity-deps.js'

interface PasswordBody {
  readonly current_password: string
  readonly new_password: string
}

interface RegisterBody {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly invitation_token?: string
}

const CREDENTIALS = { email: EMAIL, password: PASSWORD, invitation_token: SECRET }
const AUTH = { tags: ['auth'] }
const REFRESH_BODY = body(['refresh_token'], { refresh_token: SECRET })

const REGISTER = {
  ...AUTH,
  operationId: 'register',
  body: body(['email', 'password'], { ...CREDENTIALS, name: { type: 'string', maxLength: 128 } }),
  response: { 201: answer('Registered and signed in.', TOKENS) }
}
const LOGIN = {
  ...AUTH,
  operationId: 'login',
  body: body(['email', 'password'], { ...CREDENTIALS, name: { type: 'string', maxLength: 128 } }),
  response: { 200: answer('Signed in.', TOKENS) }
}
const REFRESH = {
  ...AUTH,
  operationId: 'refreshSession',
  body: REFRESH_BODY,
  response: { 200: answer('New tokens.', TOKENS) }
}
const LOGOUT = {
  ...AUTH,
  operationId: 'logout',
  body: REFRESH_BODY,
  response: { 204: NO_CONTENT }
}
const SWITCH = {
  ...AUTH,
  operationId: 'switchNamespace',
  security: SESSION_ONLY,
  body: body(['namespace_id'], { namespace_id: { type: 'string', maxLength: 128 } }),
  response: { 200: answer('Tokens whose active namespace is the asked one.', TOKENS) }
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
    200: {
      description: 'A JWK set (RFC 7517).',
      type: 'object',
      required: ['keys'],
      properties: {
        keys: { type: 'array', items: { type: 'object', required: ['kty', 'kid', 'alg'], additionalProperties: true } }
      }
    }
  }
}

function toRegistration(req: FastifyRequest): RegisterInput {
  const { email, password, name, invitation_token } = req.body as RegisterBody
  return {
    email,
    password,
    address: req.ip,
    isThroughProxy: cameThroughProxy(req.raw),
    ...(name === undefined ? {} : { name }),
    ...(invitation_token === undefined ? {} : { invitationToken: invitation_token })
  }
}

/** Registers register, login, refresh, logout, switch, change of the password and the JWK set. */
export function authRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const passwordLogin = new PasswordLogin(access.signIn)
  app.post('/api/v1/auth/register', { schema: REGISTER }, async (req, reply) => {
    const grant = await access.signIn.register(toRegistration(req))
    return reply.code(201).header('cache-control', 'no-store').send(tokensReply(grant))
  })
  app.post('/api/v1/auth/login', { schema: LOGIN }, async (req, reply) => {
    const grant = await passwordLogin.grant(req)
    return reply.header('cache-control', 'no-store').send(tokensReply(grant))
  })
  app.post('/api/v1/auth/refresh', { schema: REFRESH }, async (req, reply) => {
    const grant = await access.sessions.refresh((req.body as { refresh_token: string }).refresh_token, req.ip)
    return reply.header('cache-control', 'no-store').send(tokensReply(grant))
  })
  app.post('/api/v1/auth/logout', { schema: LOGOUT }, async (req, reply) => {
    await access.sessions.logout((req.body as { refresh_token: string }).refresh_token, req.ip)
    return reply.code(204).send()
  })
  app.post('/api/v1/auth/switch', { schema: SWITCH }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const grant = await access.sessions.switchTo(principal, (req.body as { namespace_id: string }).namespace_id)
    return reply.header('cache-control', 'no-store').send(tokensReply(grant))
  })
  app.post('/api/v1/auth/password', { schema: PASSWORD_CHANGE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const { current_password: currentPassword, new_password: newPassword } = req.body as PasswordBody
    await access.passwordChange.change(principal, { currentPassword, newPassword, address: req.ip }, PASSWORD_FIELDS)
    return reply.code(204).send()
  })
  const jwks = async (): Promise<object> => access.sessions.jwks()
  app.get('/api/v1/.well-known/jwks.json', { schema: JWKS }, jwks)
  app.get('/.well-known/jwks.json', { schema: { ...JWKS, hide: true } }, jwks)
}
