import { RETAINED_SIGNALS, type RetainedSignal } from '../domain/namespace.js'
import { ROLES } from '../domain/role.js'
import { PLACEMENTS, type StoragePlan, SUBSTRING_SEARCHES, type SubstringSearch } from '../domain/storage-plan.js'
import {
  type AtLeast,
  FLAG,
  list,
  type Members,
  NULLABLE_TEXT,
  object,
  objectWith,
  optional,
  TEXT,
  typed,
  type Typed
} from './json-schema.js'

// Parts of the OpenAPI document that the identity routes share. Bodies are checked against these by ajv.

const TIME = { type: 'string', format: 'date-time' } as const
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' } as const
const ID = TEXT

/** A role in a namespace. */
export const ROLE = { type: 'string', enum: ROLES } as const
/** Routes that take the token of a session only. */
export const SESSION_ONLY = [{ session: [] }]
/** Credentials of routes that read. */
export const READERS: readonly Readonly<Record<string, readonly string[]>>[] = [
  { session: [] },
  { query_key: [] },
  { api_key: [] }
]

/** The address by which a user signs in. */
export const EMAIL = { type: 'string', minLength: 3, maxLength: 254, description: 'E-mail address.' } as const
/** A password; its minimum length is checked where it is set. */
export const PASSWORD = { type: 'string', minLength: 1, maxLength: 256, description: 'At least 8 characters.' } as const
/** A token of an invitation or a refresh token. */
export const SECRET = { type: 'string', minLength: 1, maxLength: 512 } as const

/** A user in a response. */
export const USER = object({ id: ID, email: TEXT, name: NULLABLE_TEXT })

const RETENTION_TEXT = { type: 'string', description: 'A duration from 1m to 100y such as 14d, or forever.', maxLength: 32 }

/** Retention as callers send it: any of the signals. */
export const RETENTION_INPUT = typed<Readonly<Partial<Record<RetainedSignal, string>>>>({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(RETAINED_SIGNALS.map(signal => [signal, RETENTION_TEXT]))
})

const RETENTION = typed<Readonly<Record<RetainedSignal, string>>>({ ...RETENTION_INPUT, required: [...RETAINED_SIGNALS] })

const PLACEMENT = {
  type: 'string',
  enum: PLACEMENTS,
  description: 'Dedicated or shared indices in a search store; set by operators when the namespace is created.'
} as const
const SEARCH = {
  type: 'string',
  enum: SUBSTRING_SEARCHES,
  description: 'How a search store finds substrings of messages; takes effect with the next index of the namespace.'
} as const

/** How a new namespace is to be stored. */
export const STORAGE_INPUT = optional({ placement: PLACEMENT, search: SEARCH })
/** What may change of it later. */
export const STORAGE_CHANGE = typed<{ readonly search: SubstringSearch }>({
  type: 'object',
  additionalProperties: false,
  required: ['search'],
  properties: { search: SEARCH }
})

const NAMESPACE_FIELDS = {
  id: ID,
  name: TEXT,
  kind: { type: 'string', enum: ['personal', 'team'] },
  state: { type: 'string', enum: ['active', 'suspended', 'deleting', 'deleted'] },
  retention: RETENTION,
  storage: typed<StoragePlan>({ ...STORAGE_INPUT, required: ['placement', 'search'] }),
  created_at: TIME
} as const

/** A namespace in a response. */
export const NAMESPACE = objectWith(['id', 'name', 'kind', 'state', 'retention', 'storage', 'created_at', 'role'], {
  ...NAMESPACE_FIELDS,
  role: {
    type: ['string', 'null'],
    enum: [...ROLES, null],
    description: 'The role of the caller; null for an operator who is not a member.'
  } as const,
  bytes: { type: 'integer', description: 'Only in the list of operators.' } as const,
  records: { type: 'integer', description: 'Only in the list of operators.' } as const
})

