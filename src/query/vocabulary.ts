import { APM_ERROR_FIELDS } from '../domain/apm-error.js'
import type { Field } from '../domain/filter.js'
import { LOG_FIELDS } from '../domain/log-record.js'
import { RUM_FIELDS } from '../domain/rum-event.js'

/** How the fields of one signal are named in filters, facets and the search language. */
export interface Vocabulary {
  readonly known: readonly string[]
  /** Where a bare word is looked for. */
  readonly text: string
  /** Where a field that is not well known is looked for. */
  readonly free: 'free' | 'tags'
}

export const LOG_VOCABULARY: Vocabulary = { known: LOG_FIELDS, text: 'message', free: 'free' }
export const RUM_VOCABULARY: Vocabulary = { known: RUM_FIELDS, text: 'page_url', free: 'tags' }
export const ERROR_VOCABULARY: Vocabulary = { known: APM_ERROR_FIELDS, text: 'message', free: 'tags' }

const PREFIXES = ['log_fields', 'tags'] as const

/** The field that a name means: a well-known one, `log_fields.x`, `tags.x`, else a free path. */
export function fieldOf(vocabulary: Vocabulary, name: string): Field {
  if (vocabulary.known.includes(name)) return { in: 'known', name }
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
