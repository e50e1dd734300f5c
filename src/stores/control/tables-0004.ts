import type { Kysely } from 'kysely'

const ID = 'varchar(40)'
const KEY = 'varchar(32)'

/** Metadata and exemplars of metrics: type, help and unit of families, exemplars of series. */
export async function createMetricNoteTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('metric_facts')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('name_key', KEY, c => c.notNull())
    .addColumn('facts', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('metric_facts_key', ['namespace_id', 'name_key'])
    .execute()
  await db.schema
    .createTable('exemplars')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('series_key', KEY, c => c.notNull())
    .addColumn('at_ns', 'bigint', c => c.notNull())
    .addColumn('name_key', KEY, c => c.notNull())
    .addColumn('identity', 'text', c => c.notNull())
    .addColumn('own_labels', 'text', c => c.notNull())
    .addColumn('value', 'varchar(32)', c => c.notNull())
    .addPrimaryKeyConstraint('exemplars_key', ['namespace_id', 'series_key', 'at_ns'])
    .execute()
  await db.schema.createIndex('exemplars_by_time').on('exemplars').columns(['namespace_id', 'at_ns']).execute()
}