/** The tokens of a session. */
export const TOKENS = objectWith(['access_token', 'token_type', 'expires_in', 'user', 'namespace', 'role'], {
  access_token: { ...TEXT, description: 'EdDSA JWT; its keys are at /.well-known/jwks.json.' },
  token_type: { type: 'string', const: 'Bearer' } as const,
  expires_in: { type: 'integer', description: 'Seconds.' } as const,
  refresh_token: {
    ...TEXT,
    description: 'Valid for one refresh; a second use ends the session. Absent in a cookie session.'
  },
  user: USER,
  namespace: object({ id: ID, name: TEXT, kind: NAMESPACE_FIELDS.kind }),
  role: ROLE
})

/** A membership in a response. */
export const MEMBER = object({ namespace_id: ID, user: USER, role: ROLE, since: TIME })

/** An invitation in a response. */
export const INVITATION = object({
  id: ID,
  namespace_id: ID,
  role: ROLE,
  invited_by: ID,
  created_at: TIME,
  expires_at: TIME
})

const KEY_FIELDS = {
  id: ID,
  name: TEXT,
  kind: { type: 'string', enum: ['ingest', 'query', 'rum'] },
  state: { type: 'string', enum: ['active', 'rotating', 'expired', 'revoked'] },
  prefix: { ...TEXT, description: 'First characters of the secret.' },
  namespaces: { ...list(ID), description: 'The first is the default. Only namespaces of the caller are listed.' },
  allowed_origins: list(TEXT),
  created_by: ID,
  created_at: TIME,
  expires_at: TIME_OR_NULL,
  last_used_at: TIME_OR_NULL,
  previous_until: { ...TIME_OR_NULL, description: 'Until when the secret before the last rotation is valid.' }
} as const

/** An API key in a response. */
export const KEY = object(KEY_FIELDS)

/** An API key with its secret in a response. */
export const ISSUED_KEY = object({ ...KEY_FIELDS, key: { ...TEXT, description: 'The secret, returned once.' } })

/** An entry of the audit log in a response. */
export const AUDIT_ENTRY = object({
  id: ID,
  at: TIME,
  actor: { ...NULLABLE_TEXT, description: 'A user id; null for the service itself.' },
  action: TEXT,
  target: NULLABLE_TEXT,
  detail: typed<object>({ type: 'object', additionalProperties: true })
})

const INTEGER = { type: 'integer' } as const

/** Usage of one signal on one day. */
export const USAGE_ROW = object({
  day: { ...TEXT, description: 'UTC, YYYY-MM-DD.' },
  signal: { type: 'string', enum: ['logs', 'metrics', 'rum', 'errors', 'spans'] } as const,
  received: { ...INTEGER, description: 'stored + rejected + deduplicated + dropped + spooled' },
  stored: INTEGER,
  rejected: INTEGER,
  deduplicated: INTEGER,
  dropped: { ...INTEGER, description: 'Logs that rules of the namespace dropped.' },
  spooled: {
    ...INTEGER,
    description: 'Acknowledged records, queued on the disk of this gateway until their store is available.'
  },
  bytes: { ...INTEGER, description: 'Decompressed bytes of the requests.' }
})

/** Where a list continues. */
export const PAGE = object({ next_cursor: NULLABLE_TEXT, has_more: FLAG, limit: INTEGER })

/** Path parameters by their names. */
export function params<N extends string>(...names: readonly N[]): Typed<Readonly<Record<N, string>>> {
  return typed({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map(name => [name, { type: 'string', maxLength: 128 }]))
  })
}

/** A JSON body of exactly these fields. */
export function body<P extends Members, R extends keyof P & string>(required: readonly R[], properties: P): Typed<AtLeast<P, R>> {
  return typed({ type: 'object', required, properties, additionalProperties: false })
}

/** The empty response of a change. */
export const NO_CONTENT = typed<void>({ description: 'Done.', type: 'null' })
