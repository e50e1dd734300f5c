import type { NamespaceId } from '../../domain/ids.js'
import type {
  HostContainers,
  HostKey,
  HostListener,
  HostSighting,
  ReportedContainer,
  ReportedHost
} from '../../domain/reported-host.js'
import type { HostChange, ListenerOnHost, ListenerRequest, ReportedHosts } from '../../ports/reported-hosts.js'
import { atomically, type ControlDb } from './control-db.js'
import {
  CONTAINERS,
  hostRow,
  listenerRow,
  type ListenerRow,
  REPORT,
  SIGHTING,
  toContainers,
  toHost,
  toListener,
  toSighting
} from './host-rows.js'

/** Rows of one statement: engines bound its parameters. */
const ROWS_AT_ONCE = 200

async function putHost(db: ControlDb, host: ReportedHost, containers: readonly ReportedContainer[] | null): Promise<void> {
  const { namespace_id, id, name, ...report } = hostRow(host)
  const listed = containers && { containers: JSON.stringify(containers), containers_seen_ms: host.lastSeenMs }
  const content = { ...report, ...listed }
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
          exe: eb.ref('excluded.exe'),
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
      for (const { host, listeners, containers = null } of changes) {
        await putHost(trx, host, containers)
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

  async containers(ns: NamespaceId, names: readonly string[], sinceMs: number): Promise<readonly HostContainers[]> {
    if (names.length === 0) return []
    const rows = this.#db.selectFrom('hosts').select(CONTAINERS).where('namespace_id', '=', ns).where('name', 'in', names)
    const latest = rows.where('last_seen_ms', '>=', sinceMs).orderBy('last_seen_ms', 'desc').orderBy('id')
    return (await latest.execute()).map(toContainers)
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
    return this.#db.selectFrom('hosts').select(REPORT).where('namespace_id', '=', ns)
  }
}
