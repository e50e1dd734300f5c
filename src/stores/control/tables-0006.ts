import type { Kysely } from 'kysely'
import { sql } from 'kysely'

const ID = 'varchar(40)'

/** What answers must tell of managed stores: indices that were made and are gone, records that wait on each gateway. */
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

// One notification a namespace and statement, for series that are new; a series that is only seen again is no news.
const FUNCTION = `
create function alidade_tell_series() returns trigger language plpgsql as $$
begin
  perform pg_notify('alidade_control', concat_ws(' ', 'series', namespace_id)) from (select distinct namespace_id from added) as told;
  return null;
end $$`

const TRIGGER = `
create trigger alidade_tell_series after insert on series
referencing new table as added for each statement execute function alidade_tell_series()`

/** PostgreSQL only, since only it serves several gateways. */
export async function seriesTriggers(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTION).execute(db)
  await sql.raw(TRIGGER).execute(db)
}
