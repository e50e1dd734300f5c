import type { FastifyInstance } from 'fastify'
import { DETECTORS, type LogRules } from '../../domain/log-rules.js'
import { body, params, SESSION_ONLY } from '../identity-schemas.js'
import { list, TEXT, typed, typedRoutes } from '../json-schema.js'
import type { IdentityDeps } from './identity-deps.js'

const COMMON = { tags: ['namespaces'], security: SESSION_ONLY, params: params('id') }

const STRINGS = { type: 'object', additionalProperties: { type: 'string' } }
const REDACT = body(['detectors', 'keys', 'literals'], {
  detectors: {
    ...list({ type: 'string', enum: DETECTORS } as const),
    description: 'Kinds of secrets that are found by their form.'
  },
  keys: { ...list(TEXT), description: 'Names of members whose values are replaced, case-insensitive; at most 100.' },
  literals: { ...list(TEXT), description: 'Strings that are replaced wherever they occur; at most 50 of 4 to 256 characters.' }
})
const DROP = body(['name', 'query', 'keep'], {
  name: { ...TEXT, description: 'Name in counters and responses.' },
  query: { ...TEXT, description: 'Search language, without regular expressions.' },
  keep: { type: 'number', minimum: 0, exclusiveMaximum: 1, description: 'Share that is stored; 0 drops all.' } as const
})
const FIELD = body(['when', 'overrides'], {
  when: { ...STRINGS, description: 'Members and their values that identify the sender; empty for all logs.' },
  overrides: { ...STRINGS, description: 'Parameters of `POST /api/v1/logs`, such as `message_field`.' }
})
const RULES = typed<LogRules>(body(['redact', 'drop', 'fields'], { redact: REDACT, drop: list(DROP), fields: list(FIELD) }))

const GET = {
  ...COMMON,
  operationId: 'getLogRules',
  response: { 200: typed<LogRules>({ ...RULES, description: 'The rules in force.' }) }
}
const PUT = {
  ...COMMON,
  operationId: 'putLogRules',
  body: RULES,
  response: { 200: typed<LogRules>({ ...RULES, description: 'The rules in force from now on.' }) }
}

/** Registers `/api/v1/namespaces/{id}/log-rules`. */
export function logRuleRoutes(app: FastifyInstance, { access, authenticator }: IdentityDeps): void {
  const routes = typedRoutes(app)
  routes.get('/api/v1/namespaces/:id/log-rules', { schema: GET }, async req => {
    const principal = await authenticator.session(req)
    return access.logRules.get(principal, req.params.id)
  })
  routes.put('/api/v1/namespaces/:id/log-rules', { schema: PUT }, async req => {
    const principal = await authenticator.session(req)
    return access.logRules.set(principal, req.params.id, req.body)
  })
}
