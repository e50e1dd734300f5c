import { APM_ERROR_FIELDS } from '../domain/apm-error.js'
import { GatewayError } from '../domain/errors.js'
import type { Field } from '../domain/filter.js'
import { LOG_FIELDS } from '../domain/log-record.js'
import { RUM_FIELDS, VITALS } from '../domain/rum-event.js'

/** How the fields of one signal are named in filters, facets and the search language. */
export interface Vocabulary {
  readonly known: readonly string[]
  /** Where a bare word is looked for. */
  readonly text: string
  /** Where a field that is not well known is looked for. */
  readonly free: 'free' | 'tags'
  /** Numbers of the record that no filter reaches; naming them is a fault, not a look into the tags. */
  readonly numbers?: ReadonlySet<string>
}

const RUM_NUMBERS: ReadonlySet<string> = new Set([
  ...Object.entries(VITALS).flatMap(([name, { short }]) => [name, short]),
  ...['viewport_width', 'viewport_height']
])

export const LOG_VOCABULARY: Vocabulary = { known: LOG_FIELDS, text: 'message', free: 'free' }
export const RUM_VOCABULARY: Vocabulary = { known: RUM_FIELDS, text: 'page_url', free: 'tags', numbers: RUM_NUMBERS }
export const ERROR_VOCABULARY: Vocabulary = { known: APM_ERROR_FIELDS, text: 'message', free: 'tags' }

const PREFIXES = ['log_fields', 'tags'] as const

/** The field that a name means: a well-known one, `log_fields.x`, `tags.x`, else a free path. Throws `query_unsupported`. */
export function fieldOf(vocabulary: Vocabulary, name: string): Field {
  if (vocabulary.known.includes(name)) return { in: 'known', name }
  if (vocabulary.numbers?.has(name))
    throw new GatewayError('query_unsupported', `${name} cannot be filtered by: only texts and tags can`, {
      field: name,
      suggestions: [`tags.${name}`]
    })
  for (const prefix of PREFIXES) {
    if (name.length > prefix.length + 1 && name.startsWith(`${prefix}.`))
      return { in: prefix, name: name.slice(prefix.length + 1) }
  }
  return { in: vocabulary.free, name }
}

/** The name by which `fieldOf` finds the field again. */
export function fieldName(vocabulary: Vocabulary, field: Field): string {
  if (field.in === 'known') return field.name
  if (field.in !== vocabulary.free) return `${field.in}.${field.name}`
  // A path that looks like something else keeps its own meaning by its prefix.
  const again = fieldOf(vocabulary, field.name)
  return again.in === field.in ? field.name : `${field.in === 'free' ? 'log_fields' : field.in}.${field.name}`
}
