import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKeyView } from '../../access/views.js'
import type { NewApiKey } from '../../access/api-key-service.js'
import type { SessionPrincipal } from '../../access/sessions.js'
import { parseDurationMs } from '../../domain/duration.js'
import { GatewayError } from '../../domain/errors.js'
import type { KeyKind } from '../../domain/principal.js'
import { parseWrittenTimeNs } from '../../domain/timestamp.js'
import { issuedKeyReply, keyReply } from '../identity-replies.js'
import { response, body, ISSUED_KEY, KEY, list, NO_CONTENT, params, SESSION_ONLY } from '../identity-schemas.js'
import type { IdentityDeps } from './identity-deps.js'

interface KeyBody {
  readonly name: string
  readonly kind: KeyKind
  readonly namespaces?: readonly string[]
  readonly allowed_origins?: readonly string[]
  readonly expires_at?: string | null
}

const COMMON = { tags: ['keys'], security: SESSION_ONLY }
const STRINGS = { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 256 } }

const CREATE = {
  ...COMMON,
  operationId: 'createKey',
  body: body(['name', 'kind'], {
    name: { type: 'string', minLength: 1, maxLength: 128 },
    kind: { type: 'string', enum: ['ingest', 'query', 'rum'] },
    namespaces: {
      ...STRINGS,
      description:
        'Ids or names; the first is the default. Default: the active namespace. Empty: operators only. Kind rum: exactly one.'
    },
    allowed_origins: {
      ...STRINGS,
      description: 'Required for kind rum, invalid for other kinds; the string "null" allows requests without an origin.'
    },
    expires_at: { type: ['string', 'null'], description: 'RFC 3339.' }
  }),
  response: { 201: response('The key with its secret, returned once.', ISSUED_KEY) }
}
const LIST = {
  ...COMMON,
  operationId: 'listKeys',
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      namespace: { type: 'string', description: 'Namespace of the caller; default the active namespace.' },
      unbound: { type: 'boolean', default: false, description: 'Keys without namespaces; operators only.' }
    }
  },
  headers: { type: 'object', properties: { 'x-namespace-id': { type: 'string' } } },
  response: { 200: list('Latest first, including revoked and expired keys.', 'keys', KEY) }
}
const ROTATE = {
  ...COMMON,
  operationId: 'rotateKey',
  params: params('id'),
  body: body([], { grace: { type: 'string', default: '0s', maxLength: 32, description: 'A duration of at most 30d.' } }),
  response: { 200: response('The key with its new secret, returned once.', ISSUED_KEY) }
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

function toNewKey({ name, kind, namespaces, allowed_origins, expires_at }: KeyBody): NewApiKey {
  return {
    name,
    kind,
    ...(namespaces === undefined ? {} : { namespaces }),
    ...(allowed_origins === undefined ? {} : { allowedOrigins: allowed_origins }),
    ...expiry(expires_at)
  }
}

function graceMs(requestBody: unknown): number {
  const ms = parseDurationMs((requestBody as { grace?: string } | undefined)?.grace ?? '0s')
  if (ms === null) throw new GatewayError('invalid_field', 'grace must be a duration such as 1h', { field: 'grace' })
  return ms
}

async function listed(
  req: FastifyRequest,
  principal: SessionPrincipal,
  { access }: IdentityDeps
): Promise<readonly ApiKeyView[]> {
  const { namespace, unbound } = req.query as { namespace?: string; unbound: boolean }
  if (unbound) return access.apiKeys.listUnbound(principal)
  const id = req.headers['x-namespace-id']
  const requested = { ...(namespace === undefined ? {} : { name: namespace }), ...(typeof id === 'string' ? { id } : {}) }
  const { id: found } = await access.authorizer.readNamespace(principal, requested)
  return access.apiKeys.list(principal, found)
}

/** Registers `/api/v1/keys`. */
export function keyRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  const { access, authenticator } = deps
  app.post('/api/v1/keys', { schema: CREATE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const issued = await access.apiKeys.create(principal, toNewKey(req.body as KeyBody))
    return reply.code(201).header('cache-control', 'no-store').send(issuedKeyReply(issued))
  })
  app.get('/api/v1/keys', { schema: LIST }, async req => {
    const principal = await authenticator.session(req)
    return { keys: (await listed(req, principal, deps)).map(keyReply) }
  })
  app.post('/api/v1/keys/:id/rotate', { schema: ROTATE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const issued = await access.apiKeys.rotate(principal, (req.params as { id: string }).id, graceMs(req.body))
    return reply.header('cache-control', 'no-store').send(issuedKeyReply(issued))
  })
  app.delete('/api/v1/keys/:id', { schema: REVOKE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    await access.apiKeys.revoke(principal, (req.params as { id: string }).id)
    return reply.code(204).send()
  })
}
