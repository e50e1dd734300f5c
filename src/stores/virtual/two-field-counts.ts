import { GatewayError } from '../../domain/errors.js'
import { allOf, EVERYTHING, type Filter } from '../../domain/filter.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { RetainedSignal } from '../../domain/namespace.js'
import type { SearchRequest, SearchResult } from '../../domain/search.js'
import type { SignalStores } from '../../ports/stores.js'
import { type CountedSeries, type CountRequest, labelsOf, missing, pushedDown, type VirtualMetric } from './virtual-metric.js'

type Search = (ns: NamespaceId, request: SearchRequest, signal: AbortSignal) => Promise<SearchResult<unknown>>

/** Records counted by two of their fields: one of few values, and one of many. */
interface TwoFields {
  readonly name: string
  readonly signal: RetainedSignal
  readonly search: Search
  readonly few: { readonly label: string; readonly field: string }
  readonly many: { readonly label: string; readonly field: string }
}

/** Values of the field of few: each is a question of its own. */
const MAX_FEW = 50

/** `log_records_total{service,level}`. */
export function logRecords({ logs }: Pick<SignalStores, 'logs'>): VirtualMetric {
  return twoFieldCounts({
    ...{ name: 'log_records_total', signal: 'logs', search: (ns, request, signal) => logs.search(ns, request, signal) },
    few: { label: 'level', field: 'level' },
    many: { label: 'service', field: 'service' }
  })
}

/** `rum_page_views_total{page_group,device}`. */
export function pageViews({ events }: Pick<SignalStores, 'events'>): VirtualMetric {
  return twoFieldCounts({
    ...{ name: 'rum_page_views_total', signal: 'rum', search: (ns, request, signal) => events.searchRum(ns, request, signal) },
    few: { label: 'device', field: 'device_type' },
    many: { label: 'page_group', field: 'page_group' }
  })
}

function twoFieldCounts(of: TwoFields): VirtualMetric {
  return {
    name: of.name,
    signal: of.signal,
    labels: [of.few.label, of.many.label],
    count: (ns, request, signal) => countRecords(of, ns, request, signal),
    hasAny: async (ns, range, signal) => {
      const rows = { limit: 0, order: 'desc' } as const
      return (await of.search(ns, { range, filter: EVERYTHING, rows }, signal)).hasMore === true
    }
  }
}

async function countRecords(
  { name, search, few, many }: TwoFields,
  ns: NamespaceId,
  { range, grid, matchers, maxSeries }: CountRequest,
  signal: AbortSignal
): Promise<readonly CountedSeries[]> {
  const filter = pushedDown(matchers, { [few.label]: few.field, [many.label]: many.field })
  const field = { in: 'known', name: few.field } as const
  const { facets } = await search(ns, { range, filter, facets: [{ field, filter, limit: MAX_FEW }] }, signal)
  const found = facets![0]!
  if (found.other > 0) throw tooMany(name, `more than ${MAX_FEW} values of ${few.label}`)
  const values: readonly (readonly [string | null, Filter])[] = [
    ...found.values.map(({ value }) => [value, { kind: 'eq', field, value }] as const),
    ...(found.missing > 0 ? [[null, missing(few.field)] as const] : [])
  ]
  const series: CountedSeries[] = []
  for (const [value, own] of values) {
    const histogram = { ...grid, by: { in: 'known', name: many.field } as const }
    const counted = await search(ns, { range, filter: allOf([filter, own]), histogram }, signal)
    for (const { key, counts } of counted.histogram!) {
      series.push({ labels: labelsOf({ [many.label]: key, [few.label]: value }), counts })
    }
    if (!counted.complete || series.length > maxSeries) throw tooMany(name, `more than ${maxSeries} series`)
  }
  return series
}

function tooMany(name: string, what: string): GatewayError {
  return new GatewayError('query_unsupported', `${name} has ${what}: add a matcher`)
}
