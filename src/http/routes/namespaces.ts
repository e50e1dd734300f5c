import type { FastifyInstance } from 'fastify'
import type { NamespaceView } from '../../access/views.js'
import type { NamespaceService, NewNamespace, RetentionInput } from '../../access/namespace-service.js'
import { namespaceReply, sizedNamespacesReply } from '../identity-replies.js'
import type { UserPrincipal } from '../../domain/principal.js'
import type { SubstringSearch } from '../../domain/storage-plan.js'
import {
  response,
  body,
  list,
  NAMESPACE,
  params,
  RETENTION_INPUT,
  SESSION_ONLY,
  STORAGE_CHANGE,
  STORAGE_INPUT
} from '../identity-schemas.js'
import type { IdentityDeps } from './identity-deps.js'

interface ById {
  readonly id: string
}

const COMMON = { tags: ['namespaces'], security: SESSION_ONLY }
const NAME = { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }

const SIZES_MISSING = {
  type: 'array',
  items: { type: 'string' },
  description:
    "Only in the operator's list: stores that the sizes do not include, because they are unavailable or do not report sizes."
}

const LIST = {
  ...COMMON,
  operationId: 'listNamespaces',
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      all: { type: 'boolean', default: false, description: 'All namespaces with their sizes; operators only.' }
    }
  },
  response: { 200: list('Namespaces that are not deleted, by name.', 'namespaces', NAMESPACE, { sizes_missing: SIZES_MISSING }) }
}
const CREATE = {
  ...COMMON,
  operationId: 'createNamespace',
  body: body(['name'], { name: NAME, retention: RETENTION_INPUT, storage: STORAGE_INPUT }),
  response: { 201: response('Made.', NAMESPACE) }
}
const GET = {
  ...COMMON,
  operationId: 'getNamespace',
  params: params('id'),
  response: { 200: response('The namespace.', NAMESPACE) }
}
const PATCH = {
  ...COMMON,
  operationId: 'changeNamespace',
  params: params('id'),
  body: { ...body([], { retention: RETENTION_INPUT, storage: STORAGE_CHANGE }), minProperties: 1, maxProperties: 1 },
  response: { 200: response('Changed.', NAMESPACE) }
}
const DELETE = {
  ...COMMON,
  operationId: 'deleteNamespace',
  params: params('id'),
  response: { 202: response('Reads and writes are rejected; its data is being removed.', NAMESPACE) }
}

type Change = { readonly retention: RetentionInput } | { readonly storage: { readonly search: SubstringSearch } }

function change(namespaces: NamespaceService, principal: UserPrincipal, id: string, what: Change): Promise<NamespaceView> {
  if ('retention' in what) return namespaces.setRetention(principal, id, what.retention)
  return namespaces.setSearch(principal, id, what.storage.search)
}

/** Registers `/api/v1/namespaces` and `/api/v1/namespaces/{id}`. */
export function namespaceRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const { namespaces } = access
  app.get('/api/v1/namespaces', { schema: LIST }, async req => {
    const principal = await authenticator.session(req)
    if ((req.query as { all: boolean }).all) return sizedNamespacesReply(await namespaces.listAll(principal))
    return { namespaces: (await namespaces.list(principal)).map(namespaceReply) }
  })
  app.post('/api/v1/namespaces', { schema: CREATE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const made = await namespaces.create(principal, req.body as NewNamespace)
    return reply.code(201).send(namespaceReply(made))
  })
  app.get('/api/v1/namespaces/:id', { schema: GET }, async req => {
    const principal = await authenticator.session(req)
    return namespaceReply(await namespaces.get(principal, (req.params as ById).id))
  })
  app.patch('/api/v1/namespaces/:id', { schema: PATCH }, async req => {
    const principal = await authenticator.session(req)
    return namespaceReply(await change(namespaces, principal, (req.params as ById).id, req.body as Change))
  })
  app.delete('/api/v1/namespaces/:id', { schema: DELETE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return reply.code(202).send(namespaceReply(await namespaces.remove(principal, (req.params as ById).id)))
  })
}
