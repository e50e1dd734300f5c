import type { FastifyInstance } from 'fastify'
import type { NamespaceView } from '../../access/views.js'
import type { NamespaceService, RetentionInput } from '../../access/namespace-service.js'
import { namespaceReply, sizedNamespacesReply } from '../identity-replies.js'
import type { UserPrincipal } from '../../domain/principal.js'
import type { SubstringSearch } from '../../domain/storage-plan.js'
import { body, NAMESPACE, params, RETENTION_INPUT, SESSION_ONLY, STORAGE_CHANGE, STORAGE_INPUT } from '../identity-schemas.js'
import { described, list, objectWith, optional, TEXT, typed, typedRoutes } from '../json-schema.js'
import type { IdentityDeps } from './identity-deps.js'

const COMMON = { tags: ['namespaces'], security: SESSION_ONLY }
const NAME = { ...TEXT, pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }

const SIZES_MISSING = {
  ...list(TEXT),
  description:
    "Only in the operator's list: stores that the sizes do not include, because they are unavailable or do not report sizes."
}

const LIST = {
  ...COMMON,
  operationId: 'listNamespaces',
  querystring: optional({
    all: { type: 'boolean', default: false, description: 'All namespaces with their sizes; operators only.' } as const
  }),
  response: {
    200: described(
      'Namespaces that are not deleted, by name.',
      objectWith(['namespaces'], { namespaces: list(NAMESPACE), sizes_missing: SIZES_MISSING })
    )
  }
}
const CREATE = {
  ...COMMON,
  operationId: 'createNamespace',
  body: body(['name'], { name: NAME, retention: RETENTION_INPUT, storage: STORAGE_INPUT }),
  response: { 201: { ...NAMESPACE, description: 'The new namespace.' } }
}
const GET = {
  ...COMMON,
  operationId: 'getNamespace',
  params: params('id'),
  response: { 200: { ...NAMESPACE, description: 'The namespace.' } }
}
type Change = { readonly retention: RetentionInput } | { readonly storage: { readonly search: SubstringSearch } }

const PATCH = {
  ...COMMON,
  operationId: 'changeNamespace',
  params: params('id'),
  body: typed<Change>({
    ...body([], { retention: RETENTION_INPUT, storage: STORAGE_CHANGE }),
    minProperties: 1,
    maxProperties: 1
  }),
  response: { 200: { ...NAMESPACE, description: 'The changed namespace.' } }
}
const DELETE = {
  ...COMMON,
  operationId: 'deleteNamespace',
  params: params('id'),
  response: { 202: { ...NAMESPACE, description: 'Reads and writes are rejected; its data is being removed.' } }
}

function change(namespaces: NamespaceService, principal: UserPrincipal, id: string, what: Change): Promise<NamespaceView> {
  if ('retention' in what) return namespaces.setRetention(principal, id, what.retention)
  return namespaces.setSearch(principal, id, what.storage.search)
}

/** Registers `/api/v1/namespaces` and `/api/v1/namespaces/{id}`. */
export function namespaceRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const routes = typedRoutes(app)
  const { namespaces } = access
  routes.get('/api/v1/namespaces', { schema: LIST }, async req => {
    const principal = await authenticator.session(req)
    if (req.query.all) return sizedNamespacesReply(await namespaces.listAll(principal))
    return { namespaces: (await namespaces.list(principal)).map(namespaceReply) }
  })
  routes.post('/api/v1/namespaces', { schema: CREATE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    const made = await namespaces.create(principal, req.body)
    return reply.code(201).send(namespaceReply(made))
  })
  routes.get('/api/v1/namespaces/:id', { schema: GET }, async req => {
    const principal = await authenticator.session(req)
    return namespaceReply(await namespaces.get(principal, req.params.id))
  })
  routes.patch('/api/v1/namespaces/:id', { schema: PATCH }, async req => {
    const principal = await authenticator.session(req)
    return namespaceReply(await change(namespaces, principal, req.params.id, req.body))
  })
  routes.delete('/api/v1/namespaces/:id', { schema: DELETE }, async (req, reply) => {
    const principal = await authenticator.session(req)
    return reply.code(202).send(namespaceReply(await namespaces.remove(principal, req.params.id)))
  })
}
