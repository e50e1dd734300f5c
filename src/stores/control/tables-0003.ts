import type { Kysely } from 'kysely'

const ID = 'varchar(40)'

/** What people decided about groups of errors. */
export async function createErrorGroupTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('error_groups')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('fingerprint', 'varchar(64)', c => c.notNull())
    .addColumn('state', 'varchar(16)', c => c.notNull())
    .addColumn('at_ms', 'bigint', c => c.notNull())
    .addColumn('by_user', ID, c => c.notNull())
    .addPrimaryKeyConstraint('error_groups_key', ['namespace_id', 'fingerprint'])
    .execute()
}
