import type { Insertable, Selectable } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import type {
  HostKey,
  HostListener,
  HostSighting,
  ListenerProtocol,
  MachineFacts,
  ReportedHost,
  ReportingAgent,
  ServiceBasis
} from '../../domain/reported-host.js'
import type { HostChange, ListenerOnHost, ListenerRequest, ReportedHosts } from '../../ports/reported-hosts.js'
import { atomically, type ControlDb } from './control-db.js'
import type { HostListenersTable, HostsTable } from './host-schema.js'

type HostRow = Selectable<HostsTable>
type ListenerRow = Selectable<HostListenersTable>

/** Rows of one statement: engines bound its parameters. */
const ROWS_AT_ONCE = 200

/** Columns of a sighting. */
const SIGHTING = ['namespace_id', 'id', 'name', 'interval_ms', 'first_seen_ms', 'last_seen_ms', 'listeners_seen_ms'] as const

function toSighting(row: Pick<HostRow, (typeof SIGHTING)[number]>): HostSighting {
  return {
    namespaceId: row.namespace_id as NamespaceId,
    id: row.id,
    name: row.name,
    intervalMs: row.interval_ms,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    listenersSeenMs: row.listeners_seen_ms
  }
}

function toHost(row: HostRow): ReportedHost {
  const { machine, agent } = JSON.parse(row.report) as { machine: MachineFacts; agent: ReportingAgent }
  return { ...toSighting(row), machine, agent, listenersSum: row.listeners_sum }
}

function hostRow(host: ReportedHost): Insertable<HostsTable> {
  const { machine, agent } = host
  return {
    namespace_id: host.namespaceId,
    id: host.id,
    name: host.name,
    report: JSON.stringify({ machine, agent }),
    interval_ms: host.intervalMs,
    listeners_sum: host.listenersSum,
    first_seen_ms: host.firstSeenMs,
    last_seen_ms: host.lastSeenMs,
    listeners_seen_ms: host.listenersSeenMs
  }
}

function toListener(row: ListenerRow): HostListener {
  return {
    id: row.id,
    protocol: row.protocol as ListenerProtocol,
    address: row.address,
    port: row.port,
    pid: row.pid,
    process: row.process,
    command: row.command,
    user: row.user_name,
    unit: row.unit,
    container: row.container,
    service: row.service,
    serviceBasis: row.service_basis as ServiceBasis | null,
    firstSeenMs: row.first_seen_ms,
    changedMs: row.changed_ms,
    closedMs: row.closed_ms
  }
}

function listenerRow({ namespaceId, id, name }: HostKey, listener: HostListener): Insertable<HostListenersTable> {
  return {
    namespace_id: namespaceId,
    id: listener.id,
    host_id: id,
    host_name: name,
    protocol: listener.protocol,
    address: listener.address,
    port: listener.port,
    pid: listener.pid,
    process: listener.process,
    command: listener.command,
    user_name: listener.user,
    unit: listener.unit,
    container: listener.container,
    service: listener.service,
    service_basis: listener.serviceBasis,
    first_seen_ms: listener.firstSeenMs,
    changed_ms: listener.changedMs,
    closed_ms: listener.closedMs
  }
}

async function putHost(db: ControlDb, host: ReportedHost): Promise<void> {
  const { namespace_id, id, name, ...content } = hostRow(host)
  await db
    .insertInto('hosts')
    .values({ namespace_id, id, name, ...content })
    .onConflict(conflict => conflict.columns(['namespace_id', 'id', 'name']).doUpdateSet(content))
    .execute()
}

async function putListeners(db: ControlDb, key: HostKey, listeners: readonly HostListener[]): Promise<void> {
  for (let at = 0; at < listeners.length; at += ROWS_AT_ONCE) {
    const rows = listeners.slice(at, at + ROWS_AT_ONCE).map(listener => listenerRow(key, listener))
    await db
      .insertInto('host_listeners')
      .values(rows)
      .onConflict(conflict =>
        conflict.columns(['namespace_id', 'host_id', 'host_name', 'id']).doUpdateSet(eb => ({
          pid: eb.ref('excluded.pid'),
          command: eb.ref('excluded.command'),
          user_name: eb.ref('excluded.user_name'),
          unit: eb.ref('excluded.unit'),
          service: eb.ref('excluded.service'),
          service_basis: eb.ref('excluded.service_basis'),
          first_seen_ms: eb.ref('excluded.first_seen_ms'),
          changed_ms: eb.ref('excluded.changed_ms'),
          closed_ms: eb.ref('excluded.closed_ms')
        }))
      )
      .execute()
  }
}

function compared(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function byPort(a: ListenerOnHost, b: ListenerOnHost): number {
  const byPlace = a.port - b.port || compared(a.protocol, b.protocol) || compared(a.host.name, b.host.name)
  return byPlace || compared(a.address, b.address) || compared(a.id, b.id)
}

/** Removes listeners whose host is not there any more. */
async function forgetOrphans(db: ControlDb, ns: NamespaceId): Promise<void> {
  await db
    .deleteFrom('host_listeners')
    .where('namespace_id', '=', ns)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('hosts')
            .select('hosts.id')
            .whereRef('hosts.namespace_id', '=', 'host_listeners.namespace_id')
            .whereRef('hosts.id', '=', 'host_listeners.host_id')
            .whereRef('hosts.name', '=', 'host_listeners.host_name')
        )
      )
    )
    .execute()
}

