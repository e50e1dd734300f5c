import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MATCH_ALL, type Field, type Filter } from '../../src/domain/filter.js'
import type { FacetRequest, FacetResult } from '../../src/domain/search.js'
import { compareStrings } from '../../src/domain/string-order.js'
import { free, known, type LogSketch, store } from './log-fixtures.js'
import { describeStores, EVERY_TIME, NEVER, newNamespace, type OpenStores } from './store-under-test.js'

const BATCHES = 6
const RUNS = 40

const text = fc.constantFrom('a', 'b', 'é', '')
const member = fc.oneof(text, fc.constantFrom(5, 12.5, -1, null), fc.array(text, { maxLength: 3 }))
const members = fc.record({ x: member, y: member }, { requiredKeys: [] })
const sketches = fc.array(
  fc.record({ service: fc.option(text), host: text, level: fc.constantFrom('info', 'error'), fields: members, tags: members }),
  { minLength: 5, maxLength: 15 }
)

const isError: Filter = { kind: 'eq', field: known('level'), value: 'error' }
const fields: readonly Field[] = [
  ...['service', 'host', 'level'].map(known),
  ...['x', 'y', 'absent'].map(free),
  { in: 'tags', name: 'x' },
  { in: 'log_fields', name: 'y' }
]
const requests = fc.array(
  fc.record({
    field: fc.constantFrom(...fields),
    filter: fc.constantFrom(MATCH_ALL, isError),
    limit: fc.constantFrom(0, 1, 2, 10)
  }),
  { minLength: 1, maxLength: 6 }
)

function valuesOf(log: LogSketch, { in: place, name }: Field): readonly string[] {
  const parts =
    place === 'known'
      ? [log[name as 'service']]
      : [...(place === 'tags' ? [] : [log.fields?.[name]]), ...(place === 'log_fields' ? [] : [log.tags?.[name]])]
  const given = parts.flat().filter(value => value !== null && value !== undefined && value !== '')
  return [...new Set(given.map(String))]
}

/** What a plain reading of the rules counts. */
function expected(logs: readonly LogSketch[], { field, filter, limit }: FacetRequest): FacetResult {
  const selected = logs.filter(({ level }) => filter === MATCH_ALL || level === 'error').map(log => valuesOf(log, field))
  const counts = new Map<string, number>()
  for (const value of selected.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].toSorted(([a, m], [b, n]) => n - m || compareStrings(a, b))
  const listed = sorted.slice(0, limit).map(([value]) => value)
  return {
    field,
    values: sorted.slice(0, limit).map(([value, count]) => ({ value, count })),
    distinct: { value: counts.size, relation: 'eq' },
    other: selected.filter(values => values.length > 0 && !values.some(value => listed.includes(value))).length,
    missing: selected.filter(values => values.length === 0).length
  }
}

/** Facets of well-known and free fields, several of one request, over random logs. */
export function logFacetsContract(name: string, open: OpenStores): void {
  describeStores(`${name}: LogStore facets`, open, of => {
    it('agree with a plain reading of the rules, whatever is requested together', async () => {
      const ns = newNamespace()
      const stored: LogSketch[] = []
      for (const batch of fc.sample(sketches, { numRuns: BATCHES, seed: 11 })) {
        await store(of().logs, ns, batch)
        stored.push(...batch)
      }
      const agree = async (facets: readonly FacetRequest[]) => {
        const found = await of().logs.search(ns, { range: EVERY_TIME, filter: MATCH_ALL, facets }, NEVER)
        expect(found.facets).toEqual(facets.map(facet => expected(stored, facet)))
      }
      await fc.assert(fc.asyncProperty(requests, agree), { numRuns: RUNS, seed: 5 })
    }, 120_000)
  })
}
