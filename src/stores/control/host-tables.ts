import type { Kysely } from 'kysely'

const ID = 'varchar(40)'
const HOST_ID = 'varchar(64)'
const NAME = 'varchar(255)'

/** Hosts that agents report, and their listening sockets. */
export async function createHostTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hosts')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', HOST_ID, c => c.notNull())
    .addColumn('name', NAME, c => c.notNull())
    .addColumn('report', 'text', c => c.notNull())
    .addColumn('interval_ms', 'bigint', c => c.notNull())
    .addColumn('listeners_sum', HOST_ID)
    .addColumn('first_seen_ms', 'bigint', c => c.notNull())
    .addColumn('last_seen_ms', 'bigint', c => c.notNull())
    .addColumn('listeners_seen_ms', 'bigint')
    .addPrimaryKeyConstraint('hosts_key', ['namespace_id', 'id', 'name'])
    .execute()
  await db.schema.createIndex('hosts_by_name').on('hosts').columns(['namespace_id', 'name']).execute()
  await db.schema.createIndex('hosts_by_time').on('hosts').columns(['namespace_id', 'last_seen_ms']).execute()
  await createListenerTable(db)
}

async function createListenerTable(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('host_listeners')
    .addColumn('namespace_id', ID, c => c.notNull())
    .addColumn('id', ID, c => c.notNull())
    .addColumn('host_id', HOST_ID, c => c.notNull())
    .addColumn('host_name', NAME, c => c.notNull())
    .addColumn('protocol', 'varchar(8)', c => c.notNull())
    .addColumn('address', 'varchar(64)', c => c.notNull())
    .addColumn('port', 'integer', c => c.notNull())
    .addColumn('pid', 'bigint')
  for (const column of ['process', 'command', 'user_name', 'unit', 'container', 'service'] as const)
    table = table.addColumn(column, 'text')
  await table
    .addColumn('service_basis', 'varchar(16)')
    .addColumn('first_seen_ms', 'bigint', c => c.notNull())
    .addColumn('changed_ms', 'bigint', c => c.notNull())
    .addColumn('closed_ms', 'bigint')
    .addPrimaryKeyConstraint('host_listeners_key', ['namespace_id', 'host_id', 'host_name', 'id'])
    .execute()
  await db.schema.createIndex('host_listeners_by_port').on('host_listeners').columns(['namespace_id', 'port']).execute()
}

/** Containers of hosts, and the programs of listening processes; unknown until they are reported. */
export async function addContainersOfHosts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('hosts').addColumn('containers', 'text').execute()
  await db.schema.alterTable('hosts').addColumn('containers_seen_ms', 'bigint').execute()
  await db.schema.alterTable('host_listeners').addColumn('exe', 'text').execute()
}
