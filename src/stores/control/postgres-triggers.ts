import type { Kysely, Migration } from 'kysely'
import { sql } from 'kysely'

/** Channel of PostgreSQL's NOTIFY that carries what changed. */
export const CHANNEL = 'alidade_control'

/** Tables and updates that other gateways may remember the state before of. */
const TRIGGERS: readonly (readonly [table: string, events: string])[] = [
  ['namespaces', 'insert or update or delete'],
  ['members', 'insert or update or delete'],
  ['users', 'insert or update or delete'],
  // Not the time of the last use, which is written every minute.
  [
    'api_keys',
    'insert or delete or update of secret_hash, previous_hash, previous_until_ms, expires_at_ms, revoked_at_ms, allowed_origins'
  ],
  ['refresh_tokens', 'update of revoked_at_ms'],
  ['signing_keys', 'insert or update or delete']
]

// In the database, so that every write is notified, whoever makes it. The strings are those that
// `parseChange` reads. Writes that change nothing are locks and are not news.
const FUNCTION = `
create function alidade_tell() returns trigger language plpgsql as $$
declare
  was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  now_is jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
  one jsonb := coalesce(now_is, was);
begin
  if was is not distinct from now_is then return null; end if;
  perform pg_notify('${CHANNEL}', case tg_table_name
    when 'namespaces' then concat_ws(' ', 'namespace', one->>'id')
    when 'members' then concat_ws(' ', 'member', one->>'namespace_id', one->>'user_id')
    when 'users' then concat_ws(' ', 'user', one->>'id')
    when 'api_keys' then concat_ws(' ', 'key', was->>'secret_hash', was->>'previous_hash', one->>'secret_hash', one->>'previous_hash')
    when 'refresh_tokens' then concat_ws(' ', 'session', one->>'family_id')
    else 'signing_keys'
  end);
  return null;
end $$`

async function changeTriggers(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTION).execute(db)
  for (const [table, events] of TRIGGERS) {
    const trigger = `create trigger alidade_tell after ${events} on ${table} for each row execute function alidade_tell()`
    await sql.raw(trigger).execute(db)
  }
}

// One notification a namespace and statement, for new series; a series that is only seen again causes none.
const SERIES_FUNCTION = `
create function alidade_tell_series() returns trigger language plpgsql as $$
begin
  perform pg_notify('alidade_control', concat_ws(' ', 'series', namespace_id)) from (select distinct namespace_id from added) as changed;
  return null;
end $$`

const SERIES_TRIGGER = `
create trigger alidade_tell_series after insert on series
referencing new table as added for each statement execute function alidade_tell_series()`

async function seriesTriggers(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SERIES_FUNCTION).execute(db)
  await sql.raw(SERIES_TRIGGER).execute(db)
}

const ALERTS_FUNCTION = `
create function alidade_tell_alerts() returns trigger language plpgsql as $$
begin
  perform pg_notify('alidade_control', concat_ws(' ', 'alert_rules', coalesce(new.namespace_id, old.namespace_id)));
  return null;
end $$`

async function alertTriggers(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ALERTS_FUNCTION).execute(db)
  for (const table of ['alert_groups', 'alert_rules']) {
    const event = `after insert or update or delete on ${table} for each row`
    await sql.raw(`create trigger alidade_tell_alerts ${event} execute function alidade_tell_alerts()`).execute(db)
  }
}

/** The migration that only PostgreSQL has, since only it serves several gateways. */
export const NOTIFYING: Readonly<Record<string, Migration>> = {
  '0002-notifications': { up: changeTriggers },
  '0007-series-news': { up: seriesTriggers },
  '0016-alert-news': { up: alertTriggers }
}
