import { type Field, type Filter, valuesOfCondition } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { StoredLog } from '../../domain/records/log.js'
import type { FacetRequest, FacetResult, FacetValue, HistogramSeries, SearchRequest, SearchResult } from '../../domain/search.js'
import type { LogStore } from '../../ports/log-store.js'
import type { Families, PatternNames } from './pattern-names.js'

/** The field of a log with its pattern. */
export const PATTERN_FIELD: Field = { in: 'known', name: 'pattern_id' }
/** Ids that are counted one by one, before those of one pattern are added. */
export const MAX_COUNTED_IDS = 20_000

function isPattern({ in: place, name }: Field): boolean {
  return place === PATTERN_FIELD.in && name === PATTERN_FIELD.name
}

/** Whether a filter names patterns. */
function namesPatterns(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(namesPatterns)
    case 'not':
      return namesPatterns(filter.of)
    default:
      return isPattern(filter.field) && (filter.kind === 'eq' || filter.kind === 'in')
  }
}

/** The filter with all ids of the patterns that it names. */
function withAllIds(filter: Filter, families: Families): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map(part => withAllIds(part, families)) }
    case 'not':
      return { kind: 'not', of: withAllIds(filter.of, families) }
    case 'eq':
    case 'in': {
      if (!isPattern(filter.field)) return filter
      const values = valuesOfCondition(filter)
      const ids = [...new Set(values.flatMap(id => families.idsOf(id)))]
      return ids.length === 1
        ? { kind: 'eq', field: filter.field, value: ids[0]! }
        : { kind: 'in', field: filter.field, values: ids }
    }
    default:
      return filter
  }
}

function filtersOf({ filter, facets = [], spreads = [] }: SearchRequest): Filter[] {
  return [filter, ...[...facets, ...spreads].map(each => each.filter)]
}

/** Adds the counts of the ids of each pattern, most frequent first. */
function mergedFacet(result: FacetResult, { limit }: FacetRequest, families: Families): FacetResult {
  const merged = new Map<string, FacetValue>()
  for (const { value: id, count, lastSeenNs } of result.values) {
    const value = families.currentOf(id)?.id ?? id
    const before = merged.get(value)
    const times = [before?.lastSeenNs, lastSeenNs].filter(time => time !== undefined)
    const latest = times.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined)
    merged.set(value, { value, count: count + (before?.count ?? 0), ...(latest !== undefined && { lastSeenNs: latest }) })
  }
  const all = [...merged.values()].toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  const unlisted = all.slice(limit).reduce((sum, { count }) => sum + count, 0)
  const isWhole = result.values.length < MAX_COUNTED_IDS
  const distinct = { value: merged.size, relation: isWhole ? 'eq' : 'gte' } as const
  return { ...result, values: all.slice(0, limit), distinct, other: result.other + unlisted }
}

function mergedSeries(series: readonly HistogramSeries[], families: Families): HistogramSeries[] {
  const merged = new Map<string | null, number[]>()
  for (const { key, counts } of series) {
    const id = key === null ? null : (families.currentOf(key)?.id ?? key)
    const before = merged.get(id)
    if (before === undefined) merged.set(id, [...counts])
    else for (let i = 0; i < counts.length; i++) before[i]! += counts[i]!
  }
  return [...merged].map(([key, counts]) => ({ key, counts }))
}

function withCurrentId(log: StoredLog, families: Families): StoredLog {
  const current = log.patternId === null ? undefined : families.currentOf(log.patternId)
  return current === undefined || current.id === log.patternId ? log : { ...log, patternId: current.id }
}

/** What has no part in how patterns are read. */
function withoutReads(store: LogStore): Pick<LogStore, 'append' | 'unassigned' | 'settle' | 'deleteBefore' | 'dropNamespace'> {
  return {
    append: (ns, batch) => store.append(ns, batch),
    unassigned: store.unassigned,
    settle: ns => store.settle(ns),
    deleteBefore: (ns, timeNs) => store.deleteBefore(ns, timeNs),
    dropNamespace: ns => store.dropNamespace(ns)
  }
}

/**
 * A log store as readers see it: logs have the current id of their pattern, and a condition on a pattern finds
 * the logs with any of its ids (docs/adr/0056).
 */
export function logsByPattern(store: LogStore, names: PatternNames): LogStore {
  const current = async (ns: NamespaceId, rows: readonly StoredLog[]): Promise<readonly StoredLog[]> => {
    if (!rows.some(({ patternId }) => patternId !== null)) return rows
    // A log is worth more than the latest id of its pattern.
    const families = await names.families(ns).catch(() => null)
    return families === null ? rows : rows.map(log => withCurrentId(log, families))
  }
  const expanded = async <Request extends { readonly filter: Filter }>(ns: NamespaceId, request: Request): Promise<Request> =>
    namesPatterns(request.filter) ? { ...request, filter: withAllIds(request.filter, await names.families(ns)) } : request
  return {
    ...withoutReads(store),
    async search(ns: NamespaceId, request: SearchRequest, signal: AbortSignal): Promise<SearchResult<StoredLog>> {
      const { facets = [], spreads, histogram } = request
      const byPattern = histogram?.by !== undefined && isPattern(histogram.by)
      const areMerged = facets.map(({ field }) => isPattern(field))
      const isPlain = !filtersOf(request).some(namesPatterns) && !byPattern && !areMerged.includes(true)
      if (isPlain) {
        const found = await store.search(ns, request, signal)
        return found.rows === undefined ? found : { ...found, rows: await current(ns, found.rows) }
      }
      const families = await names.families(ns)
      const found = await store.search(
        ns,
        {
          ...request,
          filter: withAllIds(request.filter, families),
          ...(request.facets && {
            facets: facets.map((facet, i) => ({
              ...facet,
              filter: withAllIds(facet.filter, families),
              ...(areMerged[i] && { limit: MAX_COUNTED_IDS })
            }))
          }),
          ...(spreads && { spreads: spreads.map(each => ({ ...each, filter: withAllIds(each.filter, families) })) })
        },
        signal
      )
      return {
        ...found,
        ...(found.rows && { rows: await current(ns, found.rows) }),
        ...(found.histogram && byPattern && { histogram: mergedSeries(found.histogram, families) }),
        ...(found.facets && {
          facets: found.facets.map((facet, i) => (areMerged[i] ? mergedFacet(facet, facets[i]!, families) : facet))
        })
      }
    },
    async *stream(ns, request, signal) {
      for await (const rows of store.stream(ns, await expanded(ns, request), signal)) yield await current(ns, rows)
    },
    async get(ns, id) {
      const log = await store.get(ns, id)
      return log === null ? null : (await current(ns, [log]))[0]!
    },
    fields: async (ns, request, signal) => store.fields(ns, await expanded(ns, request), signal),
    aggregate: async (ns, request, signal) => store.aggregate(ns, await expanded(ns, request), signal),
    ...(store.gaps && { gaps: (ns, range) => store.gaps!(ns, range) })
  }
}
