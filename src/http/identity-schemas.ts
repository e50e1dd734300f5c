import { RETAINED_SIGNALS } from '../domain/namespace.js'
import { ROLES } from '../domain/role.js'
import { PLACEMENTS, SUBSTRING_SEARCHES } from '../domain/storage-plan.js'

// Parts of the OpenAPI document that the identity routes share. Bodies are checked against these by ajv.

const TIME = { type: 'string', format: 'date-time' }
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' }
const ID = { type: 'string' }

export const ROLE = { type: 'string', enum: [...ROLES] }
export const SESSION_ONLY = [{ session: [] }]
export const READERS: readonly Readonly<Record<string, readonly string[]>>[] = [
  { session: [] },
  { query_key: [] },
  { api_key: [] }
]

export const EMAIL = { type: 'string', minLength: 3, maxLength: 254, description: 'E-mail address.' }
export const PASSWORD = { type: 'string', minLength: 1, maxLength: 256, description: 'At least 8 characters.' }
export const SECRET = { type: 'string', minLength: 1, maxLength: 512 }

const USER = {
  type: 'object',
  required: ['id', 'email', 'name'],
  properties: { id: ID, email: { type: 'string' }, name: { type: ['string', 'null'] } }
}

const RETENTION_TEXT = { type: 'string', description: 'A duration from 1m to 100y such as 14d, or forever.', maxLength: 32 }

/** Retention as callers send it: any of the signals. */
export const RETENTION_INPUT = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(RETAINED_SIGNALS.map(signal => [signal, RETENTION_TEXT]))
}

const RETENTION = { ...RETENTION_INPUT, required: [...RETAINED_SIGNALS] }

const PLACEMENT = {
  type: 'string',
  enum: [...PLACEMENTS],
  description: 'Dedicated or shared indices in a search store; set by operators when the namespace is created.'
}
const SEARCH = {
  type: 'string',
  enum: [...SUBSTRING_SEARCHES],
  description: 'How a search store finds substrings of messages; takes effect with the next index of the namespace.'
}

/** How a new namespace is to be stored. */
export const STORAGE_INPUT = {
  type: 'object',
  additionalProperties: false,
  properties: { placement: PLACEMENT, search: SEARCH }
}
/** What may change of it later. */
export const STORAGE_CHANGE = {
  type: 'object',
  additionalProperties: false,
  required: ['search'],
  properties: { search: SEARCH }
}

const NAMESPACE_FIELDS = {
  id: ID,
  name: { type: 'string' },
  kind: { type: 'string', enum: ['personal', 'team'] },
  state: { type: 'string', enum: ['active', 'suspended', 'deleting', 'deleted'] },
  retention: RETENTION,
  storage: { ...STORAGE_INPUT, required: ['placement', 'search'] },
  created_at: TIME
}

export const NAMESPACE = {
  type: 'object',
  required: [...Object.keys(NAMESPACE_FIELDS), 'role'],
  properties: {
    ...NAMESPACE_FIELDS,
    role: {
      type: ['string', 'null'],
      enum: [...ROLES, null],
      description: 'The role of the caller; null for an operator who is not a member.'
    },
    bytes: { type: 'integer', description: 'Only in the list of operators.' },
    records: { type: 'integer', description: 'Only in the list of operators.' }
  }
}

export const TOKENS = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'user', 'namespace', 'role'],
  properties: {
    access_token: { type: 'string', description: 'EdDSA JWT; its keys are at /.well-known/jwks.json.' },
    token_type: { type: 'string', const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
    refresh_token: {
      type: 'string',
      description: 'Valid for one refresh; a second use ends the session. Absent in a cookie session.'
    },
    user: USER,
    namespace: {
      type: 'object',
      required: ['id', 'name', 'kind'],
      properties: { id: ID, name: { type: 'string' }, kind: NAMESPACE_FIELDS.kind }
    },
    role: ROLE
  }
}

export const MEMBER = {
  type: 'object',
  required: ['namespace_id', 'user', 'role', 'since'],
  properties: { namespace_id: ID, user: USER, role: ROLE, since: TIME }
}

export const INVITATION = {
  type: 'object',
  required: ['id', 'namespace_id', 'role', 'invited_by', 'created_at', 'expires_at'],
  properties: { id: ID, namespace_id: ID, role: ROLE, invited_by: ID, created_at: TIME, expires_at: TIME }
}

const KEY_FIELDS = {
  id: ID,
  name: { type: 'string' },
  kind: { type: 'string', enum: ['ingest', 'query', 'rum'] },
  state: { type: 'string', enum: ['active', 'rotating', 'expired', 'revoked'] },
  prefix: { type: 'string', description: 'First characters of the secret.' },
  namespaces: { type: 'array', items: ID, description: 'The first is the default. Only namespaces of the caller are listed.' },
  allowed_origins: { type: 'array', items: { type: 'string' } },
  created_by: ID,
  created_at: TIME,
  expires_at: TIME_OR_NULL,
  last_used_at: TIME_OR_NULL,
  previous_until: { ...TIME_OR_NULL, description: 'Until when the secret before the last rotation is valid.' }
}

export const KEY = { type: 'object', required: Object.keys(KEY_FIELDS), properties: KEY_FIELDS }

export const ISSUED_KEY = {
  type: 'object',
  required: [...Object.keys(KEY_FIELDS), 'key'],
  properties: { ...KEY_FIELDS, key: { type: 'string', description: 'The secret, returned once.' } }
}

export const AUDIT_ENTRY = {
  type: 'object',
  required: ['id', 'at', 'actor', 'action', 'target', 'detail'],
  properties: {
    id: ID,
    at: TIME,
    actor: { type: ['string', 'null'], description: 'A user id; null for the service itself.' },
    action: { type: 'string' },
    target: { type: ['string', 'null'] },
    detail: { type: 'object', additionalProperties: true }
  }
}

export const USAGE_ROW = {
  type: 'object',
  required: ['day', 'signal', 'received', 'stored', 'rejected', 'deduplicated', 'spooled', 'bytes'],
  properties: {
    day: { type: 'string', description: 'UTC, YYYY-MM-DD.' },
    signal: { type: 'string', enum: ['logs', 'metrics', 'rum', 'errors', 'spans'] },
    received: { type: 'integer', description: 'stored + rejected + deduplicated + spooled' },
    stored: { type: 'integer' },
    rejected: { type: 'integer' },
    deduplicated: { type: 'integer' },
    spooled: {
      type: 'integer',
      description: 'Acknowledged records, queued on the disk of this gateway until their store is available.'
    },
    bytes: { type: 'integer', description: 'Decompressed bytes of the requests.' }
  }
}

export const PAGE = {
  type: 'object',
  required: ['next_cursor', 'has_more', 'limit'],
  properties: { next_cursor: { type: ['string', 'null'] }, has_more: { type: 'boolean' }, limit: { type: 'integer' } }
}

/** Path parameters by their names. */
export function params(...names: readonly string[]): object {
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map(name => [name, { type: 'string', maxLength: 128 }]))
  }
}

/** A JSON body of exactly these fields. */
export function body(required: readonly string[], properties: Readonly<Record<string, object>>): object {
  return { type: 'object', required, properties, additionalProperties: false }
}

/** A documented response of this shape. */
export function response(description: string, schema: object): object {
  return { ...schema, description }
}

/** A documented response with a list as one member, and further members. */
export function list(description: string, name: string, items: object, otherMembers: object = {}): object {
  return { description, type: 'object', required: [name], properties: { [name]: { type: 'array', items }, ...otherMembers } }
}

export const NO_CONTENT = { description: 'Done.', type: 'null' }
