import type { NamespaceId } from '../../domain/ids.js'
import { METRIC_KINDS, type MetricFacts, type MetricKind } from '../../domain/metric-facts.js'
import type { MetricFactsCatalog } from '../../ports/metric-notes.js'
import type { ControlDb } from './control-db.js'
import { textKey } from './series-identity.js'

/** Rows written by one statement. */
const SAVED_AT_ONCE = 500

/** Name, kind, help and unit as one text of JSON, whose escapes any database keeps. */
function toText({ name, kind, help, unit }: MetricFacts): string {
  return JSON.stringify([name, kind, help, unit])
}

function fromText(text: string): MetricFacts {
  const [name, kind, help, unit] = JSON.parse(text) as [string, string, string, string]
  // A later version may have written a kind that this one does not know.
  return { name, kind: METRIC_KINDS.find((known): known is MetricKind => known === kind) ?? 'unknown', help, unit }
}

/** `MetricFactsCatalog` over Kysely, for both engines. */
export class KyselyMetricFacts implements MetricFactsCatalog {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async save(ns: NamespaceId, facts: readonly MetricFacts[]): Promise<void> {
    // One row per name, since a statement may meet a row only once; in the order of the keys, as other gateways do.
    const byKey = new Map(facts.map(one => [textKey(one.name), toText(one)]))
    const rows = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
    for (let from = 0; from < rows.length; from += SAVED_AT_ONCE) {
      const values = rows
        .slice(from, from + SAVED_AT_ONCE)
        .map(([key, text]) => ({ namespace_id: ns, name_key: key, facts: text }))
      await this.#db
        .insertInto('metric_facts')
        .values(values)
        .onConflict(conflict =>
          conflict.columns(['namespace_id', 'name_key']).doUpdateSet(eb => ({ facts: eb.ref('excluded.facts') }))
        )
        .execute()
    }
  }

  async of(ns: NamespaceId, names: readonly string[]): Promise<readonly MetricFacts[]> {
    if (names.length === 0) return []
    const rows = await this.#db
      .selectFrom('metric_facts')
      .select('facts')
      .where('namespace_id', '=', ns)
      .where('name_key', 'in', names.map(textKey))
      .execute()
    return rows.map(row => fromText(row.facts))
  }

  async all(ns: NamespaceId, limit: number): Promise<readonly MetricFacts[]> {
    const rows = await this.#db.selectFrom('metric_facts').select('facts').where('namespace_id', '=', ns).limit(limit).execute()
    return rows.map(row => fromText(row.facts))
  }
}
