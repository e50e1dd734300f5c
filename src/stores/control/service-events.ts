import type { Insertable, Selectable } from 'kysely'
import type { NamespaceId } from '../../domain/ids.js'
import { FOUND_EVENT_TYPES, type ServiceEvent } from '../../domain/service-event.js'
import type { ServiceEventRequest, ServiceEvents } from '../../ports/service-events.js'
import { labelsText, readLabels } from './alert-values.js'
import type { ControlDb } from './control-db.js'
import type { ServiceEventsTable } from './service-event-schema.js'

function toEvent(row: Selectable<ServiceEventsTable>): ServiceEvent {
  const { id, type, service, version, environment, title, url } = row
  return {
    namespaceId: row.namespace_id as NamespaceId,
    atMs: row.at_ms,
    ...{ id, type, service, version, environment, title, url },
    attributes: readLabels(row.attributes)
  }
}

function eventRow(event: ServiceEvent): Insertable<ServiceEventsTable> {
  const { id, type, service, version, environment, title, url } = event
  return {
    namespace_id: event.namespaceId,
    at_ms: event.atMs,
    ...{ id, type, service, version, environment, title, url },
    attributes: labelsText(event.attributes)
  }
}

/** Which types count towards a limit. */
interface CountedTypes {
  readonly operator: 'in' | 'not in'
  readonly types: readonly string[]
}

const REPORTED: CountedTypes = { operator: 'not in', types: FOUND_EVENT_TYPES }

/** `ServiceEvents` over Kysely, for both engines. */
export class KyselyServiceEvents implements ServiceEvents {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async add(event: ServiceEvent): Promise<boolean> {
    const added = await this.#db
      .insertInto('service_events')
      .values(eventRow(event))
      .onConflict(conflict => conflict.columns(['namespace_id', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  async list(ns: NamespaceId, request: ServiceEventRequest): Promise<readonly ServiceEvent[]> {
    const { fromMs, toMs, types, exceptTypes, service, environment, before, limit } = request
    if (types?.length === 0) return []
    let query = this.#db.selectFrom('service_events').selectAll().where('namespace_id', '=', ns)
    query = query.where('at_ms', '>=', fromMs).where('at_ms', '<', toMs)
    if (types !== undefined) query = query.where('type', 'in', types)
    if (exceptTypes !== undefined) query = query.where('type', 'not in', exceptTypes)
    if (service !== undefined) query = query.where('service', '=', service)
    if (environment !== undefined) query = query.where('environment', '=', environment)
    if (before !== undefined)
      query = query.where(eb =>
        eb.or([eb('at_ms', '<', before.atMs), eb.and([eb('at_ms', '=', before.atMs), eb('id', '<', before.id)])])
      )
    return (await query.orderBy('at_ms', 'desc').orderBy('id', 'desc').limit(limit).execute()).map(toEvent)
  }

  async deleteOld(beforeMs: number, keep: number): Promise<void> {
    await this.#db.deleteFrom('service_events').where('at_ms', '<', beforeMs).execute()
    const crowded = await this.#db
      .selectFrom('service_events')
      .select('namespace_id')
      .where('type', REPORTED.operator, REPORTED.types)
      .groupBy('namespace_id')
      .having(({ fn }) => fn.countAll(), '>', keep)
      .execute()
    for (const { namespace_id: ns } of crowded) await this.#deleteBeyond(ns, REPORTED, keep)
  }

  keepNewest(ns: NamespaceId, type: string, keep: number): Promise<void> {
    return this.#deleteBeyond(ns, { operator: 'in', types: [type] }, keep)
  }

  /** Deletes all but the newest `keep` events of these types. */
  async #deleteBeyond(ns: string, { operator, types }: CountedTypes, keep: number): Promise<void> {
    const last = await this.#db
      .selectFrom('service_events')
      .select(['at_ms', 'id'])
      .where('namespace_id', '=', ns)
      .where('type', operator, types)
      .orderBy('at_ms', 'desc')
      .orderBy('id', 'desc')
      .offset(keep - 1)
      .limit(1)
      .executeTakeFirst()
    if (last === undefined) return
    await this.#db
      .deleteFrom('service_events')
      .where('namespace_id', '=', ns)
      .where('type', operator, types)
      .where(eb => eb.or([eb('at_ms', '<', last.at_ms), eb.and([eb('at_ms', '=', last.at_ms), eb('id', '<', last.id)])]))
      .execute()
  }
}
