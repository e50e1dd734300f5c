import { type Insertable, type Selectable, sql } from 'kysely'
import { shardOf } from '../../domain/alerts/shard.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'
import { LATEST_DUE_MS, type MeasureProgress, type SavedMeasure, type SavedMeasureContent } from '../../domain/saved-measure.js'
import type { SavedMeasures } from '../../ports/saved-measures.js'
import type { ControlDb } from './control-db.js'
import type { SavedMeasuresTable } from './measure-tables.js'

function toMeasure(row: Selectable<SavedMeasuresTable>): SavedMeasure {
  return {
    // Measures of earlier versions have no description.
    description: '',
    ...(JSON.parse(row.content) as Omit<SavedMeasureContent, 'description'>),
    ...(JSON.parse(row.progress) as MeasureProgress),
    id: row.id,
    namespaceId: row.namespace_id as NamespaceId,
    version: row.version,
    dueMs: row.due_ms,
    createdBy: row.created_by as UserId,
    createdAtMs: row.created_at_ms
  }
}

function contentText({ name, description, signal, query, fn, field, groupBy, stepMs, bounds }: SavedMeasure): string {
  const content: SavedMeasureContent = { name, description, signal, query, fn, field, groupBy, stepMs, bounds }
  return JSON.stringify(content)
}

function changing({
  version,
  dueMs,
  ...measure
}: SavedMeasure): Pick<Insertable<SavedMeasuresTable>, 'version' | 'due_ms' | 'progress'> {
  const { countedMs, checkedMs, settledMs, backfill, error, incomplete } = measure
  const progress: MeasureProgress = { countedMs, checkedMs, settledMs, backfill, error, incomplete }
  return { version, due_ms: dueMs, progress: JSON.stringify(progress) }
}

/** `SavedMeasures` over Kysely, for both engines. */
export class KyselySavedMeasures implements SavedMeasures {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async add(measure: SavedMeasure): Promise<boolean> {
    const { namespaceId, name, id, createdBy, createdAtMs } = measure
    const identity = { namespace_id: namespaceId, name, id, shard: shardOf(namespaceId) }
    const created = { content: contentText(measure), created_by: createdBy, created_at_ms: createdAtMs }
    const added = await this.#db
      .insertInto('saved_measures')
      .values({ ...identity, ...created, ...changing(measure) })
      .onConflict(conflict => conflict.columns(['namespace_id', 'name']).doNothing())
      .executeTakeFirstOrThrow()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  }

  async list(ns: NamespaceId, limit: number): Promise<readonly SavedMeasure[]> {
    return (await this.#of(ns).orderBy('name').limit(limit).execute()).map(toMeasure)
  }

  async find(ns: NamespaceId, name: string): Promise<SavedMeasure | null> {
    const row = await this.#of(ns).where('name', '=', name).executeTakeFirst()
    return row ? toMeasure(row) : null
  }

  async replace(measure: SavedMeasure): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('saved_measures')
      .set(changing(measure))
      .where('namespace_id', '=', measure.namespaceId)
      .where('name', '=', measure.name)
      .where('id', '=', measure.id)
      .where('version', '=', measure.version - 1)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async remove(ns: NamespaceId, name: string): Promise<boolean> {
    const removed = this.#db.deleteFrom('saved_measures').where('namespace_id', '=', ns).where('name', '=', name)
    return (await removed.executeTakeFirstOrThrow()).numDeletedRows > 0n
  }

  async due(shards: readonly number[], nowMs: number, limit: number): Promise<readonly SavedMeasure[]> {
    if (shards.length === 0) return []
    const due = this.#db
      .selectFrom('saved_measures')
      .selectAll()
      .select(sql<number>`row_number() OVER (PARTITION BY namespace_id ORDER BY due_ms)`.as('place'))
      .where(where => where.or([where('due_ms', '<=', nowMs), where('due_ms', '>', nowMs + LATEST_DUE_MS)]))
      .where('shard', 'in', shards)
    const rows = await this.#db.selectFrom(due.as('due')).selectAll().orderBy('place').orderBy('due_ms').limit(limit).execute()
    return rows.map(toMeasure)
  }

  #of(ns: NamespaceId) {
    return this.#db.selectFrom('saved_measures').selectAll().where('namespace_id', '=', ns)
  }
}
