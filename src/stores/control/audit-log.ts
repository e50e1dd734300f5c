import type { NamespaceId } from '../../domain/ids.js'
import { firstUlidAt } from '../../domain/ulid.js'
import type { AuditEntry, AuditLog } from '../../ports/audit-log.js'
import type { ControlDb } from './control-db.js'

/** `AuditLog` over Kysely, for both engines. */
export class KyselyAuditLog implements AuditLog {
  readonly #db: ControlDb

  constructor(db: ControlDb) {
    this.#db = db
  }

  async insert(entry: AuditEntry): Promise<void> {
    const row = {
      id: entry.id,
      namespace_id: entry.namespaceId,
      at_ms: entry.atMs,
      actor: entry.actor,
      action: entry.action,
      target: entry.target,
      detail: JSON.stringify(entry.detail)
    }
    await this.#db.insertInto('audit').values(row).execute()
  }

  async of(namespaceId: NamespaceId, limit: number, before?: string): Promise<readonly AuditEntry[]> {
    let query = this.#db.selectFrom('audit').selectAll().where('namespace_id', '=', namespaceId)
    if (before !== undefined) query = query.where('id', '<', before)
    const rows = await query.orderBy('id', 'desc').limit(limit).execute()
    return rows.map(row => ({
      id: row.id,
      namespaceId: row.namespace_id as NamespaceId | null,
      atMs: row.at_ms,
      actor: row.actor,
      action: row.action,
      target: row.target,
      detail: JSON.parse(row.detail) as Readonly<Record<string, unknown>>
    }))
  }

  async deleteBefore(atMs: number, limit: number): Promise<number> {
    // Ids are ULIDs: their order is that of time, and they have an index.
    const oldest = this.#db.selectFrom('audit').select('id').where('id', '<', firstUlidAt(atMs)).orderBy('id').limit(limit)
    const { numDeletedRows } = await this.#db.deleteFrom('audit').where('id', 'in', oldest).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
}
