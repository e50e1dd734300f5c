import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import type { ErrorItem } from '../domain/errors.js'
import { GatewayError } from '../domain/errors.js'
import { nearest } from '../domain/nearest.js'

const MAX_ITEMS = 100
const MAX_CAUSES = 8
const DISK_FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
const PLACES: Readonly<Record<string, string>> = { querystring: 'query', params: 'path', headers: 'headers', body: '' }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function fieldOf(error: FastifySchemaValidationError, place: string): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const named = error.params['missingProperty'] ?? error.params['additionalProperty']
  if (typeof named === 'string') path.push(named)
  return [PLACES[place] ?? place, ...path].filter(part => part !== '').join('.')
}

/** Types of JSON Schema in error messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string'
}

function sentence(error: FastifySchemaValidationError, field: string): string {
  const isParameter = field.startsWith('query.')
  const name = field === '' ? 'the body' : isParameter ? `the parameter ${field.slice('query.'.length)}` : field
  if (error.keyword === 'required') return `${name} is required`
  if (error.keyword === 'additionalProperties') return isParameter ? `${name} is unknown` : `${name} is not a known field`
  const allowed = error.params['allowedValues']
  if (Array.isArray(allowed)) return `${name} must be one of ${allowed.map(String).join(', ')}`
  const { type } = error.params
  const types = (Array.isArray(type) ? type : [type]).filter(one => typeof one === 'string')
  if (types.length > 0) return `${name} must be ${types.map(one => TYPE_NAMES[one] ?? one).join(' or ')}`
  return `${name} ${error.message ?? 'is not valid'}`
}

/** What other interfaces call a member. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['from', 'start'],
  ['since', 'start'],
  ['to', 'end'],
  ['until', 'end'],
  ['q', 'query'],
  ['search', 'query'],
  ['size', 'limit'],
  ['count', 'limit'],
  ['sort', 'order'],
  ['page', 'cursor'],
  ['offset', 'cursor'],
  ['by', 'group_by']
])

/** The name that was meant, if there is one like it. */
function suggestionFor(error: FastifySchemaValidationError): readonly string[] {
  const requested = error.params['additionalProperty']
  const { parentSchema } = error as { readonly parentSchema?: { readonly properties?: object } }
  if (typeof requested !== 'string') return []
  const known = Object.keys(parentSchema?.properties ?? {})
  const other = OTHER_NAMES.get(requested)
  const near = other !== undefined && known.includes(other) ? other : nearest(requested, known)
  return near === null ? [] : [near]
}

function fromValidation(failures: readonly FastifySchemaValidationError[], place: string): GatewayError {
  const items = failures.slice(0, MAX_ITEMS).map((failure): ErrorItem => {
    const field = fieldOf(failure, place)
    const detail = sentence(failure, field)
    const code = failure.keyword === 'required' ? 'missing_field' : 'invalid_field'
    return field === '' ? { code, detail } : { code, field, detail }
  })
  const code = items.every(item => item.code === 'missing_field') ? 'missing_field' : 'invalid_field'
  const detail = items.length === 1 ? items[0]!.detail : `${items.length} fields are invalid: ${items[0]!.detail}`
  const suggestions = [...new Set(failures.slice(0, MAX_ITEMS).flatMap(suggestionFor))]
  return new GatewayError(code, detail, { errors: items, suggestions })
}

/** What Fastify itself refuses before a handler runs, by its error codes. */
function fromFramework(error: FastifyError): GatewayError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new GatewayError('payload_too_large', 'the body exceeds the limit of this route', { cause: error })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new GatewayError('unsupported_media_type', 'send the body as application/json', { cause: error })
    case 'FST_ERR_BAD_URL':
      return new GatewayError('invalid_field', 'the path is not a valid URL', { cause: error })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new GatewayError('not_found', 'no such route', { cause: error })
    default:
      return null
  }
}

function hasCauseCode(error: unknown, codes: ReadonlySet<string>): boolean {
  let at: unknown = error
  for (let i = 0; i < MAX_CAUSES && isRecord(at); i++) {
    if (typeof at['code'] === 'string' && codes.has(at['code'])) return true
    at = at['cause']
  }
  return false
}

/** Any thrown value as a `GatewayError`; an unexpected one becomes `internal` with the value as its cause. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  if (hasCauseCode(thrown, DISK_FULL)) return new GatewayError('storage_full', 'the disk is full', { cause: thrown })
  if (!(thrown instanceof Error))
    return new GatewayError('internal', 'a value that is not an Error was thrown', { cause: thrown })
  const error = thrown as FastifyError
  if (error.validation) return fromValidation(error.validation, error.validationContext ?? 'body')
  const framework = typeof error.code === 'string' ? fromFramework(error) : null
  if (framework) return framework
  if (error.statusCode === 400) return new GatewayError('invalid_json', error.message, { cause: error })
  return new GatewayError('internal', error.message, { cause: error })
}
