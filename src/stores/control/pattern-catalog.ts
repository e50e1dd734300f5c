import { sql } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type { PatternMerge } from '../../domain/log-pattern.js'
import type { CatalogPattern, PatternCatalog, PatternDecision } from '../../ports/pattern-catalog.js'
import type { ControlDb } from './control-db.js'

/** Rows of one statement, below the limits of parameters of both engines. */
const CHUNK = 500

function* chunksOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK)
}

export class KyselyPatternCatalog implements PatternCatalog {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async add(
    ns: NamespaceId,
    patterns: readonly Pick<CatalogPattern, 'id' | 'tokens' | 'kinds' | 'firstSeenMs'>[],
    merges: readonly PatternMerge[]
  ): Promise<void> {
    // In the order of their keys, so that two gateways that add the same rows do not lock each other out.
    const rows = patterns.map(({ id, tokens, kinds, firstSeenMs }) => ({
      namespace_id: ns,
      id,
      template: JSON.stringify([tokens, kinds]),
      first_seen_ms: firstSeenMs,
      note: null,
      muted: 0
    }))
    for (const values of chunksOf(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))) {
      await this.#db
        .insertInto('log_patterns')
        .values(values)
        .onConflict(conflict =>
          conflict
            .columns(['namespace_id', 'id'])
            .doUpdateSet(eb => ({ first_seen_ms: eb.ref('excluded.first_seen_ms') }))
            .whereRef('excluded.first_seen_ms', '<', sql.ref('log_patterns.first_seen_ms'))
        )
        .execute()
    }
    const edges = merges.map(({ id, into }) => ({ namespace_id: ns, id, into_id: into }))
    for (const values of chunksOf(edges.toSorted((a, b) => (a.id + a.into_id < b.id + b.into_id ? -1 : 1)))) {
      await this.#db
        .insertInto('log_pattern_merges')
        .values(values)
        .onConflict(conflict => conflict.doNothing())
        .execute()
    }
  }

  async all(ns: NamespaceId): Promise<{ patterns: readonly CatalogPattern[]; merges: readonly PatternMerge[] }> {
    // Merges first: templates are added before the merges that name them.
    const edges = await this.#db.selectFrom('log_pattern_merges').selectAll().where('namespace_id', '=', ns).execute()
    const rows = await this.#db.selectFrom('log_patterns').selectAll().where('namespace_id', '=', ns).orderBy('id').execute()
    const patterns = rows.map(row => {
      const [tokens, kinds] = JSON.parse(row.template) as [string[], number[]]
      return { id: row.id, tokens, kinds, firstSeenMs: row.first_seen_ms, note: row.note, muted: row.muted !== 0 }
    })
    return { patterns, merges: edges.map(edge => ({ id: edge.id, into: edge.into_id })) }
  }

  async decide(ns: NamespaceId, ids: readonly string[], { note, muted }: PatternDecision): Promise<boolean> {
    const set = { ...(note !== undefined && { note }), ...(muted !== undefined && { muted: muted ? 1 : 0 }) }
    let count = 0n
    for (const some of chunksOf(ids)) {
      const result = await this.#db
        .updateTable('log_patterns')
        .set(Object.keys(set).length === 0 ? { namespace_id: ns } : set)
        .where('namespace_id', '=', ns)
        .where('id', 'in', some)
        .executeTakeFirst()
      count += result.numUpdatedRows
    }
    return count > 0n
  }
}
