import type { Kysely } from 'kysely'

const TEXT_COLUMNS = ['version', 'environment', 'title', 'url'] as const

/** Deployments and other events of services. */
export async function createServiceEventTable(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('service_events')
    .addColumn('namespace_id', 'varchar(40)', c => c.notNull())
    .addColumn('id', 'varchar(128)', c => c.notNull())
    .addColumn('type', 'varchar(64)', c => c.notNull())
    .addColumn('at_ms', 'bigint', c => c.notNull())
    .addColumn('service', 'varchar(255)')
  for (const column of TEXT_COLUMNS) table = table.addColumn(column, 'text')
  await table
    .addColumn('attributes', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('service_events_key', ['namespace_id', 'id'])
    .execute()
  await db.schema.createIndex('service_events_by_time').on('service_events').columns(['namespace_id', 'at_ms', 'id']).execute()
}