/** `ReportedHosts` over Kysely, for both engines. */
export class KyselyReportedHosts implements ReportedHosts {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  save(changes: readonly HostChange[]): Promise<void> {
    return atomically(this.#db, async trx => {
      for (const { host, listeners } of changes) {
        await putHost(trx, host)
        await putListeners(trx, host, listeners)
      }
    })
  }

  async host({ namespaceId, id, name }: HostKey): Promise<ReportedHost | null> {
    const row = await this.#hosts(namespaceId).where('id', '=', id).where('name', '=', name).executeTakeFirst()
    return row ? toHost(row) : null
  }

  async named(ns: NamespaceId, names: readonly string[]): Promise<readonly ReportedHost[]> {
    if (names.length === 0) return []
    const rows = this.#hosts(ns).where('name', 'in', names).orderBy('last_seen_ms', 'desc').orderBy('id')
    return (await rows.execute()).map(toHost)
  }

  async withIds(ns: NamespaceId, ids: readonly string[]): Promise<readonly HostSighting[]> {
    if (ids.length === 0) return []
    const rows = this.#sightings(ns).where('id', 'in', ids).orderBy('last_seen_ms', 'desc').orderBy('name')
    return (await rows.execute()).map(toSighting)
  }

  async all(ns: NamespaceId, limit: number): Promise<readonly HostSighting[]> {
    return (await this.#sightings(ns).orderBy('name').orderBy('id').limit(limit).execute()).map(toSighting)
  }

  count(ns: NamespaceId): Promise<number> {
    return this.#count('hosts', ns)
  }

  countListeners(ns: NamespaceId): Promise<number> {
    return this.#count('host_listeners', ns)
  }

  async listenersOf({ namespaceId, id, name }: HostKey): Promise<readonly HostListener[]> {
    const rows = this.#db.selectFrom('host_listeners').selectAll().where('namespace_id', '=', namespaceId)
    return (await rows.where('host_id', '=', id).where('host_name', '=', name).orderBy('id').execute()).map(toListener)
  }

  async listeners(
    ns: NamespaceId,
    { hosts: names, service, port, open, limit }: ListenerRequest
  ): Promise<readonly ListenerOnHost[]> {
    let query = this.#db.selectFrom('host_listeners').selectAll().where('namespace_id', '=', ns)
    if (names !== undefined) query = query.where('host_name', 'in', names)
    if (service !== undefined) query = query.where('service', '=', service)
    if (port !== undefined) query = query.where('port', '=', port)
    if (open !== undefined) query = query.where('closed_ms', open ? 'is' : 'is not', null)
    const rows = await query.orderBy('port').orderBy('protocol').orderBy('host_name').orderBy('id').limit(limit).execute()
    const hosts = await this.#hostsOf(ns, rows)
    const found = rows.flatMap(row => {
      const of = hosts.get(JSON.stringify([row.host_id, row.host_name]))
      return of === undefined ? [] : [{ ...toListener(row), host: of }]
    })
    // Engines sort strings by their own rules.
    return found.sort(byPort)
  }

  async forgetOldest(ns: NamespaceId, beforeMs: number): Promise<boolean> {
    return atomically(this.#db, async trx => {
      const oldest = await trx
        .selectFrom('hosts')
        .select(['id', 'name'])
        .where('namespace_id', '=', ns)
        .where('last_seen_ms', '<', beforeMs)
        .orderBy('last_seen_ms')
        .limit(1)
        .executeTakeFirst()
      if (oldest === undefined) return false
      const { id, name } = oldest
      await trx.deleteFrom('hosts').where('namespace_id', '=', ns).where('id', '=', id).where('name', '=', name).execute()
      const listeners = trx.deleteFrom('host_listeners').where('namespace_id', '=', ns)
      await listeners.where('host_id', '=', id).where('host_name', '=', name).execute()
      return true
    })
  }

  async forgetListeners({ namespaceId, id, name }: HostKey, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const removal = this.#db.deleteFrom('host_listeners').where('namespace_id', '=', namespaceId)
    await removal.where('host_id', '=', id).where('host_name', '=', name).where('id', 'in', ids).execute()
  }

  deleteBefore(ns: NamespaceId, { hostsMs, closedMs }: { readonly hostsMs: number; readonly closedMs: number }): Promise<void> {
    return atomically(this.#db, async trx => {
      const removed = await trx
        .deleteFrom('hosts')
        .where('namespace_id', '=', ns)
        .where('last_seen_ms', '<', hostsMs)
        .returning('id')
        .execute()
      if (removed.length > 0) await forgetOrphans(trx, ns)
      await trx.deleteFrom('host_listeners').where('namespace_id', '=', ns).where('closed_ms', '<', closedMs).execute()
    })
  }

  async #hostsOf(ns: NamespaceId, rows: readonly ListenerRow[]): Promise<ReadonlyMap<string, HostSighting>> {
    if (rows.length === 0) return new Map()
    const names = [...new Set(rows.map(row => row.host_name))]
    const hosts = (await this.#sightings(ns).where('name', 'in', names).execute()).map(toSighting)
    return new Map(hosts.map(host => [JSON.stringify([host.id, host.name]), host]))
  }

  async #count(table: 'hosts' | 'host_listeners', ns: NamespaceId): Promise<number> {
    const counted = await this.#db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('rows'))
      .where('namespace_id', '=', ns)
      .executeTakeFirst()
    return Number(counted?.rows ?? 0)
  }

  #sightings(ns: NamespaceId) {
    return this.#db.selectFrom('hosts').select(SIGHTING).where('namespace_id', '=', ns)
  }

  #hosts(ns: NamespaceId) {
    return this.#db.selectFrom('hosts').selectAll().where('namespace_id', '=', ns)
  }
}
