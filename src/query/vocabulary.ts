import { APM_ERROR } from '../domain/records/error.js'
import { GatewayError } from '../domain/errors.js'
import type { Field } from '../domain/filter.js'
import { filteredNames } from '../domain/records/field.js'
import { LOG } from '../domain/records/log.js'
import { RUM, VITALS } from '../domain/records/rum.js'

/** Where a field that is not well known may be looked for alone. */
export type FreePlace = Exclude<Field['in'], 'known' | 'free'>

/** How the fields of one signal are named in filters, facets and the search language. */
export interface Vocabulary {
  readonly known: readonly string[]
  /** Where a bare word is looked for. */
  readonly text: string
  /** Where it is looked for too. */
  readonly moreStrings?: readonly string[]
  /** Where a field that is not well known is looked for. */
  readonly free: 'free' | 'tags'
  /** Numbers of the record that no filter reaches; naming them is a fault, not a look into the tags. */
  readonly numbers?: ReadonlySet<string>
  /** Other names of well-known fields. */
  readonly aliases?: ReadonlyMap<string, string>
  /** The prefixes of paths and where they lead, the name in responses first; absent: `log_fields` and `tags`. */
  readonly prefixes?: ReadonlyMap<string, FreePlace>
  /** How a value that was sent for a well-known field is stored, by the field's own name. May throw `ValueFault`. */
  readonly spelling?: ReadonlyMap<string, (text: string, asNamed: string) => string>
  /** Well-known fields whose values are not strings: they are compared, and nothing is looked for within them. */
  readonly quantities?: ReadonlySet<string>
}

const RUM_NUMBERS: ReadonlySet<string> = new Set([
  ...Object.entries(VITALS).flatMap(([name, { short }]) => [name, short]),
  ...['viewport_width', 'viewport_height']
])

/** How fields of logs are named. */
export const LOG_VOCABULARY: Vocabulary = {
  known: filteredNames(LOG),
  text: 'message',
  free: 'free',
  aliases: new Map([['pattern', 'pattern_id']])
}
/** How fields of page views are named. */
export const RUM_VOCABULARY: Vocabulary = { known: filteredNames(RUM), text: 'page_url', free: 'tags', numbers: RUM_NUMBERS }
/** How fields of errors are named. */
export const ERROR_VOCABULARY: Vocabulary = { known: filteredNames(APM_ERROR), text: 'message', free: 'tags' }

const PREFIXES: ReadonlyMap<string, FreePlace> = new Map([
  ['log_fields', 'log_fields'],
  ['tags', 'tags']
])

/** Whether the name is that of a well-known field. */
export function isKnown(vocabulary: Vocabulary, name: string): boolean {
  return vocabulary.known.includes(name) || vocabulary.aliases?.has(name) === true
}

/** The field that a name means: a well-known one, `log_fields.x`, `tags.x`, else a free path. Throws `query_unsupported`. */
export function fieldOf(vocabulary: Vocabulary, name: string): Field {
  if (isKnown(vocabulary, name)) return { in: 'known', name: vocabulary.aliases?.get(name) ?? name }
  if (vocabulary.numbers?.has(name))
    throw new GatewayError('query_unsupported', `${name} is not filterable; use a string field or a tag`, {
      field: name,
      suggestions: [`tags.${name}`]
    })
  for (const [prefix, part] of vocabulary.prefixes ?? PREFIXES) {
    if (name.length > prefix.length + 1 && name.startsWith(`${prefix}.`)) return { in: part, name: name.slice(prefix.length + 1) }
  }
  return { in: vocabulary.free, name }
}

/** The name by which `fieldOf` finds the field again. */
export function fieldName(vocabulary: Vocabulary, field: Field): string {
  if (field.in === 'known') return field.name
  const part = field.in === 'free' ? 'log_fields' : field.in
  const named = `${prefixOf(vocabulary, part)}.${field.name}`
  if (field.in !== vocabulary.free) return named
  // A path that looks like something else keeps its own meaning by its prefix.
  const again = fieldOf(vocabulary, field.name)
  return again.in === field.in ? field.name : named
}

function prefixOf({ prefixes = PREFIXES }: Vocabulary, requested: FreePlace): string {
  return [...prefixes].find(([, part]) => part === requested)?.[0] ?? requested
}
