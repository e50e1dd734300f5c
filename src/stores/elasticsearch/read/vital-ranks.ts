import { GatewayError } from '../../../domain/errors.js'
import type { SearchContext } from './pages.js'
import { every, type Query } from './query.js'
import type { AggregationResult } from './search-engine.js'

/** Values of a numeric field among some records, whose `ranks` (0 = smallest) are looked for. */
export interface RankRequest {
  readonly query: Query
  readonly field: string
  readonly ranks: readonly number[]
  /** About the value of each rank, a little below. */
  readonly near: readonly number[]
}

/** Different values that one request lists; engines take 65,536 buckets. */
const MAX_VALUES = 5_000
const WINDOWS_AT_ONCE = 12
/** The limit of requests for one rank: values may be too dense around it. */
const MAX_STEPS = 50

interface Window {
  readonly request: RankRequest
  readonly rank: number
  /** Values from here on are listed; null: from the smallest. */
  from: number | null
  found: number | null
}

function windowAggregation({ request, from }: Window): Readonly<Record<string, unknown>> {
  const { field, query } = request
  const listed = { terms: { field, size: MAX_VALUES, order: { _key: 'asc' } } }
  if (from === null) return { filter: query, aggs: { inside: { filter: { exists: { field } }, aggs: { listed } } } }
  const below = { filter: { range: { [field]: { lt: from } } } }
  const inside = { filter: { range: { [field]: { gte: from } } }, aggs: { listed } }
  return { filter: query, aggs: { below, inside } }
}

/** Moves the window on, or finds its rank. */
function step(window: Window, result: AggregationResult): void {
  const { below, inside } = result as { below?: AggregationResult; inside: AggregationResult & { listed: AggregationResult } }
  let count = below?.doc_count ?? 0
  if (count > window.rank) {
    // Began too high.
    window.from = null
    return
  }
  for (const bucket of inside.listed.buckets ?? []) {
    count += bucket.doc_count!
    window.from = Number(bucket.key)
    if (count > window.rank) {
      window.found = window.from
      return
    }
  }
}

async function stepAll({ engine, scope, signal }: SearchContext, windows: readonly Window[]): Promise<void> {
  const aggs = Object.fromEntries(windows.map((window, i) => [String(i), windowAggregation(window)]))
  const query = scope.confine(every([]))
  const { aggregations } = await engine.search(scope.target.indices, { query, size: 0, track_total_hits: false, aggs }, signal)
  for (const [i, window] of windows.entries()) step(window, aggregations![String(i)]!)
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}

/**
 * The values at ranks, exactly: the engine's own percentiles are approximate, so they only give a starting point, and values
 * are listed from there on. Throws `unsupported_by_store` when too many are between.
 */
export async function valuesAtRanks(
  context: SearchContext,
  requests: readonly RankRequest[]
): Promise<readonly ReadonlyMap<number, number>[]> {
  const windows = requests.flatMap(request =>
    request.ranks.map((rank, i): Window => ({ request, rank, from: finite(request.near[i]), found: null }))
  )
  for (let at = 0; at < windows.length; at += WINDOWS_AT_ONCE) {
    let open: readonly Window[] = windows.slice(at, at + WINDOWS_AT_ONCE)
    for (let steps = 0; open.length > 0; steps++) {
      if (steps === MAX_STEPS)
        throw new GatewayError(
          'unsupported_by_store',
          'this store cannot compute exact percentiles of so many values; use a shorter time range'
        )
      await stepAll(context, open)
      open = open.filter(({ found }) => found === null)
    }
  }
  return requests.map(
    request => new Map(windows.filter(each => each.request === request).map(({ rank, found }) => [rank, found!]))
  )
}
