import type { Kysely } from 'kysely'

const ID = 'varchar(40)'

/** Service level objectives and their versions. */
export async function createSloTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('slos')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('group_id', ID, c => c.notNull())
    .addColumn('name', 'varchar(256)', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('revision', 'integer', c => c.notNull())
    .addColumn('revision_since_ms', 'bigint', c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('slos_key', ['namespace_id', 'id'])
    .addUniqueConstraint('slos_name', ['namespace_id', 'name'])
    .addUniqueConstraint('slos_group', ['namespace_id', 'group_id'])
    .execute()
  await db.schema
    .createTable('slo_versions')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('slo_id', ID, c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('group_id', ID, c => c.notNull())
    .addColumn('revision', 'integer', c => c.notNull())
    .addColumn('revision_since_ms', 'bigint', c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('slo_versions_key', ['namespace_id', 'slo_id', 'version'])
    .execute()
}
