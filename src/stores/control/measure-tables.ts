import type { Kysely } from 'kysely'

const ID = 'varchar(40)'

/** A measure that becomes a metric. 64-bit integers are read as numbers; times are Unix milliseconds. */
export interface SavedMeasuresTable {
  namespace_id: string
  name: string
  id: string
  /** `shardOf` the namespace. */
  shard: number
  version: number
  due_ms: number
  /** JSON of `SavedMeasureContent`. */
  content: string
  /** JSON of `MeasureProgress`. */
  progress: string
  created_by: string
  created_at_ms: number
}

/** Tables of saved measures. */
export interface MeasureTables {
  saved_measures: SavedMeasuresTable
}

/** Measures that become metrics. */
export async function createMeasureTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_measures')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('name', 'varchar(128)', c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('shard', 'integer', c => c.notNull())
    .addColumn('version', 'bigint', c => c.notNull())
    .addColumn('due_ms', 'bigint', c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('progress', 'text', c => c.notNull())
    .addColumn('created_by', ID, c => c.notNull())
    .addColumn('created_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('saved_measures_key', ['namespace_id', 'name'])
    .execute()
  await db.schema.createIndex('saved_measures_due').on('saved_measures').columns(['due_ms']).execute()
}
