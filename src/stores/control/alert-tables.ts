import type { Kysely } from 'kysely'

const ID = 'varchar(40)'
const STATE = 'varchar(16)'
/** Digits of a double. */
const VALUE = 'varchar(32)'

/** Rules of alerts, their states, their events, and the leases of their evaluators. */
export async function createAlertTables(db: Kysely<unknown>): Promise<void> {
  await createRules(db)
  await createStates(db)
  await createEvents(db)
  await db.schema
    .createTable('alert_leases')
    .addColumn('shard', 'integer', c => c.primaryKey())
    .addColumn('holder', ID, c => c.notNull())
    .addColumn('token', 'bigint', c => c.notNull())
    .addColumn('expires_at_ms', 'bigint', c => c.notNull())
    .execute()
}

async function createRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_groups')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('name', 'varchar(256)', c => c.notNull())
    .addColumn('interval_ms', 'bigint', c => c.notNull())
    .addColumn('instance_limit', 'integer')
    .addColumn('query_offset_ms', 'bigint')
    .addColumn('shard', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('alert_groups_key', ['namespace_id', 'id'])
    .addUniqueConstraint('alert_groups_name', ['namespace_id', 'name'])
    .execute()
  await db.schema.createIndex('alert_groups_by_shard').on('alert_groups').column('shard').execute()
  await db.schema
    .createTable('alert_rules')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('group_id', ID, c => c.notNull())
    .addColumn('position', 'integer', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('alert_rules_key', ['namespace_id', 'id'])
    .execute()
  await db.schema
    .createTable('alert_rule_versions')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('rule_id', ID, c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('group_id', ID, c => c.notNull())
    .addColumn('position', 'integer', c => c.notNull())
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('updated_by', ID, c => c.notNull())
    .addColumn('updated_at_ms', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('alert_rule_versions_key', ['namespace_id', 'rule_id', 'version'])
    .execute()
}

async function createStates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_rule_states')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('rule_id', ID, c => c.notNull())
    .addColumn('rule_version', 'integer', c => c.notNull())
    .addColumn('last_eval_ms', 'bigint', c => c.notNull())
    .addColumn('error', 'text')
    .addColumn('errors_in_row', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('alert_rule_states_key', ['namespace_id', 'rule_id'])
    .execute()
  await db.schema
    .createTable('alert_instances')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('rule_id', ID, c => c.notNull())
    .addColumn('fingerprint', 'varchar(32)', c => c.notNull())
    .addColumn('labels', 'text', c => c.notNull())
    .addColumn('annotations', 'text', c => c.notNull())
    .addColumn('state', STATE, c => c.notNull())
    .addColumn('active_at_ms', 'bigint', c => c.notNull())
    .addColumn('fired_at_ms', 'bigint')
    .addColumn('keep_since_ms', 'bigint')
    .addColumn('resolved_at_ms', 'bigint')
    .addColumn('value', VALUE)
    .addColumn('seen', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('alert_instances_key', ['namespace_id', 'rule_id', 'fingerprint'])
    .execute()
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_events')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('seq', 'bigint', c => c.notNull())
    .addColumn('rule_id', ID, c => c.notNull())
    .addColumn('rule_version', 'integer', c => c.notNull())
    .addColumn('fingerprint', 'varchar(32)', c => c.notNull())
    .addColumn('labels', 'text', c => c.notNull())
    .addColumn('annotations', 'text', c => c.notNull())
    .addColumn('from_state', STATE, c => c.notNull())
    .addColumn('to_state', STATE, c => c.notNull())
    .addColumn('at_ms', 'bigint', c => c.notNull())
    .addColumn('starts_at_ms', 'bigint', c => c.notNull())
    .addColumn('value', VALUE)
    .addColumn('is_late', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('alert_events_key', ['namespace_id', 'seq'])
    .execute()
  for (const [index, columns] of [
    ['alert_events_by_time', ['namespace_id', 'at_ms', 'seq']],
    ['alert_events_by_rule', ['namespace_id', 'rule_id', 'at_ms', 'seq']]
  ] as const)
    await db.schema
      .createIndex(index)
      .on('alert_events')
      .columns([...columns])
      .execute()
  await db.schema
    .createTable('alert_sequences')
    .addColumn('namespace_id', ID, c => c.primaryKey())
    .addColumn('last_seq', 'bigint', c => c.notNull())
    .execute()
}
