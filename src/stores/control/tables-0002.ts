import type { Kysely } from 'kysely'
import { sql } from 'kysely'

const ID = 'varchar(40)'
// A store's name, and the name of something in it.
const NAME = 'varchar(255)'

/** How each namespace is in a search store; personal ones share indices. */
export async function addStoragePlans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('namespaces')
    .addColumn('placement', 'varchar(16)', c => c.notNull().defaultTo('dedicated'))
    .execute()
  await db.schema
    .alterTable('namespaces')
    .addColumn('search', 'varchar(16)', c => c.notNull().defaultTo('exact'))
    .execute()
  await sql`update namespaces set placement = 'pooled' where kind = 'personal'`.execute(db)
}

/** What managed stores hold: indices, series, and the places of namespaces. */
export async function createCatalogTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('store_indices')
    .addColumn('index_name', NAME, c => c.primaryKey())
    .addColumn('owner', ID, c => c.notNull())
    .addColumn('kind', 'varchar(16)', c => c.notNull())
    .addColumn('number', 'integer', c => c.notNull())
    .addColumn('from_ms', 'bigint', c => c.notNull())
    .addColumn('search', 'varchar(16)', c => c.notNull())
    .addColumn('created_at_ms', 'bigint', c => c.notNull())
    .addUniqueConstraint('store_indices_number', ['owner', 'kind', 'number'])
    .execute()
  await db.schema
    .createTable('series')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('key', 'varchar(32)', c => c.notNull())
    .addColumn('identity', 'text', c => c.notNull())
    .addColumn('type', 'varchar(16)', c => c.notNull())
    .addColumn('first_seen_ns', 'bigint', c => c.notNull())
    .addColumn('last_seen_ns', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('series_key', ['namespace_id', 'key'])
    .execute()
  await db.schema
    .createTable('store_places')
    .addColumn('store', NAME, c => c.notNull())
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('place', NAME, c => c.notNull())
    .addPrimaryKeyConstraint('store_places_key', ['store', 'namespace_id'])
    .execute()
}
