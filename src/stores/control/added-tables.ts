import type { Kysely } from 'kysely'
import { sql } from 'kysely'

// Tables and columns that were added after the first ones, in the order of their migrations.

const ID = 'varchar(40)'
// A store's name, and the name of something in it.
const NAME = 'varchar(255)'
const KEY = 'varchar(32)'

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

/** What responses report about managed stores: indices that were created and are missing, records that wait on each gateway. */
export async function addStoreGaps(db: Kysely<unknown>): Promise<void> {
  for (const column of ['made_at_ms', 'lost_at_ms']) {
    await db.schema.alterTable('store_indices').addColumn(column, 'bigint').execute()
  }
  await db.schema
    .createTable('waiting_records')
    .addColumn('gateway', 'varchar(32)', c => c.notNull())
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('signal', 'varchar(16)', c => c.notNull())
    .addColumn('records', 'bigint', c => c.notNull())
    .addColumn('at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('waiting_records_key', ['gateway', 'namespace_id', 'signal'])
    .execute()
}

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

/** Templates of logs, and which of them were merged into which. */
export async function createPatternTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_patterns')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', KEY, c => c.notNull())
    .addColumn('template', 'text', c => c.notNull())
    .addColumn('first_seen_ms', 'bigint', c => c.notNull())
    .addColumn('note', 'text')
    .addColumn('muted', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('log_patterns_key', ['namespace_id', 'id'])
    .execute()
  await db.schema
    .createTable('log_pattern_merges')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', KEY, c => c.notNull())
    .addColumn('into_id', KEY, c => c.notNull())
    .addPrimaryKeyConstraint('log_pattern_merges_key', ['namespace_id', 'id', 'into_id'])
    .execute()
}

/** Rules for the records of namespaces, and how many records they dropped. */
export async function addLogRules(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('namespaces').addColumn('log_rules', 'text').execute()
  await db.schema
    .alterTable('usage')
    .addColumn('dropped', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
}

/** Who made a saved view; unknown of those from before. */
export async function addViewCreators(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('saved_views').addColumn('created_by', ID).execute()
}
