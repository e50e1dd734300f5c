import type { Kysely } from 'kysely'

const ID = 'varchar(40)'

/** Views that members save, and what users chose for pages. */
export async function createViewTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_views')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('name', 'varchar(256)')
    .addColumn('signal', 'varchar(16)', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('saved_views_key', ['namespace_id', 'id'])
    .execute()
  await db.schema
    .createTable('preferences')
    .addColumn('user_id', ID, c => c.primaryKey())
    .addColumn('preferences', 'text', c => c.notNull())
    .execute()
}
