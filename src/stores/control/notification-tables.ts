import { type Kysely, sql } from 'kysely'

const ID = 'varchar(40)'
const NAME = 'varchar(256)'
const HASH = 'varchar(64)'

/** Channels, routing, silences, mute times, groups of alerts, and messages to channels. */
export async function createNotificationTables(db: Kysely<unknown>): Promise<void> {
  await createChannels(db)
  await createRules(db)
  await createGroups(db)
  await createDeliveries(db)
}

async function createChannels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notification_channels')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('name', NAME, c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('url', 'text', c => c.notNull())
    .addColumn('secret', 'text', c => c.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_until_ms', 'bigint')
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since_ms', 'bigint')
    .addColumn('last_delivery_ms', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('notification_channels_key', ['namespace_id', 'id'])
    .addUniqueConstraint('notification_channels_name', ['namespace_id', 'name'])
    .execute()
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_routing')
    .addColumn('namespace_id', ID, c => c.primaryKey())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('document', 'text', c => c.notNull())
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('silences')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('matchers', 'text', c => c.notNull())
    .addColumn('starts_at_ms', 'bigint', c => c.notNull())
    .addColumn('ends_at_ms', 'bigint', c => c.notNull())
    .addColumn('comment', 'text', c => c.notNull())
    .addColumn('created_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('silences_key', ['namespace_id', 'id'])
    .execute()
  await db.schema.createIndex('silences_by_end').on('silences').columns(['namespace_id', 'ends_at_ms']).execute()
  await db.schema
    .createTable('mute_times')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('name', NAME, c => c.notNull())
    .addColumn('intervals', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('mute_times_key', ['namespace_id', 'name'])
    .execute()
}

async function createGroups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notification_cursors')
    .addColumn('namespace_id', ID, c => c.primaryKey())
    .addColumn('seq', 'bigint', c => c.notNull())
    .addColumn('routing_version', 'integer', c => c.notNull())
    .execute()
  await db.schema
    .createTable('notification_groups')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('key_hash', HASH, c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('next_flush_ms', 'bigint')
    .addPrimaryKeyConstraint('notification_groups_pk', ['namespace_id', 'key_hash'])
    .execute()
  await db.schema.createIndex('notification_groups_by_flush').on('notification_groups').column('next_flush_ms').execute()
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('channel_id', ID, c => c.notNull())
    .addColumn('group_key', 'text')
    .addColumn('group_hash', HASH)
    .addColumn('shard', 'integer', c => c.notNull())
    .addColumn('type', 'varchar(32)', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    .addColumn('created_at_ms', 'bigint', c => c.notNull())
    .addColumn('state', 'varchar(16)', c => c.notNull())
    .addColumn('next_attempt_ms', 'bigint')
    .addColumn('attempts', 'text', c => c.notNull())
    .addColumn('tries', 'integer', c => c.notNull())
    .addColumn('tried_since_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('deliveries_key', ['namespace_id', 'id'])
    .execute()
  await db.schema.createIndex('deliveries_by_attempt').on('deliveries').columns(['shard', 'next_attempt_ms']).execute()
  await db.schema.createIndex('deliveries_by_channel').on('deliveries').columns(['namespace_id', 'channel_id', 'id']).execute()
}

/** Lets a step of notifications read the groups that it may change, and the messages of theirs that wait. */
export async function indexNotifications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('notification_groups')
    .addColumn('is_retired', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  // Strings in the JSON have their quotes escaped, so that this is the member itself.
  await sql`update notification_groups set is_retired = 1 where content like '%"routeKey":null%'`.execute(db)
  for (const [index, columns] of [
    ['notification_groups_by_route', ['namespace_id', 'is_retired']],
    ['notification_groups_due', ['namespace_id', 'next_flush_ms']]
  ] as const)
    await db.schema
      .createIndex(index)
      .on('notification_groups')
      .columns([...columns])
      .execute()
  await db.schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['namespace_id', 'group_hash', 'channel_id'])
    .where(sql.ref('next_attempt_ms'), 'is not', null)
    .execute()
}
