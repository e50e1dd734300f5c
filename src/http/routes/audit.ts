import type { FastifyInstance } from 'fastify'
import { authenticateFirst } from '../authenticate-first.js'
import { auditReply } from '../identity-replies.js'
import { AUDIT_ENTRY, PAGE, params, READERS, SESSION_ONLY, USAGE_ROW } from '../identity-schemas.js'
import type { IdentityDeps } from './identity-deps.js'
import { addScope } from '../scope.js'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

const AUDIT = {
  tags: ['namespaces'],
  operationId: 'listAudit',
  security: SESSION_ONLY,
  params: params('id'),
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      cursor: { type: 'string', maxLength: 64 }
    }
  },
  response: {
    200: {
      description: 'Latest first.',
      type: 'object',
      required: ['entries', 'page'],
      properties: { entries: { type: 'array', items: AUDIT_ENTRY }, page: PAGE }
    }
  }
}

const DAY = { type: 'string', description: 'A UTC day, YYYY-MM-DD.' }

const USAGE = {
  tags: ['namespaces'],
  operationId: 'getUsage',
  security: READERS,
  params: params('id'),
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      from: { ...DAY, description: 'Default: 29 days before to.' },
      to: { ...DAY, description: 'Inclusive; default today.' }
    }
  },
  response: {
    200: {
      description: 'Days without data are left out.',
      type: 'object',
      required: ['from', 'to', 'usage'],
      properties: { from: DAY, to: DAY, usage: { type: 'array', items: USAGE_ROW } }
    }
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
  scope.get('/api/v1/namespaces/:id/audit', { schema: AUDIT }, async req => {
    const principal = await authenticator.session(req)
    const { limit, cursor } = req.query as { limit: number; cursor?: string }
    const page = { limit, ...(cursor === undefined ? {} : { before: cursor }) }
    const { entries, hasMore } = await access.audit.list(principal, (req.params as { id: string }).id, page)
    const nextCursor = hasMore ? (entries.at(-1)?.id ?? null) : null
    return { entries: entries.map(auditReply), page: { next_cursor: nextCursor, has_more: hasMore, limit } }
  })
}

function usageRoute(scope: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  scope.get('/api/v1/namespaces/:id/usage', { schema: USAGE }, async req => {
    const principal = await authenticator.reader(req)
    const days = req.query as { from?: string; to?: string }
    const { from, to, rows } = await access.usage.of(principal, (req.params as { id: string }).id, days)
    return { from, to, usage: rows }
  })
}
