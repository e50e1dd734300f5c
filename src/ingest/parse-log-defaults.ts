import { GatewayError } from '../domain/errors.js'
import type { JsonObject } from '../domain/json.js'
import { nearest } from '../domain/nearest.js'
import { parseSeverity } from '../domain/severity.js'
import { freeObject } from './free-fields.js'
import type { ItemCheck } from './item-check.js'
import { type LogDefaults, NO_DEFAULTS, NO_LEVEL } from './log-defaults.js'
import { isRawObject, type RawObject } from './raw-object.js'

/** Names of a log that a batch may have defaults for. */
const DEFAULT_NAMES = ['service', 'host', 'environment', 'source'] as const

const MEMBERS = [...DEFAULT_NAMES, 'level', 'log_fields', 'tags'] as const

function refuseUnknown(raw: RawObject): void {
  for (const name in raw) {
    if ((MEMBERS as readonly string[]).includes(name)) continue
    const detail = `defaults must not have other members than ${MEMBERS.join(', ')}`
    const near = nearest(name, MEMBERS)
    throw new GatewayError('invalid_field', detail, { field: 'defaults', ...(near !== null && { suggestions: [near] }) })
  }
}

function freeDefaults(check: ItemCheck, raw: RawObject, name: 'log_fields' | 'tags'): JsonObject | null {
  const object = freeObject(check, raw[name], `defaults.${name}`)
  return Object.keys(object).length === 0 ? null : object
}

/**
 * Member `defaults` of the envelope of `POST /api/v1/logs/batch`. Throws `invalid_field` or `record_too_large` for a value
 * that a record must not have either.
 */
export function parseLogDefaults(raw: unknown, check: ItemCheck): LogDefaults {
  if (raw === undefined || raw === null) return NO_DEFAULTS
  if (!isRawObject(raw)) throw new GatewayError('invalid_field', 'defaults must be an object', { field: 'defaults' })
  refuseUnknown(raw)
  check.begin(0)
  const text = (name: 'level' | (typeof DEFAULT_NAMES)[number]): string | null => check.text(raw[name], `defaults.${name}`)
  const level = text('level')
  const defaults = {
    service: text('service'),
    host: text('host'),
    environment: text('environment'),
    source: text('source'),
    level,
    severity: level === null ? NO_LEVEL : parseSeverity(level),
    fields: freeDefaults(check, raw, 'log_fields'),
    tags: freeDefaults(check, raw, 'tags')
  }
  const { fault } = check
  if (fault === null) return defaults
  const { redact } = check.context
  throw new GatewayError(
    fault.code,
    fault.detail,
    fault.field === undefined ? {} : { field: redact?.(fault.field) ?? fault.field }
  )
}
