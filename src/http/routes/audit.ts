import type { FastifyInstance } from 'fastify'
import { authenticateFirst } from '../authenticate-first.js'
import { auditReply } from '../identity-replies.js'
import { AUDIT_ENTRY, PAGE, params, READERS, SESSION_ONLY, USAGE_ROW } from '../identity-schemas.js'
import { described, list, object, optional, TEXT, typedRoutes } from '../json-schema.js'
import type { IdentityDeps } from './identity-deps.js'
import { addScope } from '../scope.js'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

const AUDIT = {
  tags: ['namespaces'],
  operationId: 'listAudit',
  security: SESSION_ONLY,
  params: params('id'),
  querystring: optional({
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT } as const,
    cursor: { type: 'string', maxLength: 64 } as const
  }),
  response: {
    200: described('Latest first.', object({ entries: list(AUDIT_ENTRY), page: PAGE }))
  }
}

const DAY = { ...TEXT, description: 'A UTC day, YYYY-MM-DD.' }

const USAGE = {
  tags: ['namespaces'],
  operationId: 'getUsage',
  security: READERS,
  params: params('id'),
  querystring: optional({
    from: { ...DAY, description: 'Default: 29 days before to.' },
    to: { ...DAY, description: 'Inclusive; default today.' }
  }),
  response: {
    200: described('Days without data are left out.', object({ from: DAY, to: DAY, usage: list(USAGE_ROW) }))
  }
}

/** Registers `.../audit` and `.../usage` of a namespace. */
export function auditRoutes(app: FastifyInstance, deps: IdentityDeps): void {
  const { authenticator } = deps
  addScope(app, 'audit', scope => {
    authenticateFirst(scope, req => authenticator.session(req))
    auditRoute(scope, deps)
  })
  addScope(app, 'usage', scope => {
    authenticateFirst(scope, req => authenticator.reader(req))
    usageRoute(scope, deps)
  })
}

function auditRoute(scope: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  typedRoutes(scope).get('/api/v1/namespaces/:id/audit', { schema: AUDIT }, async req => {
    const principal = await authenticator.session(req)
    const { limit = DEFAULT_LIMIT, cursor } = req.query
    const page = { limit, ...(cursor === undefined ? {} : { before: cursor }) }
    const { entries, hasMore } = await access.audit.list(principal, req.params.id, page)
    const nextCursor = hasMore ? (entries.at(-1)?.id ?? null) : null
    return { entries: entries.map(auditReply), page: { next_cursor: nextCursor, has_more: hasMore, limit } }
  })
}

function usageRoute(scope: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  typedRoutes(scope).get('/api/v1/namespaces/:id/usage', { schema: USAGE }, async req => {
    const principal = await authenticator.reader(req)
    const { from, to, rows } = await access.usage.of(principal, req.params.id, req.query)
    return { from, to, usage: rows }
  })
}
