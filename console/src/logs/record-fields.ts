import type { LogRow } from './use-log-search.js'

/** A field of a record with its path in the search language. */
export interface RecordField {
  /** `service`, `log_fields.user.id`, `tags.env`. */
  readonly path: string
  readonly value: unknown
}

const WELL_KNOWN = ['level', 'service', 'host', 'source', 'traceId', 'spanId'] as const
/** Names of the search language where they differ from GraphQL's. */
const SEARCH_NAMES: Readonly<Record<string, string>> = { traceId: 'trace_id', spanId: 'span_id' }
const MAX_FIELDS = 2_000

/** Members of nested objects as dotted paths, in the order of the record; an array is one value. Without recursion. */
function* flattened(prefix: string, object: Readonly<Record<string, unknown>>): Generator<RecordField> {
  const rest: { readonly path: string; readonly value: unknown }[] = [{ path: prefix, value: object }]
  while (rest.length > 0) {
    const { path, value } = rest.shift()!
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject) yield { path, value }
    else rest.unshift(...Object.entries(value).map(([key, member]) => ({ path: `${path}.${key}`, value: member as unknown })))
  }
}

/** All fields of a record, well-known ones first; at most 2,000. */
export function recordFields(row: Pick<LogRow, (typeof WELL_KNOWN)[number] | 'fields' | 'tags'>): readonly RecordField[] {
  const known = WELL_KNOWN.map(key => ({ path: SEARCH_NAMES[key] ?? key, value: row[key] as unknown })).filter(
    ({ value }) => value !== null && value !== 'UNKNOWN'
  )
  const fields = [...known]
  for (const [prefix, object] of [
    ['log_fields', row.fields],
    ['tags', row.tags]
  ] as const)
    for (const field of flattened(prefix, object)) {
      if (fields.length === MAX_FIELDS) return fields
      fields.push(field)
    }
  return fields
}

/** A value as text: strings as they are, everything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The text of a column: a well-known field, or a path into `log_fields` or `tags` with or without that prefix. */
export function fieldText(row: LogRow, key: string): string {
  const match = recordFields(row).find(({ path }) => path === key || path === `log_fields.${key}` || path === `tags.${key}`)
  return match ? valueText(match.value) : ''
}
