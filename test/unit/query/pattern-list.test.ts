import { describe, expect, it } from '@jest/globals'
import type { NamespaceId } from '../../../src/domain/ids.js'
import { type PatternMerge, templateText } from '../../../src/domain/log-pattern.js'
import { DEFAULT_RETENTION, type Namespace } from '../../../src/domain/namespace.js'
import type { FacetRequest, SearchRequest } from '../../../src/domain/search.js'
import type { CatalogPattern } from '../../../src/ports/pattern-catalog.js'
import type { Cut } from '../../../src/domain/warning.js'
import { NEW_FOR_MS, PatternList } from '../../../src/query/patterns/pattern-list.js'
import { PatternNames } from '../../../src/query/patterns/pattern-names.js'
import { systemClock } from '../../../src/telemetry/system-clock.js'

const NS = { id: 'ns1' as NamespaceId, name: 'shop', retention: DEFAULT_RETENTION } as unknown as Namespace
const NEVER = new AbortController().signal
const YEAR_MS = 365 * 86_400_000

/** Counts of logs by pattern in one window; `''` is without a pattern. */
type Counts = Readonly<Record<string, number>>

function pattern(id: string, firstSeenMs: number, tokens: readonly string[] = [id]): CatalogPattern {
  return { id, tokens, kinds: tokens.map(() => 0), firstSeenMs, note: null, muted: false }
}

interface Stored {
  readonly now?: Counts
  /** Of the window that ends an hour ago or earlier. */
  readonly before?: Counts
  readonly patterns?: readonly CatalogPattern[]
  readonly merges?: readonly PatternMerge[]
  /** What searches of details report. */
  readonly detail?: { readonly complete: boolean; readonly warnings: readonly string[] }
}

/** The list of patterns over a store that has such logs. */
function listOver({ now = {}, before = {}, patterns = [], merges = [], detail }: Stored): PatternList {
  const names = new PatternNames({ all: async () => ({ patterns, merges }) }, systemClock)
  const facetOf = ({ field, limit }: FacetRequest, counts: Counts) => {
    const values = Object.entries(counts).filter(([value]) => value !== '')
    return {
      field,
      values: values.slice(0, limit).map(([value, count]) => ({ value, count })),
      distinct: { value: values.length, relation: 'eq' as const },
      other: 0,
      missing: counts[''] ?? 0
    }
  }
  const search = async (_: unknown, { range, facets = [], rows }: SearchRequest) => {
    const isNow = range.endNs > BigInt(Date.now() - 3_600_000) * 1_000_000n
    return {
      ...{ complete: true, warnings: [], facets: facets.map(facet => facetOf(facet, isNow ? now : before)) },
      ...(rows && { rows: [], histogram: [], ...detail })
    }
  }
  return new PatternList({ logs: { search }, names, clock: systemClock })
}

const EVERYTHING = { conditions: {} }
const COMPARED = { ...EVERYTHING, compare: { start: 'now-5h', end: 'now-4h' } }

describe('the list of patterns', () => {
  it('knows since when each of the patterns exists that became one', async () => {
    const long = pattern('b', Date.now() - YEAR_MS)
    const patterns = [pattern('a', Date.now() - 1, ['\u0001']), long]
    const list = listOver({ now: { a: 7 }, patterns, merges: [{ id: 'b', into: 'a' }] })
    const [listed] = (await list.list(NS, EVERYTHING, NEVER)).patterns
    expect(listed).toMatchObject({ id: 'a', template: templateText(patterns[0]!), state: 'known' })
    expect(listed!.firstSeenNs).toBe(BigInt(long.firstSeenMs) * 1_000_000n)
    expect(YEAR_MS).toBeGreaterThan(NEW_FOR_MS)
  })

  it('has the note of a pattern that became one with others, and is muted where all of these were', async () => {
    const [general, noted, other] = ['a', 'b', 'c'].map(id => pattern(id, Date.now(), ['\u0001', id])) as [
      ...[CatalogPattern, CatalogPattern, CatalogPattern]
    ]
    const merges = [noted, other].map(({ id }) => ({ id, into: general.id }))
    const decisionWith = async (...members: CatalogPattern[]) => {
      const list = listOver({ now: { a: 7 }, patterns: [{ ...general, tokens: ['\u0001'], kinds: [0, 0] }, ...members], merges })
      const [{ note, muted } = { note: null, muted: null }] = (await list.list(NS, EVERYTHING, NEVER)).patterns
      return { note, muted }
    }
    expect(await decisionWith({ ...noted, note: 'known, ticket 7', muted: true }, other)).toEqual({
      note: 'known, ticket 7',
      muted: false
    })
    expect(await decisionWith({ ...noted, muted: true }, { ...other, muted: true })).toEqual({ note: null, muted: true })
    expect(await decisionWith()).toEqual({ note: null, muted: false })
  })

  it('compares with no logs from before patterns', async () => {
    const list = listOver({ now: { a: 300, b: 200 }, before: { '': 500 } })
    const { patterns, warnings } = await list.list(NS, COMPARED, NEVER)
    expect(patterns.map(({ id, change }) => [id, change])).toEqual([
      ['a', null],
      ['b', null]
    ])
    expect(warnings).toEqual(['500 logs of the other window have no pattern; changes are computed without them'])
  })

  it('compares shares of the logs that have a pattern', async () => {
    const list = listOver({ now: { a: 300, b: 100 }, before: { '': 400, a: 300, b: 100, c: 50 } })
    const { patterns } = await list.list(NS, COMPARED, NEVER)
    expect(patterns.map(({ id, change }) => [id, change?.kind, change?.baseTotal])).toEqual([
      ['c', 'vanished', 450],
      ['a', undefined, undefined],
      ['b', undefined, undefined]
    ])
  })

  it('counts the patterns that it tested, also those that are only in the other window and not listed', async () => {
    const list = listOver({ now: { a: 300 }, before: { a: 300, b: 1, c: 2 } })
    const { patterns, tested } = await list.list(NS, COMPARED, NEVER)
    expect([patterns.map(({ id }) => id), tested]).toEqual([['a'], 3])
  })

  it('is not complete when the retention cut the other window, and names no part of its own window', async () => {
    const list = listOver({ now: { a: 300 }, before: { a: 300 } })
    const own = await list.list(NS, EVERYTHING, NEVER)
    expect([own.complete, own.warnings]).toEqual([true, []])
    const { complete, warnings } = await list.list(NS, { ...EVERYTHING, compare: { start: 'now-9y', end: 'now-1d' } }, NEVER)
    const { detail, ...cut } = warnings[0] as Cut
    expect(complete).toBe(false)
    expect(detail).toMatch(/^other window: logs before .* are past this namespace's retention$/)
    expect(cut).toEqual({ kind: 'retention', remedy: expect.any(String) })
  })

  it('reports which details are incomplete', async () => {
    const detail = { complete: false, warnings: ['a shard did not respond'] }
    const list = await listOver({ now: { a: 1 }, detail }).list(NS, EVERYTHING, NEVER)
    expect(await list.detail(list.patterns[0]!, {})).toMatchObject(detail)
  })
})
