import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { DocumentKind } from '../../../src/stores/elasticsearch/document/field-names.js'
import { INDEX_PREFIXES, mappingsOf } from '../../../src/stores/elasticsearch/document/index-template.js'

interface SavedObject {
  readonly id: string
  readonly type: 'index-pattern' | 'search'
  readonly attributes: Readonly<Record<string, unknown>>
  readonly references: readonly { readonly id: string }[]
}

const KINDS: Readonly<Record<string, DocumentKind>> = {
  'alidade-logs': 'logs',
  'alidade-rum': 'rum',
  'alidade-errors': 'errors',
  'alidade-spans': 'spans'
}
const OBJECTS = readFileSync('docs/kibana.ndjson', 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as SavedObject)
const VIEWS = OBJECTS.filter(({ type }) => type === 'index-pattern')
const SEARCHES = OBJECTS.filter(({ type }) => type === 'search')

function mappedFields(kind: DocumentKind): ReadonlySet<string> {
  return new Set(Object.keys(mappingsOf({ kind, search: 'exact' })['properties'] as object))
}

/** Names before the colon or the comparison of a KQL query. */
function queriedFields(query: string): string[] {
  return [...query.matchAll(/([\w.@]+)\s*(?::|[<>]=?)/g)].map(match => match[1]!)
}

function searchSource({ attributes }: SavedObject) {
  const { searchSourceJSON } = attributes['kibanaSavedObjectMeta'] as { searchSourceJSON: string }
  return JSON.parse(searchSourceJSON) as { query: { query: string }; filter: { meta: { key: string }; query: object }[] }
}

describe('data views of docs/kibana.ndjson', () => {
  it.each(VIEWS.map(view => [view.id, view] as const))('%s covers the indices of its kind and their pool', (id, view) => {
    const prefix = INDEX_PREFIXES[KINDS[id]!]
    expect(view.attributes['title']).toBe(`${prefix}NAMESPACE_ID-*,${prefix}pool*`)
  })

  it.each(VIEWS.map(view => [view.id, view] as const))('%s names fields of its template', (id, view) => {
    const hidden = JSON.parse(view.attributes['sourceFilters'] as string) as { value: string }[]
    const named = [view.attributes['timeFieldName'] as string, ...hidden.map(({ value }) => value)]
    expect(named.filter(field => !mappedFields(KINDS[id]!).has(field))).toEqual([])
  })

  it('cover every kind', () => {
    expect(VIEWS.map(({ id }) => KINDS[id])).toEqual(Object.keys(INDEX_PREFIXES))
  })
})

describe('searches of docs/kibana.ndjson', () => {
  it.each(SEARCHES.map(search => [search.id, search] as const))('%s names fields of its template', (_id, search) => {
    const kind = KINDS[search.references[0]!.id]!
    const { query, filter } = searchSource(search)
    const named = [
      ...(search.attributes['columns'] as string[]),
      ...(search.attributes['sort'] as [string, string][]).map(([field]) => field),
      ...queriedFields(query.query),
      ...filter.map(({ meta }) => meta.key)
    ]
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(field => !mappedFields(kind).has(field))).toEqual([])
  })

  it.each(SEARCHES.map(search => [search.id, search] as const))('%s holds one namespace', (_id, search) => {
    expect(searchSource(search).filter.map(({ query }) => query)).toEqual([{ match_phrase: { ns: 'NAMESPACE_ID' } }])
  })
})

describe('fields named in docs/kibana.md', () => {
  const page = readFileSync('docs/kibana.md', 'utf8')
  const list = page.slice(page.indexOf('## Fields'), page.indexOf('Notes:'))
  const everywhere = new Set((Object.keys(INDEX_PREFIXES) as DocumentKind[]).flatMap(kind => [...mappedFields(kind)]))

  const patterns = new Set(Object.values(INDEX_PREFIXES).map(prefix => `${prefix}*`))

  it('are fields of the templates', () => {
    const named = [...list.matchAll(/`([^`]+)`/g)].map(match => match[1]!)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(name => !everywhere.has(name) && !patterns.has(name))).toEqual([])
  })
})
