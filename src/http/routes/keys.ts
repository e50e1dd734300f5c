import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeyView } from '../../access/views.js'
import type { NewApiKey } from '../../access/api-key-service.js'
import type { SessionPrincipal } from '../../access/sessions.js'
import { parseDurationMs } from '../../domain/duration.js'
import { GatewayError } from '../../domain/errors.js'
import { parseWrittenTimeNs } from '../../domain/timestamp.js'
import { issuedKeyReply, keyReply } from '../identity-replies.js'
import { body, ISSUED_KEY, KEY, NO_CONTENT, params, SESSION_ONLY } from '../identity-schemas.js'
import { described, list, NULLABLE_TEXT, object, optional, type Static, TEXT, typedRoutes } from '../json-schema.js'
import type { IdentityDeps } from './identity-deps.js'

const COMMON = { tags: ['keys'], security: SESSION_ONLY }
const STRINGS = list({ ...TEXT, minLength: 1, maxLength: 256 }, { maxItems: 100 })

const CREATE = {
  ...COMMON,
  operationId: 'createKey',
  body: body(['name', 'kind'], {
    name: { ...TEXT, minLength: 1, maxLength: 128 },
    kind: { type: 'string', enum: ['ingest', 'query', 'rum'] } as const,
    namespaces: {
      ...STRINGS,
      description:
        'Ids or names; the first is the default. Default: the active namespace. Empty: operators only. Kind rum: exactly one.'
    },
    allowed_origins: {
      ...STRINGS,
      description: 'Required for kind rum, invalid for other kinds; the string "null" allows requests without an origin.'
    },
    expires_at: { ...NULLABLE_TEXT, description: 'RFC 3339.' }
  }),
  response: { 201: { ...ISSUED_KEY, description: 'The key with its secret, returned once.' } }
}
const LIST = {
  ...COMMON,
  operationId: 'listKeys',
  querystring: optional({
    namespace: { type: 'string', description: 'Namespace of the caller; default the active namespace.' } as const,
    unbound: { type: 'boolean', default: false, description: 'Keys without namespaces; operators only.' } as const
  }),
  headers: { type: 'object', properties: { 'x-namespace-id': { type: 'string' } } },
  response: { 200: described('Latest first, including revoked and expired keys.', object({ keys: list(KEY) })) }
}
const ROTATE = {
  ...COMMON,
  operationId: 'rotateKey',
  params: params('id'),
  body: body([], { grace: { ...TEXT, default: '0s', maxLength: 32, description: 'A duration of at most 30d.' } }),
  response: { 200: { ...ISSUED_KEY, description: 'The key with its new secret, returned once.' } }
}
const REVOKE = {
  ...COMMON,
  operationId: 'revokeKey',
  params: params('id'),
  response: { 204: NO_CONTENT }
}

function expiry(text: string | null | undefined): { expiresAtMs?: number } {
  if (text === undefined || text === null) return {}
  const ns = parseWrittenTimeNs(text)
  if (ns === null)
    throw new GatewayError('invalid_field', 'expires_at must be an RFC 3339 time such as 2030-01-31T00:00:00Z', {
      field: 'expires_at'
    })
  return { expiresAtMs: Number(ns / 1_000_000n) }
}

function toNewKey({ name, kind, namespaces, allowed_origins, expires_at }: Static<typeof CREATE.body>): NewApiKey {
  return {
    name,
    kind,
    ...(namespaces === undefined ? {} : { namespaces }),
    ...(allowed_origins === undefined ? {} : { allowedOrigins: allowed_origins }),
    ...expiry(expires_at)
  }
}

function graceMs(grace: string | undefined): number {
  const ms = parseDurationMs(grace ?? '0s')
  if (ms === null) throw new GatewayError('invalid_field', 'grace must be a duration such as 1h', { field: 'grace' })
  return ms
}

async function listed(
  req: Pick<FastifyRequest, 'headers'> & { readonly query: Static<typeof LIST.querystring> },
  principal: SessionPrincipal,
  { access }: IdentityDeps
): Promise<readonly ApiKeyView[]> {
  const { namespace, unbound } = req.query
  if (unbound) return access.apiKeys.listUnbound(principal)
  const id = req.headers['x-namespace-id']
  const requested = { ...(namespace === undefined ? {} : { name: namespace }), ...(typeof id === 'string' ? { id } : {}) }
  const { id: found } = await access.authorizer.readNamespace(principal, requested)
  return access.apiKeys.list(principal, found)
}

/** Registers `/api/v1/keys`. */
export function keyRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  const routes = typedRoutes(app)
  const { access, authenticator } = deps
  routes.post('/api/v1/keys', { schema: CREATE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const issued = await access.apiKeys.create(principal, toNewKey(req.body))
    return reply.code(201).header('cache-control', 'no-store').send(issuedKeyReply(issued))
  })
  routes.get('/api/v1/keys', { schema: LIST }, async req => {
    const principal = await authenticator.session(req)
    return { keys: (await listed(req, principal, deps)).map(keyReply) }
  })
  routes.post('/api/v1/keys/:id/rotate', { schema: ROTATE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const issued = await access.apiKeys.rotate(principal, req.params.id, graceMs(req.body.grace))
    return reply.header('cache-control', 'no-store').send(issuedKeyReply(issued))
  })
  routes.delete('/api/v1/keys/:id', { schema: REVOKE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    await access.apiKeys.revoke(principal, req.params.id)
    return reply.code(204).send()
  })
}
