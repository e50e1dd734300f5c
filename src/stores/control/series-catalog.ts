import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type { MetricType } from '../../domain/metric-point.js'
import type { CatalogSeries, SeriesCatalog } from '../../ports/series-catalog.js'
import type { ControlDb } from './control-db.js'
import type { SeriesTable } from './schema.js'
import { identityOf, parseIdentity, catalogKey } from './series-identity.js'

/** Series written by one statement: 6 parameters each, of at most 32,766 in a statement. */
const SAVED_AT_ONCE = 500
/** Series read at once. */
export const SERIES_PAGE = 2_000

/** `SeriesCatalog` over Kysely, for both engines. */
export class KyselySeriesCatalog implements SeriesCatalog {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async *load(ns: NamespaceId): AsyncIterable<readonly CatalogSeries[]> {
    for (let after = ''; ;) {
      const rows = await page(this.#db, ns, after)
      if (rows.length > 0) yield rows.map(toSeries)
      if (rows.length < SERIES_PAGE) return
      after = rows.at(-1)!.key
    }
  }

  async save(ns: NamespaceId, series: readonly CatalogSeries[]): Promise<void> {
    for (let from = 0; from < series.length; from += SAVED_AT_ONCE) {
      await upsert(this.#db, toRows(ns, series.slice(from, from + SAVED_AT_ONCE)))
    }
  }

  async deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    await this.#db.deleteFrom('series').where('namespace_id', '=', ns).where('last_seen_ns', '<', String(timeNs)).execute()
  }

  async drop(ns: NamespaceId): Promise<void> {
    await this.#db.deleteFrom('series').where('namespace_id', '=', ns).execute()
  }
}

interface SeriesRow {
  readonly key: string
  readonly identity: string
  readonly type: string
  readonly first: string
  readonly last: string
}

/** Times as text: not every client reads 64 bits whole. */
function page(db: ControlDb, ns: NamespaceId, after: string): Promise<readonly SeriesRow[]> {
  return db
    .selectFrom('series')
    .select(['key', 'identity', 'type'])
    .select([sql<string>`cast(first_seen_ns as text)`.as('first'), sql<string>`cast(last_seen_ns as text)`.as('last')])
    .where('namespace_id', '=', ns)
    .where('key', '>', after)
    .orderBy('key')
    .limit(SERIES_PAGE)
    .execute()
}

function toSeries(row: SeriesRow): CatalogSeries {
  return {
    ...parseIdentity(row.identity),
    type: row.type as MetricType,
    firstSeenNs: BigInt(row.first),
    lastSeenNs: BigInt(row.last)
  }
}

/** One row per series, since a statement may meet a row only once; in the order of the keys, as other gateways do. */
function toRows(ns: NamespaceId, series: readonly CatalogSeries[]): Insertable<SeriesTable>[] {
  const byKey = new Map<string, CatalogSeries & { readonly identity: string }>()
  for (const one of series) {
    const identity = identityOf(one)
    const key = catalogKey(identity)
    byKey.set(key, { ...widened(one, byKey.get(key)), identity })
  }
  const ordered = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
  return ordered.map(([key, one]) => ({
    namespace_id: ns,
    key,
    identity: one.identity,
    type: one.type,
    first_seen_ns: String(one.firstSeenNs),
    last_seen_ns: String(one.lastSeenNs)
  }))
}

function widened(one: CatalogSeries, known: CatalogSeries | undefined): CatalogSeries {
  if (!known) return one
  return {
    ...one,
    firstSeenNs: known.firstSeenNs < one.firstSeenNs ? known.firstSeenNs : one.firstSeenNs,
    lastSeenNs: known.lastSeenNs > one.lastSeenNs ? known.lastSeenNs : one.lastSeenNs
  }
}

async function upsert(db: ControlDb, rows: readonly Insertable<SeriesTable>[]): Promise<void> {
  // The engines have no function in common for the smaller and the larger of two values.
  const first = sql<string>`case when excluded.first_seen_ns < series.first_seen_ns then excluded.first_seen_ns else series.first_seen_ns end`
  const last = sql<string>`case when excluded.last_seen_ns > series.last_seen_ns then excluded.last_seen_ns else series.last_seen_ns end`
  await db
    .insertInto('series')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['namespace_id', 'key'])
        .doUpdateSet(eb => ({ type: eb.ref('excluded.type'), first_seen_ns: first, last_seen_ns: last }))
    )
    .execute()
}
