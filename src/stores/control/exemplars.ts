import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { Exemplar } from '../../domain/exemplar.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { Label } from '../../domain/metric-point.js'
import type { ExemplarBounds, ExemplarRequest, ExemplarStore } from '../../ports/metric-notes.js'
import { compareSeries, exactName, seriesTest } from '../metrics/label-matching.js'
import type { ControlDb } from './control-db.js'
import type { ExemplarsTable } from './schema.js'
import { identityOf, parseIdentity, catalogKey, textKey } from './series-identity.js'

/** Rows written by one statement: 7 parameters each, of at most 32,766 in a statement. */
const SAVED_AT_ONCE = 500
/** Rows read at once. */
const PAGE = 2_000

interface ExemplarRow {
  readonly series_key: string
  readonly at: string
  readonly identity: string
  readonly own_labels: string
  readonly value: string
}

/** `ExemplarStore` over Kysely, for both engines. */
export class KyselyExemplars implements ExemplarStore {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async save(ns: NamespaceId, exemplars: readonly Exemplar[]): Promise<void> {
    const rows = toRows(ns, exemplars)
    for (let from = 0; from < rows.length; from += SAVED_AT_ONCE) await upsert(this.#db, rows.slice(from, from + SAVED_AT_ONCE))
  }

  async select(
    ns: NamespaceId,
    { matchers, range, limit }: ExemplarRequest
  ): Promise<{ readonly exemplars: readonly Exemplar[]; readonly hasMore: boolean }> {
    const isRequested = seriesTest(matchers)
    const name = exactName(matchers)
    const tested = new Map<string, Pick<Exemplar, 'name' | 'labels'> | null>()
    const found: Exemplar[] = []
    // Newest first, so that a cut leaves the oldest out.
    for (let before: Place | null = null; ;) {
      const rows: readonly ExemplarRow[] = await page(this.#db, ns, range, name, before)
      for (const row of rows) {
        let series = tested.get(row.series_key)
        if (series === undefined) {
          const identity = parseIdentity(row.identity)
          tested.set(row.series_key, (series = isRequested(identity) ? identity : null))
        }
        if (series === null) continue
        if (found.length === limit) return { exemplars: sorted(found), hasMore: true }
        found.push(toExemplar(series, row))
      }
      if (rows.length < PAGE) return { exemplars: sorted(found), hasMore: false }
      before = rows.at(-1)!
    }
  }

  async trim(ns: NamespaceId, { perSeries, perNamespace }: ExemplarBounds): Promise<void> {
    await sql`
      delete from exemplars where namespace_id = ${ns} and (series_key, at_ns) in (
        select series_key, at_ns from (
          select series_key, at_ns, row_number() over (partition by series_key order by at_ns desc) as place
          from exemplars where namespace_id = ${ns}
        ) as ranked where place > ${sql.lit(perSeries)}
      )`.execute(this.#db)
    await sql`
      delete from exemplars where namespace_id = ${ns} and (series_key, at_ns) in (
        select series_key, at_ns from exemplars where namespace_id = ${ns}
        order by at_ns desc, series_key desc limit ${sql.lit(2 ** 31 - 1)} offset ${sql.lit(perNamespace)}
      )`.execute(this.#db)
  }

  async deleteBefore(ns: NamespaceId, timeNs: bigint): Promise<void> {
    await this.#db.deleteFrom('exemplars').where('namespace_id', '=', ns).where('at_ns', '<', String(timeNs)).execute()
  }
}

/** Where a page ends. */
type Place = Pick<ExemplarRow, 'series_key' | 'at'>

/** Times as text: not every client reads 64 bits whole. */
function page(
  db: ControlDb,
  ns: NamespaceId,
  { startNs, endNs }: ExemplarRequest['range'],
  name: string | undefined,
  before: Place | null
): Promise<readonly ExemplarRow[]> {
  let query = db
    .selectFrom('exemplars')
    .select(['series_key', 'identity', 'own_labels', 'value'])
    .select(sql<string>`cast(at_ns as text)`.as('at'))
    .where('namespace_id', '=', ns)
    .where('at_ns', '>=', String(startNs))
    .where('at_ns', '<', String(endNs))
  if (name !== undefined) query = query.where('name_key', '=', textKey(name))
  if (before !== null) {
    query = query.where(eb =>
      eb.or([eb('at_ns', '<', before.at), eb.and([eb('at_ns', '=', before.at), eb('series_key', '<', before.series_key)])])
    )
  }
  return query.orderBy('at_ns', 'desc').orderBy('series_key', 'desc').limit(PAGE).execute()
}

function toExemplar({ name, labels }: Pick<Exemplar, 'name' | 'labels'>, row: ExemplarRow): Exemplar {
  const ownLabels = (JSON.parse(row.own_labels) as [string, string][]).map(([own, value]): Label => ({ name: own, value }))
  return { name, labels, ownLabels, timestampNs: BigInt(row.at), value: Number(row.value) }
}

function sorted(exemplars: Exemplar[]): readonly Exemplar[] {
  return exemplars.sort((a, b) => compareSeries(a, b) || (a.timestampNs < b.timestampNs ? -1 : 1))
}

/** One row per series and time, since a statement may meet a row only once; in the order of the keys, as other gateways do. */
function toRows(ns: NamespaceId, exemplars: readonly Exemplar[]): Insertable<ExemplarsTable>[] {
  const byKey = new Map<string, Insertable<ExemplarsTable>>()
  for (const exemplar of exemplars) {
    const identity = identityOf(exemplar)
    const row = {
      namespace_id: ns,
      series_key: catalogKey(identity),
      at_ns: String(exemplar.timestampNs),
      name_key: textKey(exemplar.name),
      identity,
      own_labels: JSON.stringify(exemplar.ownLabels.map(({ name, value }) => [name, value])),
      // As text: SQLite has no NaN. `String` would lose the sign of zero.
      value: Object.is(exemplar.value, -0) ? '-0' : String(exemplar.value)
    }
    byKey.set(`${row.series_key} ${row.at_ns}`, row)
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

async function upsert(db: ControlDb, rows: readonly Insertable<ExemplarsTable>[]): Promise<void> {
  await db
    .insertInto('exemplars')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['namespace_id', 'series_key', 'at_ns'])
        .doUpdateSet(eb => ({ own_labels: eb.ref('excluded.own_labels'), value: eb.ref('excluded.value') }))
    )
    .execute()
}
