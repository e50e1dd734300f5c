import { type Kysely, sql } from 'kysely'

const ID = 'varchar(40)'
const HASH = 'varchar(64)'

/** Columns of a stream's origin, which are strings or null. */
const ORIGIN = {
  host_id: HASH,
  host: 'text',
  path: 'text',
  kind: 'varchar(16)',
  service: 'text',
  head: HASH,
  anchor: HASH
} as const

const COUNTS = [
  'next_seq',
  'bytes_from',
  'bytes_to',
  'first_line',
  'line_to',
  'lines',
  'stored',
  'rejected',
  'gap_count'
] as const

/** Which lines of which log streams arrived. */
export async function createStreamTables(db: Kysely<unknown>): Promise<void> {
  await createStreams(db)
  await db.schema
    .createTable('stream_runs')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('stream_id', ID, c => c.notNull())
    .addColumn('bytes_from', 'bigint', c => c.notNull())
    .addColumn('bytes_to', 'bigint', c => c.notNull())
    .addColumn('first_line', 'bigint', c => c.notNull())
    .addColumn('lines', 'bigint', c => c.notNull())
    .addColumn('stored', 'bigint', c => c.notNull())
    .addColumn('min_ms', 'bigint')
    .addColumn('max_ms', 'bigint')
    .addColumn('at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('stream_runs_key', ['namespace_id', 'stream_id', 'bytes_from'])
    .execute()
  await db.schema
    .createTable('stream_gaps')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('stream_id', ID, c => c.notNull())
    .addColumn('no', 'integer', c => c.notNull())
    .addColumn('bytes_from', 'bigint', c => c.notNull())
    .addColumn('bytes_to', 'bigint', c => c.notNull())
    .addColumn('first_line', 'bigint')
    .addColumn('lines', 'bigint')
    .addColumn('reason', 'varchar(32)', c => c.notNull())
    .addColumn('code', 'varchar(64)')
    .addColumn('first_seq', 'bigint')
    .addColumn('end_seq', 'bigint')
    .addColumn('merged', 'bigint', c => c.notNull())
    .addColumn('at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('stream_gaps_key', ['namespace_id', 'stream_id', 'no'])
    .execute()
}

/** Searches look for streams with gaps, which are few. */
export async function indexStreamGaps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('streams_with_gaps')
    .on('streams')
    .columns(['namespace_id', 'host'])
    .where(sql.ref('gap_count'), '>', sql.lit(0))
    .execute()
}

/** New gaps are read by time, of all namespaces. */
export async function indexGapsByTime(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('stream_gaps_by_time')
    .on('stream_gaps')
    .column('at_ms')
    .where(sql.ref('reason'), '!=', sql.lit('dropped'))
    .execute()
}

/** The first batch of a stream is noted before it is stored. */
export async function addPendingBatches(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('streams').addColumn('pending_to', 'bigint').execute()
  await db.schema.alterTable('streams').addColumn('pending_anchor', HASH).execute()
}

/** What may be stored behind the end of a stream. */
export async function addRecoveredRecords(db: Kysely<unknown>): Promise<void> {
  for (const column of ['sealed_at_ms', 'recovered_seq', 'recovered_records'])
    await db.schema.alterTable('streams').addColumn(column, 'bigint').execute()
}

async function createStreams(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('streams')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
  for (const [column, type] of Object.entries(ORIGIN)) table = table.addColumn(column, type)
  for (const column of COUNTS) table = table.addColumn(column, 'bigint', c => c.notNull())
  await table
    .addColumn('first_at_ms', 'bigint', c => c.notNull())
    .addColumn('last_at_ms', 'bigint', c => c.notNull())
    .addColumn('end_reason', 'varchar(16)')
    .addPrimaryKeyConstraint('streams_key', ['namespace_id', 'id'])
    .execute()
  await db.schema.createIndex('streams_by_time').on('streams').columns(['namespace_id', 'last_at_ms']).execute()
}
