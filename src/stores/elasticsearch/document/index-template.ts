import { LOG } from '../../../domain/records/log.js'
import type { SubstringSearch } from '../../../domain/storage-plan.js'
import {
  CUT,
  EVENTS,
  FREE_OBJECTS,
  ID,
  KNOWN,
  LINKS,
  LONG,
  MESSAGE_TRIGRAMS,
  NAMESPACE,
  NUMBERS,
  PEER,
  STACK_TRIGRAMS,
  TRACE_SUFFIX,
  type DocumentKind,
  type KnownField
} from './field-names.js'
import { SLOTS } from './free-field-terms.js'

/** Which engine a cluster runs. */
export type Flavour = 'elasticsearch' | 'opensearch'

/** The variable properties of an index. */
export interface IndexShape {
  readonly flavour: Flavour
  readonly kind: DocumentKind
  readonly search: SubstringSearch
  /** `auto`: one as soon as there are two nodes. */
  readonly replicas: number | 'auto'
  /** How long a record may take until reads see it. */
  readonly refreshSeconds: number
}

/** How an engine maps one field, or all of them. */
export type Mapping = Readonly<Record<string, unknown>>

/** What the mappings of an index depend on. */
export type MappedShape = Pick<IndexShape, 'kind' | 'search'>

/** `index.max_regex_length`: the length of a regex that a filter may come to. */
export const MAX_REGEX_LENGTH = 20_000

const KEYWORD: Mapping = { type: 'keyword' }
/** Found by, never counted or sorted by. */
const FOUND_KEYWORD: Mapping = { type: 'keyword', doc_values: false }
const KEPT_OBJECT: Mapping = { type: 'object', enabled: false }
const FLAG: Mapping = { type: 'boolean' }

/** Terms that are not given back: they follow from what is. */
export const DERIVED: readonly string[] = [MESSAGE_TRIGRAMS, STACK_TRIGRAMS, ...SLOTS, NUMBERS, CUT, TRACE_SUFFIX.field]

/** Strings with trigrams differ too much to be counted: fields that find them need not group them. */
function textMapping({ trigrams }: KnownField, search: SubstringSearch): Mapping {
  if (trigrams === undefined) return KEYWORD
  return search === 'off' ? { ...FOUND_KEYWORD, index: false } : FOUND_KEYWORD
}

function mappingOf(known: KnownField, search: SubstringSearch): Mapping {
  switch (known.type) {
    case 'time':
      return { type: 'date_nanos' }
    case 'number':
      return { type: known.numeric?.type ?? 'double' }
    default:
      return textMapping(known, search)
  }
}

function trigramMapping(search: SubstringSearch): Mapping {
  if (search === 'off') return { type: 'text', index: false }
  const positions = search === 'exact' ? {} : { index_options: 'docs' }
  return { type: 'text', analyzer: 'whitespace', norms: false, ...positions }
}

function knownMappings(kind: DocumentKind, search: SubstringSearch): Record<string, Mapping> {
  const properties: Record<string, Mapping> = {}
  for (const known of Object.values<KnownField>(KNOWN[kind])) {
    properties[known.field] = mappingOf(known, search)
    if (known.trigrams !== undefined) properties[known.trigrams] = trigramMapping(search)
  }
  return properties
}

function ownMappings(kind: DocumentKind): Record<string, Mapping> {
  if (kind !== 'spans') return { [LOG.isServerTime.document]: FLAG, [LOG.isTruncated.document]: FLAG }
  const peer = Object.values(PEER).map(({ field }) => [field, KEYWORD])
  return { ...Object.fromEntries(peer), [TRACE_SUFFIX.field]: FOUND_KEYWORD, [EVENTS]: KEPT_OBJECT, [LINKS]: KEPT_OBJECT }
}

/** Mappings of the fields of an index, by their full names. */
export function mappingFields({ kind, search }: MappedShape): Readonly<Record<string, Mapping>> {
  return {
    ...knownMappings(kind, search),
    [ID]: KEYWORD,
    [NAMESPACE]: KEYWORD,
    ...ownMappings(kind),
    [FREE_OBJECTS[kind].log_fields]: KEPT_OBJECT,
    [FREE_OBJECTS[kind].tags]: KEPT_OBJECT,
    [LONG]: KEPT_OBJECT,
    [CUT]: FOUND_KEYWORD,
    [NUMBERS]: FOUND_KEYWORD,
    ...Object.fromEntries(SLOTS.map(slot => [slot, KEYWORD]))
  }
}

/** Mappings of an index. Nothing is added by what records hold: no name of theirs can make a field or a conflict. */
export function mappingsOf(shape: MappedShape): Mapping {
  return {
    dynamic: false,
    date_detection: false,
    numeric_detection: false,
    _source: { excludes: DERIVED },
    properties: mappingFields(shape)
  }
}

/** Settings of an index. Acknowledged is what is on the disk of every copy. */
export function settingsOf({ replicas, refreshSeconds }: Pick<IndexShape, 'replicas' | 'refreshSeconds'>): Mapping {
  return {
    number_of_shards: 1,
    ...(replicas === 'auto' ? { auto_expand_replicas: '0-1' } : { number_of_replicas: replicas }),
    refresh_interval: `${refreshSeconds}s`,
    max_regex_length: MAX_REGEX_LENGTH,
    'translog.durability': 'request'
  }
}

/** Index names of a kind, before the owner and the number; a template of ours covers each. */
export const INDEX_PREFIXES: Readonly<Record<DocumentKind, string>> = {
  logs: 'logs-alidade.app-',
  rum: 'logs-alidade.rum-',
  errors: 'logs-alidade.error-',
  spans: 'traces-alidade.span-'
}

// Above those that Elasticsearch brings for `logs-*-*`, which would make data streams.
const TEMPLATE_PRIORITY = 500

/** The index template of a kind: what `PUT /_index_template/<name>` takes. */
export function indexTemplate(shape: IndexShape): Mapping {
  return {
    index_patterns: [`${INDEX_PREFIXES[shape.kind]}*`],
    priority: TEMPLATE_PRIORITY,
    // A write that comes after the deletion of its index must not create it again.
    ...(shape.flavour === 'elasticsearch' && { allow_auto_create: false }),
    template: { settings: { index: settingsOf(shape) }, mappings: mappingsOf(shape) },
    _meta: { owner: 'alidade' }
  }
}
